//! The lines that passing and failing runs execute. A line that most failing runs and few passing runs execute is suspicious
//! (Ochiai's coefficient; Abreu, Zoeteweij and van Gemund 2006).

use crate::Address;
use crate::assignments::{ObservedRun, RunObserver};
use crate::program_line::ProgramLine;
use crate::run_judge::RunJudge;
use crate::run_settings::RunSettings;
use crate::tracee::{Invocation, TraceError};
use crate::value_ranges::{UnusualValue, ValueRanges};
use howcome_dd::Outcome;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::time::Duration;

/// Suspicious lines within this distance support each other, counted in lines with code.
const NEAR: usize = 5;
/// Of this number of runs on each side, the values of variables are observed. Of more runs it is only noted what they execute.
const MOST_OBSERVED: u32 = 40;

/// How many runs execute a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LineCount {
    passing: u32,
    failing: u32,
}

impl LineCount {
    fn add(&mut self, is_failing: bool) {
        let side = if is_failing { &mut self.failing } else { &mut self.passing };
        *side += 1;
    }
}

/// Counts the lines that runs execute.
pub struct Spectrum<'a> {
    observer: RunObserver<'a>,
    time_to_follow: Duration,
    /// Says whether a run passes or fails; `None` if only the user knows.
    judge: Option<RunJudge>,
    lines: &'a BTreeMap<Address, ProgramLine>,
    counts: SpectrumCounts<'a>,
    values: ValueRanges,
}

/// How many runs there are, and how many of them execute each line.
#[derive(Default)]
struct SpectrumCounts<'a> {
    counts: HashMap<&'a ProgramLine, LineCount>,
    runs: LineCount,
}

/// A suspicious line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuspiciousLine {
    /// The line.
    pub line: ProgramLine,
    /// What is suspicious, in words.
    pub why: String,
}

impl<'a> Spectrum<'a> {
    /// Counts these lines of the program.
    pub(crate) fn new(
        settings: &'a RunSettings,
        judge: Option<RunJudge>,
        lines: &'a BTreeMap<Address, ProgramLine>,
    ) -> Self {
        let observer = RunObserver::new(settings, lines);
        let time_to_follow = settings.time_to_follow;
        let (counts, values) = (SpectrumCounts::default(), ValueRanges::default());
        Self { observer, time_to_follow, judge, lines, counts, values }
    }

    /// Adds a run. Returns whether it counts: if it ends like the runs of the other side, it does not.
    ///
    /// # Errors
    /// If the program cannot be run in this way.
    pub(crate) fn add(&mut self, invocation: &Invocation, is_failing: bool) -> Result<bool, TraceError> {
        let run = self.observe(invocation, is_failing)?;
        let opposite = if is_failing { Outcome::Pass } else { Outcome::Fail };
        if self.judge.as_ref().is_some_and(|judge| judge.judge(&run.result).0 == opposite) {
            return Ok(false);
        }
        self.count(run, is_failing);
        Ok(true)
    }

    /// Adds one of the two runs that are compared.
    ///
    /// # Errors
    /// If the program cannot be run.
    pub(crate) fn add_original(
        &mut self,
        invocation: &Invocation,
        is_failing: bool,
    ) -> Result<(), TraceError> {
        let run = self.observe(invocation, is_failing)?;
        self.count(run, is_failing);
        Ok(())
    }

    /// Runs the program, and counts the run.
    fn observe(&mut self, invocation: &Invocation, is_failing: bool) -> Result<ObservedRun, TraceError> {
        let runs = self.counts.runs;
        let known = if is_failing { runs.failing } else { runs.passing };
        self.observer.observe(invocation, known < MOST_OBSERVED, self.time_to_follow)
    }

    fn count(&mut self, run: ObservedRun, is_failing: bool) {
        let lines: BTreeSet<&ProgramLine> = run.covered.iter().filter_map(|at| self.lines.get(at)).collect();
        for line in lines {
            self.counts.counts.entry(line).or_default().add(is_failing);
        }
        self.counts.runs.add(is_failing);
        match is_failing {
            true => self.values.add_failing(run.assignments),
            false => self.values.add_passing(run.assignments),
        }
    }

    /// The line that gives a variable a value which passing runs never have.
    pub(crate) fn most_unusual(&self) -> Option<SuspiciousLine> {
        let UnusualValue { at, why } = self.values.most_unusual()?;
        Some(SuspiciousLine { line: self.lines.get(&at)?.clone(), why })
    }

    /// The most suspicious line.
    pub(crate) fn most_suspicious(&self) -> Option<SuspiciousLine> {
        self.counts.most_suspicious(self.lines)
    }
}

impl SpectrumCounts<'_> {
    /// The most suspicious line. Of equal ones that with the most suspicious lines around it, then the first in its file.
    fn most_suspicious(&self, lines: &BTreeMap<Address, ProgramLine>) -> Option<SuspiciousLine> {
        let mut files: BTreeMap<&Path, BTreeSet<&ProgramLine>> = BTreeMap::new();
        for line in lines.values() {
            files.entry(&line.file).or_default().insert(line);
        }
        let score = |line: &ProgramLine| self.counts.get(line).map_or(0.0, |count| self.ochiai(*count));
        let mut best: Option<([f64; 2], &ProgramLine)> = None;
        for all in files.values() {
            let scores: Vec<f64> = all.iter().map(|line| score(line)).collect();
            for (index, line) in all.iter().enumerate().filter(|(index, _)| scores[*index] > 0.0) {
                let first = index.saturating_sub(NEAR);
                let near = scores[first..].iter().take(index + NEAR + 1 - first).enumerate();
                let weight =
                    |(other, score): (usize, &f64)| score * (NEAR + 1 - index.abs_diff(first + other)) as f64;
                let found = [scores[index], near.map(weight).sum()];
                if best.is_none_or(|(known, _)| known < found) {
                    best = Some((found, line));
                }
            }
        }
        let (_, line) = best?;
        let LineCount { passing, failing } = self.counts.get(line).copied().unwrap_or_default();
        // A line that all runs execute says nothing.
        (passing < self.runs.passing || failing < self.runs.failing).then(|| SuspiciousLine {
            line: line.clone(),
            why: format!(
                "executed by {failing} of {} failing and {passing} of {} passing runs",
                self.runs.failing, self.runs.passing
            ),
        })
    }

    fn ochiai(&self, count: LineCount) -> f64 {
        let all = f64::from(self.runs.failing) * f64::from(count.failing + count.passing);
        if all == 0.0 { 0.0 } else { f64::from(count.failing) / all.sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn most_suspicious(passing: &[&[u64]], failing: &[&[u64]]) -> Option<(u32, String)> {
        let line = |number: u32| ProgramLine { file: "a.c".into(), line: number, function: "f".into() };
        let lines: BTreeMap<Address, ProgramLine> =
            (1..=40).map(|number| (Address(number.into()), line(number))).collect();
        let sides = passing.iter().map(|run| (run, false)).chain(failing.iter().map(|run| (run, true)));
        let mut counts: HashMap<ProgramLine, LineCount> = HashMap::new();
        let mut runs = LineCount::default();
        for (run, is_failing) in sides {
            for number in *run {
                counts.entry(line(*number as u32)).or_default().add(is_failing);
            }
            runs.add(is_failing);
        }
        let known =
            SpectrumCounts { counts: counts.iter().map(|(line, count)| (line, *count)).collect(), runs };
        known.most_suspicious(&lines).map(|suspicious| (suspicious.line.line, suspicious.why))
    }

    #[test]
    fn a_line_that_passing_runs_rarely_execute_is_more_suspicious_than_one_of_both() {
        let both = [1, 2, 3, 20];
        let passing: [&[u64]; 3] = [&both, &[1, 2, 3, 30], &[1, 2, 3]];
        let failing: [&[u64]; 2] = [&[1, 2, 3, 20], &[1, 2, 3, 20]];
        let why = "executed by 2 of 2 failing and 1 of 3 passing runs".to_owned();
        assert_eq!(most_suspicious(&passing, &failing), Some((20, why)));
    }

    #[test]
    fn of_equal_lines_the_one_among_others_is_the_most_suspicious() {
        let failing: [&[u64]; 1] = [&[1, 5, 20, 21, 22]];
        assert_eq!(most_suspicious(&[&[1]], &failing).map(|(line, _)| line), Some(21));
    }

    #[test]
    fn lines_that_all_runs_execute_say_nothing() {
        assert_eq!(most_suspicious(&[&[1, 2]], &[&[1, 2]]), None);
    }
}
