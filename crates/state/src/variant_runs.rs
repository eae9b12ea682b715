//! The lines that go with the failure in runs with variants of the two inputs.
//!
//! The lines that go best with a failure are most often those that report it. So the functions that are active when the failing run ends
//! do not count. Of the other lines, those count that go with the failure nearly as well as the best one, and the one with the most such
//! lines around it is taken: a failure comes from a place, and what follows from it is executed in many places.

use crate::Address;
use crate::assignments::{ObservedRun, RunObserver};
use crate::control_flow::ControlFlow;
use crate::failure_slice::end_line;
use crate::input_variants::InputVariants;
use crate::program_line::ProgramLine;
use crate::run_judge::{FailureTerms, RunJudge};
use crate::run_pair::RunPair;
use crate::run_result::RunResult;
use crate::spectrum::SuspiciousLine;
use crate::tracee::{Folder, RunEnd};
use howcome_dd::Outcome;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

/// At most this number of variants is run,
const MOST_VARIANTS: usize = 300;
/// and at most so many that the runs together execute this number of statements, each counted once in a run.
const MOST_STATEMENTS: usize = 200_000;
/// With this number of runs on each side, no more variants are needed.
const ENOUGH: u32 = 60;
/// With fewer runs on a side, nothing is said.
const FEWEST: u32 = 3;
/// After this number of variants that do not end, no more are run.
const MOST_ENDLESS: u32 = 8;
/// Lines this near to the best one go with the failure as well.
const NEARLY: f64 = 0.95;
/// A line says something if the share of the failing runs that execute it is larger by this than that of the passing runs.
const LEAST_DIFFERENCE: f64 = 0.25;
/// Such lines within this distance support each other, counted in lines with code.
const NEAR: usize = 5;

/// How many runs there are, and how many of them execute each line: passing runs, then failing runs.
#[derive(Default)]
struct VariantCounts {
    runs: [u32; 2],
    lines: BTreeMap<ProgramLine, [u32; 2]>,
}

/// Runs the program with variants of the two inputs. `None` if too few of them pass or fail like the two runs, or if only the output tells
/// the two runs apart: of another input, another output is expected.
pub(crate) fn find_varied(
    runs: &RunPair,
    terms: &FailureTerms,
    flow: &ControlFlow,
    is_over: impl Fn() -> bool,
) -> Option<SuspiciousLine> {
    let (passing, failing) = (&runs.passing.result, &runs.failing.result);
    let is_by_output = terms.fails_when.is_empty() && failing.ends_like(passing);
    // The user's own test knows the input that it is for.
    if is_by_output || terms.test.is_some() {
        return None;
    }
    let judge = RunJudge::new(passing.clone(), failing.clone(), terms.clone())?;
    let folder = Folder::new_in(&runs.failing.invocation.temp_folder).ok()?;
    let mut variants = InputVariants::of(&runs.failing.invocation, &runs.passing.invocation);
    let mut observer = RunObserver::new(&runs.settings, &flow.lines);
    let mut counts = VariantCounts::default();
    let (mut statements, mut endless) = (0, 0);
    for run in [&runs.passing, &runs.failing] {
        let observed = observer.observe(&run.invocation, false, runs.settings.time_to_follow).ok()?;
        statements += observed.covered.len();
        counts.add(&observed, std::ptr::eq(run, &runs.failing), &flow.lines);
    }
    for _ in 0..MOST_VARIANTS {
        let is_enough = counts.runs.iter().all(|runs| *runs >= ENOUGH);
        if is_over() || is_enough || statements >= MOST_STATEMENTS || endless >= MOST_ENDLESS {
            break;
        }
        let Ok(Some(variant)) = variants.next_in(folder.path()) else { break };
        // A variant can do what is refused, such as to open another file. It says nothing.
        let Ok(observed) = observer.observe(&variant, false, runs.settings.time_to_place) else { continue };
        statements += observed.covered.len();
        endless += u32::from(observed.result.end == RunEnd::TimedOut);
        if let Some(is_failing) = is_failing(runs, terms, &judge, &observed.result) {
            counts.add(&observed, is_failing, &flow.lines);
        }
    }
    let calls = match &failing.end {
        RunEnd::Killed(crash) => &crash.backtrace,
        _ => &failing.exit_calls,
    };
    let mut active: HashSet<&str> = calls.iter().map(|call| call.function.as_str()).collect();
    // The user's functions have the names that the program gives them.
    let program = &runs.settings.program;
    let functions = calls.iter().filter_map(|call| program.function_at(call.at?));
    active.extend(functions.map(|function| program.function(function).name.as_str()));
    counts.most_suspicious(&active)
}

/// Whether a run with another input fails or passes like the two runs; `None` if it does neither.
fn is_failing(runs: &RunPair, terms: &FailureTerms, judge: &RunJudge, seen: &RunResult) -> Option<bool> {
    let (passing, failing) = (&runs.passing.result, &runs.failing.result);
    let program = &runs.settings.program;
    let crashes_there = || match (&seen.end, &failing.end) {
        // With another input, the same line is reached in another way.
        (RunEnd::Killed(one), RunEnd::Killed(other)) => {
            one.signal == other.signal && end_line(program, seen) == end_line(program, failing)
        }
        _ => false,
    };
    match judge.judge(seen).0 {
        Outcome::Fail => Some(true),
        Outcome::Pass => Some(false),
        Outcome::Unresolved if terms.says_nothing() => crashes_there().then_some(true),
        // It does not fail, and ends like the passing run.
        Outcome::Unresolved => (terms.passes_when.is_empty() && seen.ends_like(passing)).then_some(false),
    }
}

impl VariantCounts {
    fn add(&mut self, run: &ObservedRun, is_failing: bool, lines: &BTreeMap<Address, ProgramLine>) {
        let side = usize::from(is_failing);
        self.runs[side] += 1;
        let covered: BTreeSet<&ProgramLine> = run.covered.iter().filter_map(|at| lines.get(at)).collect();
        for line in covered {
            self.lines.entry(line.clone()).or_default()[side] += 1;
        }
    }

    /// How well a line goes with the failure (Ochiai's coefficient).
    fn ochiai(&self, [passing, failing]: [u32; 2]) -> f64 {
        let all = f64::from(self.runs[1]) * f64::from(failing + passing);
        if all == 0.0 { 0.0 } else { f64::from(failing) / all.sqrt() }
    }

    /// By how much the share of the failing runs that execute a line is larger than that of the passing runs.
    fn difference(&self, line: &ProgramLine) -> f64 {
        let counted = self.lines.get(line).copied().unwrap_or_default();
        let share = |side: usize| f64::from(counted[side]) / f64::from(self.runs[side].max(1));
        share(1) - share(0)
    }

    /// The line around which the most lines go with the failure.
    fn most_suspicious(&self, active: &HashSet<&str>) -> Option<SuspiciousLine> {
        if self.runs.iter().any(|runs| *runs < FEWEST) {
            return None;
        }
        let is_active = |line: &ProgramLine| {
            line.function == "main"
                || line.function.ends_with("::main")
                || active.contains(line.function.as_str())
        };
        let mut files: BTreeMap<&Path, Vec<(&ProgramLine, f64)>> = BTreeMap::new();
        for (line, counted) in self.lines.iter().filter(|(line, _)| !is_active(line)) {
            files.entry(&line.file).or_default().push((line, self.ochiai(*counted)));
        }
        let best = files.values().flatten().map(|(_, score)| *score).fold(0.0, f64::max);
        let mut found: Option<(f64, &ProgramLine)> = None;
        for lines in files.values() {
            for (index, (line, score)) in lines.iter().enumerate() {
                if *score < best * NEARLY || self.difference(line) < LEAST_DIFFERENCE {
                    continue;
                }
                let first = index.saturating_sub(NEAR);
                let near = lines[first..].iter().take(index + NEAR + 1 - first).enumerate();
                let weight = |(other, (_, score)): (usize, &(&ProgramLine, f64))| {
                    score * (NEAR + 1 - index.abs_diff(first + other)) as f64
                };
                let weight: f64 = near.map(weight).sum();
                if found.is_none_or(|(known, _)| known < weight) {
                    found = Some((weight, line));
                }
            }
        }
        let (_, line) = found?;
        let [passing, failing] = self.lines.get(line).copied().unwrap_or_default();
        let [all_passing, all_failing] = self.runs;
        let why = format!(
            "executed by {failing} of {all_failing} failing and {passing} of {all_passing} passing runs with variants of the two inputs"
        );
        Some(SuspiciousLine { line: line.clone(), why })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(function: &str, line: u32) -> ProgramLine {
        ProgramLine { file: "a.c".into(), line, function: function.to_owned() }
    }

    fn most_suspicious(runs: [u32; 2], lines: &[(&str, u32, [u32; 2])]) -> Option<u32> {
        let lines =
            lines.iter().map(|(function, number, counted)| (line(function, *number), *counted)).collect();
        let counts = VariantCounts { runs, lines };
        let active = ["report"].into_iter().collect();
        counts.most_suspicious(&active).map(|found| found.line.line)
    }

    #[test]
    fn code_that_is_active_at_the_end_reports_the_failure_and_does_not_count() {
        let lines = [("f", 10, [2, 20]), ("g", 30, [19, 20]), ("report", 50, [0, 20]), ("main", 70, [0, 20])];
        assert_eq!(most_suspicious([20, 20], &lines), Some(10));
    }

    #[test]
    fn of_lines_that_go_nearly_as_well_with_the_failure_one_among_others_is_taken() {
        let both = (20..26).map(|number| ("g", number, [20, 1]));
        let single = [("f", 10, [0, 20]), ("g", 30, [1, 20]), ("g", 31, [1, 20]), ("g", 32, [1, 20])];
        let lines: Vec<_> = single.into_iter().chain(both).collect();
        assert_eq!(most_suspicious([20, 20], &lines), Some(31));
    }

    #[test]
    fn lines_of_all_runs_and_few_runs_say_nothing() {
        assert_eq!(most_suspicious([20, 20], &[("f", 10, [20, 20])]), None);
        assert_eq!(most_suspicious([60, 20], &[("f", 10, [59, 20])]), None, "nearly all runs");
        assert_eq!(most_suspicious([20, 2], &[("f", 10, [0, 2])]), None);
    }
}
