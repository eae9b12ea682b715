//! When the failing run prints what is wrong, if only the outputs tell the two runs apart.

use crate::run_judge::common_words;
use crate::run_pair::{OriginalRun, RunPair};
use crate::run_result::RunResult;
use crate::stop_point::StopPoint;
use crate::stopped_run::flush;
use crate::trace::CommonMoment;
use crate::tracee::{Output, TraceError};

/// The first word that the two runs print differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WrongOutput {
    /// Standard output or standard error.
    stream: usize,
    /// Where the output that counts begins, in the whole output of the passing run and in that of the failing run.
    counted_from: [usize; 2],
    /// Where the word begins in the output that counts.
    begins: usize,
}

impl WrongOutput {
    /// The first word that differs in what the passing and the failing run print from a place on. `whole` is what the whole runs print.
    /// `None` if the failing run prints nothing more: then it lacks something.
    pub(crate) fn of(counted: [&RunResult; 2], whole: [&RunResult; 2]) -> Option<Self> {
        let stream = usize::from(counted[0].printed[0] == counted[1].printed[0]);
        let [passing, failing] = counted.map(|result| &result.printed[stream]);
        let begins = common_words(failing, passing);
        let start =
            |side: usize| whole[side].printed[stream].len().checked_sub(counted[side].printed[stream].len());
        let counted_from = [start(0)?, start(1)?];
        (begins < failing.len()).then_some(Self { stream, counted_from, begins })
    }

    /// Whether the failing run has printed it before a moment.
    pub(crate) fn is_printed(&self, runs: &RunPair, moment: &CommonMoment) -> Result<bool, TraceError> {
        Ok(self.printed_before(runs, &runs.failing, moment.failing.stop_point)?
            > self.counted_from[1] + self.begins)
    }

    /// Whether both runs have printed equally much before a moment. If not, it is not the same round of a loop that prints.
    pub(crate) fn is_same_progress(&self, runs: &RunPair, moment: &CommonMoment) -> Result<bool, TraceError> {
        let passing = self.printed_before(runs, &runs.passing, moment.passing.stop_point)?;
        let failing = self.printed_before(runs, &runs.failing, moment.failing.stop_point)?;
        Ok(passing + self.counted_from[1] == failing + self.counted_from[0])
    }

    /// How many bytes a run has printed before a moment.
    fn printed_before(
        &self,
        runs: &RunPair,
        run: &OriginalRun,
        stop_point: StopPoint,
    ) -> Result<usize, TraceError> {
        let settings = &runs.settings;
        let output = Output::new()?;
        let mut tracee = settings.start(&run.invocation, &output)?;
        tracee.limit(&settings.watchdog, settings.time_to_place)?;
        stop_point.reach(&mut tracee, None, &settings.program)?;
        flush(&mut tracee, &settings.program)?;
        Ok(output.lengths()?[self.stream] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracee::RunEnd;
    use std::time::Duration;

    fn printed(text: &str) -> RunResult {
        RunResult {
            end: RunEnd::Exited(0),
            exit_calls: Vec::new(),
            printed: [text.into(), Vec::new()],
            arrived: true,
            returned: None,
            took: Duration::ZERO,
        }
    }

    #[test]
    fn the_wrong_word_is_counted_from_where_the_output_counts() {
        let whole = [&printed("reading 1\nsum 31\n"), &printed("reading 12\nsum 32\n")];
        let wrong = WrongOutput::of([&printed("sum 31\n"), &printed("sum 32\n")], whole);
        assert_eq!(wrong, Some(WrongOutput { stream: 0, counted_from: [10, 11], begins: 4 }));
        assert_eq!(WrongOutput::of([&printed("sum 3\nend\n"), &printed("sum 3\n")], whole), None);
    }
}
