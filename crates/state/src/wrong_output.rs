//! When the failing run prints what is wrong, if only the outputs tell the two runs apart.

use crate::run_judge::common_words;
use crate::run_pair::RunPair;
use crate::run_result::RunResult;
use crate::stop_point::StopPoint;
use crate::stopped_run::flush;
use crate::tracee::{Output, TraceError, Tracee};

/// The first word that the two runs print differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WrongOutput {
    /// Standard output or standard error.
    stream: usize,
    /// Where the word begins in the output of the whole failing run.
    begins: usize,
}

impl WrongOutput {
    /// The first word that differs in what the runs print from a place on. `whole` is what the whole failing run prints. `None` if the failing
    /// run prints nothing more: then it lacks something.
    pub(crate) fn of(passing: &RunResult, failing: &RunResult, whole: &RunResult) -> Option<Self> {
        let stream = usize::from(failing.printed[0] == passing.printed[0]);
        let (printed, all) = (&failing.printed[stream], &whole.printed[stream]);
        let same = common_words(printed, &passing.printed[stream]);
        let before = all.len().checked_sub(printed.len())?;
        (same < printed.len()).then_some(Self { stream, begins: before + same })
    }

    /// Whether the failing run has printed it before a moment.
    pub(crate) fn is_printed(&self, runs: &RunPair, moment: StopPoint) -> Result<bool, TraceError> {
        let settings = &runs.settings;
        let output = Output::new()?;
        let mut tracee = Tracee::start(&runs.failing.invocation, settings.limits, &output)?;
        tracee.limit(&settings.watchdog, settings.time_to_place)?;
        moment.reach(&mut tracee, None, &settings.program)?;
        flush(&mut tracee, &settings.program)?;
        Ok(output.lengths()?[self.stream] as usize > self.begins)
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
    fn the_wrong_word_is_counted_from_the_start_of_the_run() {
        let whole = printed("reading 12\nsum 32\n");
        let wrong = WrongOutput::of(&printed("sum 31\n"), &printed("sum 32\n"), &whole);
        assert_eq!(wrong, Some(WrongOutput { stream: 0, begins: 15 }));
        assert_eq!(WrongOutput::of(&printed("sum 3\nend\n"), &printed("sum 3\n"), &whole), None);
    }
}
