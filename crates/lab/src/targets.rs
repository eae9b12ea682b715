//! The test that decides: a test runner reports that it fails on the failing side and passes on the passing side.

use crate::details::FailureDetails;
use crate::errors::{ErrorPattern, PatternTerms, as_printed, in_words, read_errors};
use crate::experiment::Verdict;
use crate::runners::{
    CHECKS, GroupState, PrintedText, TestError, TestReport, TestState, is_in_group, read_report,
};
use crate::{Execution, TestEnding};
use howcome_dd::Outcome;
use howcome_run::Because;
use std::collections::BTreeSet;
use std::fmt;

/// A test that a test runner reports by name, and the error with which it fails on the failing side.
#[derive(Clone, Debug)]
pub(crate) struct TargetTest {
    runner: &'static str,
    name: String,
    /// Whether it is a group of tests that cannot be run on the failing side: a file that does not import or compile.
    is_group: bool,
    /// The error; `None` if any error counts.
    error: Option<ErrorPattern>,
    /// The error as the failing side printed it.
    printed: String,
    /// Other tests that fail on the failing side and not on the passing side.
    others: Vec<String>,
    /// All tests that fail on one of the sides, if it matters which tests fail in other runs.
    failing: Option<BTreeSet<String>>,
    /// The fewest tests that ran on one of the sides. A run of fewer tests did not find all of them.
    fewest: Option<u64>,
    /// Whether a run without any report passes if it exits with 0: a script that prints nothing if all is well.
    passes_silently: bool,
    /// The program that make runs right before the first line about the test, if make says which one.
    made_by: Option<String>,
}

/// Why no test decides, although the failing side reports tests that fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoTarget {
    /// The test was not run on the passing side.
    NotRun { test: String, why: String },
    /// All tests that fail on the failing side fail on the passing side, too.
    FailsOnBoth { test: String },
}

/// What became of the target in a run.
enum TargetState<'r> {
    Passed,
    Failed(&'r TestError),
    NotRun(String),
}

impl TargetTest {
    /// Chooses a test that fails on the failing side and passes on the passing side. `None` if no runner reports a failing test.
    ///
    /// # Errors
    /// If tests fail, but none of them ran and passed on the passing side.
    pub(crate) fn choose(
        failing: &Execution,
        passing: Option<&Execution>,
        terms: PatternTerms,
    ) -> Result<Option<Self>, NoTarget> {
        let Some(report) = read_report(&PrintedText::of(failing)) else { return Ok(None) };
        let candidates = candidates(&report);
        let Some((first, ..)) = candidates.first() else { return Ok(None) };
        let other_side = passing.map(|passing| (passing.ending, read_report(&PrintedText::of(passing))));
        let mut not_run = None;
        let mut deciding = Vec::new();
        for (name, is_group, error) in &candidates {
            let target = Self {
                runner: report.runner,
                name: (*name).to_owned(),
                is_group: *is_group,
                error: Some(ErrorPattern::of(error, failing, terms)),
                printed: as_printed(error, failing),
                others: Vec::new(),
                failing: None,
                fewest: None,
                passes_silently: false,
                made_by: run_by_make(failing, name),
            };
            match &other_side {
                // A script that reports tests that pass is not silent if all of them pass.
                None => deciding.push(Self { passes_silently: !report.has_passed(), ..target }),
                Some((ending, None)) if *ending == TestEnding::Exit(0) => {
                    deciding.push(Self { passes_silently: true, ..target });
                }
                Some((_, None)) => {
                    let why = passing.map(why_no_report).unwrap_or_default();
                    not_run.get_or_insert(NoTarget::NotRun { test: target.shown().to_owned(), why });
                }
                Some((_, Some(other))) => match target.state(other) {
                    TargetState::Passed => deciding.push(target),
                    TargetState::Failed(_) => {}
                    TargetState::NotRun(why) => {
                        not_run.get_or_insert(NoTarget::NotRun { test: target.shown().to_owned(), why });
                    }
                },
            }
        }
        // The file of a test that fails is no other test.
        let has_inner =
            |name: &str| deciding.iter().any(|inner| inner.name != name && is_in_group(&inner.name, name));
        let others = deciding.iter().skip(1).map(|target| target.name.clone());
        let others = others.filter(|other| !has_inner(other)).collect();
        let fewest = match &other_side {
            Some((_, Some(other))) => report.ran.min(other.ran).filter(|_| report.ran.is_some()),
            _ => report.ran,
        };
        let failing = (terms == PatternTerms::VaryingProgram).then(|| {
            let passing = other_side.iter().filter_map(|(_, other)| other.as_ref());
            passing.chain([&report]).flat_map(failing_tests).map(str::to_owned).collect()
        });
        match (deciding.into_iter().next(), not_run) {
            (Some(target), _) => Ok(Some(Self { others, failing, fewest, ..target })),
            (None, Some(not_run)) => Err(not_run),
            (None, None) => Err(NoTarget::FailsOnBoth { test: shown(first).to_owned() }),
        }
    }

    /// The same test, whatever its error.
    pub(crate) fn with_any_error(self) -> Self {
        Self { error: None, ..self }
    }

    /// Other tests that fail on the failing side and not on the passing side.
    pub(crate) fn others(&self) -> &[String] {
        &self.others
    }

    /// The details of the failure in a run in which it fails. With others, if it says nothing, which tests fail is one of them.
    pub(crate) fn details(&self, execution: &Execution, with_others: bool) -> Option<FailureDetails> {
        let report = read_report(&PrintedText::of(execution))?;
        match self.state(&report) {
            TargetState::Failed(error) if with_others => {
                let failing = failing_tests(&report).map(str::to_owned).collect();
                Some(FailureDetails::of_error(error).with_failing_tests(error, &failing))
            }
            TargetState::Failed(error) => Some(FailureDetails::of_error(error)),
            TargetState::Passed | TargetState::NotRun(_) => None,
        }
    }

    /// The verdict on a run.
    pub(crate) fn judge(&self, execution: &Execution) -> Verdict {
        let Some(report) = read_report(&PrintedText::of(execution)) else {
            return match execution.ending {
                TestEnding::Exit(0) if make_did_nothing(execution) => {
                    did_not_run("make had nothing to do".to_owned())
                }
                TestEnding::Exit(0) if self.passes_silently => match &self.made_by {
                    Some(program) if !runs(execution, program) => {
                        did_not_run(format!("make did not run {program}"))
                    }
                    _ => Verdict::new(Outcome::Pass, execution),
                },
                // Tests that take longer than usual are run again.
                TestEnding::TimedOut => Verdict::new(Outcome::Unresolved, execution),
                _ => did_not_run(why_no_report(execution)),
            };
        };
        match self.state(&report) {
            // Something that is not in the report went wrong, perhaps before the test was run.
            TargetState::Passed
                if execution.ending != TestEnding::Exit(0) && report.failures().next().is_none() =>
            {
                did_not_run(format!("{}, although no test failed", execution.ending.plain()))
            }
            TargetState::Passed if execution.ending != TestEnding::Exit(0) => {
                let because = Because::OtherThan(format!("{} passes, other tests fail", self.shown()));
                let also = self.newly_failing(&report);
                Verdict { because, also, ..Verdict::new(Outcome::Pass, execution) }
            }
            TargetState::Passed => Verdict::new(Outcome::Pass, execution),
            TargetState::Failed(error) if self.is_same(error, execution) => {
                Verdict::new(Outcome::Fail, execution)
            }
            TargetState::Failed(error) => {
                let why = format!("{} fails with another error: {}", self.shown(), in_words(error));
                unresolved(Because::OtherThan(why))
            }
            TargetState::NotRun(why) => did_not_run(why),
        }
    }

    fn state<'r>(&self, report: &'r TestReport) -> TargetState<'r> {
        if self.is_group {
            return self.group_state(report);
        }
        match report.tests.get(&self.name).or_else(|| self.with_other_details(report)) {
            Some(TestState::Passed) => return TargetState::Passed,
            Some(TestState::Failed(error)) => return TargetState::Failed(error),
            Some(TestState::Skipped) => return TargetState::NotRun("it was skipped".to_owned()),
            None => {}
        }
        match report.group_of(&self.name) {
            Some((_, GroupState::Finished)) if self.too_few(report) => {
                TargetState::NotRun("fewer tests were found".to_owned())
            }
            Some((_, GroupState::Finished)) => TargetState::Passed,
            Some((group, GroupState::Broken(error))) => TargetState::NotRun(in_group(group, error)),
            None => match report.broken().next() {
                Some((group, error)) => TargetState::NotRun(in_group(group, error)),
                None => TargetState::NotRun("it was not found".to_owned()),
            },
        }
    }

    /// The test in the report of a script that adds details to the names of some checks: `FAIL drain (head 2)`, `ok drain`.
    fn with_other_details<'r>(&self, report: &'r TestReport) -> Option<&'r TestState> {
        let adds =
            |long: &str, short: &str| long.strip_prefix(short).is_some_and(|more| more.starts_with(" ("));
        let is_same = |name: &str| adds(name, &self.name) || adds(&self.name, name);
        let mut same = report.tests.iter().filter(|(name, _)| is_same(name)).map(|(_, state)| state);
        let only = same.next();
        only.filter(|_| self.runner == CHECKS && same.next().is_none())
    }

    fn group_state<'r>(&self, report: &'r TestReport) -> TargetState<'r> {
        if let Some(GroupState::Broken(error)) = report.groups.get(&self.name) {
            return TargetState::Failed(error);
        }
        if let Some((group, error)) = report.broken().next() {
            return TargetState::NotRun(in_group(group, error));
        }
        match report.failures().next() {
            Some((test, error)) => TargetState::NotRun(format!("{test} fails: {}", in_words(error))),
            None => TargetState::Passed,
        }
    }

    /// The tests that fail in a run, but on neither side.
    fn newly_failing(&self, report: &TestReport) -> Vec<String> {
        let Some(known) = &self.failing else { return Vec::new() };
        let is_new = |test: &&str| !known.iter().any(|known| known == test || is_in_group(known, test));
        failing_tests(report).filter(is_new).map(str::to_owned).collect()
    }

    fn is_same(&self, error: &TestError, execution: &Execution) -> bool {
        self.error.as_ref().is_none_or(|own| own.matches(error, execution))
    }

    fn too_few(&self, report: &TestReport) -> bool {
        self.fewest.zip(report.ran).is_some_and(|(fewest, ran)| ran < fewest)
    }

    fn shown(&self) -> &str {
        shown(&self.name)
    }
}

/// The name of a test in a message. If no test could be collected, there is none.
fn shown(name: &str) -> &str {
    if name.is_empty() { "the test" } else { name }
}

impl fmt::Display for TargetTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.runner, self.shown())?;
        match &self.error {
            Some(_) if !self.printed.is_empty() => write!(f, ", {}", self.printed),
            _ => Ok(()),
        }
    }
}

/// The tests that fail, the most specific ones first, then the groups that cannot be run: each with its error, and whether it is a group.
fn candidates(report: &TestReport) -> Vec<(&str, bool, &TestError)> {
    let failures: Vec<&str> = report.failures().map(|(name, _)| name).collect();
    // A file that fails because of one of its tests says less than that test.
    let has_inner = |name: &str| failures.iter().any(|other| *other != name && is_in_group(other, name));
    let mut candidates: Vec<(&str, bool, &TestError)> =
        report.failures().map(|(name, error)| (name, false, error)).collect();
    candidates.sort_by_key(|(name, ..)| has_inner(name));
    candidates.extend(report.broken().map(|(name, error)| (name, true, error)));
    candidates
}

/// The tests that fail, and the groups that cannot be run.
fn failing_tests(report: &TestReport) -> impl Iterator<Item = &str> {
    report.failures().chain(report.broken()).map(|(name, _)| name)
}

fn in_group(group: &str, error: &TestError) -> String {
    match group {
        "" => in_words(error),
        group => format!("{group}: {}", in_words(error)),
    }
}

/// Why a run has no report of tests: the first error that it printed, or else its last line.
fn why_no_report(execution: &Execution) -> String {
    let errors = read_errors(&PrintedText::of(execution));
    match (errors.first(), execution.last_lines(1).pop()) {
        (Some(error), _) => match &error.place {
            Some((file, line)) => format!("{file}:{line}: {}", in_words(error)),
            None => in_words(error),
        },
        (None, Some(line)) => format!("no test ran: {}", line.trim()),
        (None, None) => format!("no test ran ({})", execution.ending.plain()),
    }
}

/// Whether make found nothing to run: a version without the rule for its tests passes none of them.
fn make_did_nothing(execution: &Execution) -> bool {
    let printed = PrintedText::of(execution);
    let is_idle = |line: &str| {
        let said = line.strip_prefix("make: ").unwrap_or_default();
        said.starts_with("Nothing to be done for ") || said.ends_with(" is up to date.")
    };
    let mut lines = printed.lines().filter(|line| !line.trim().is_empty());
    lines.next().is_some_and(is_idle) && lines.next().is_none()
}

/// The first word of the last line before a test is mentioned, in a run in which make reports an error. Make prints each command before it
/// runs it, so this is the program that tests.
fn run_by_make(failing: &Execution, test: &str) -> Option<String> {
    let printed = PrintedText::of(failing);
    let is_error = |line: &str| line.starts_with("make: *** ");
    if test.is_empty() || !printed.lines().any(is_error) {
        return None;
    }
    let before = printed.lines().take_while(|line| !line.contains(test));
    let last = before.filter(|line| !line.trim().is_empty()).last()?;
    last.split_whitespace().next().map(str::to_owned)
}

/// Whether a line of the output begins with this program.
fn runs(execution: &Execution, program: &str) -> bool {
    let printed = PrintedText::of(execution);
    printed.lines().any(|line| line.split_whitespace().next() == Some(program))
}

fn did_not_run(why: String) -> Verdict {
    unresolved(Because::DidNotRun(why))
}

fn unresolved(because: Because) -> Verdict {
    Verdict { outcome: Outcome::Unresolved, because, also: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Captured;

    fn printing(code: i32, stdout: &str, stderr: &str) -> Execution {
        let execution = Execution::new(TestEnding::Exit(code));
        Execution { stdout: Captured::whole(stdout), stderr: Captured::whole(stderr), ..execution }
    }

    fn outcome(failing: &Execution, other: &Execution) -> Outcome {
        let target = TargetTest::choose(failing, None, PatternTerms::VaryingProgram).unwrap().unwrap();
        target.judge(other).outcome
    }

    #[test]
    fn a_silent_run_passes_only_if_make_has_run_the_test() {
        let failing = "cc -O -o dump dump.c\ntests/run\nFAIL tests/short\n1c1\n< a\n---\n> b\n";
        let failing = printing(2, failing, "make: *** [Makefile:7: check] Error 1\n");
        let built_only = printing(0, "cc -O2 -o dump dump.c\n", "");
        assert_eq!(outcome(&failing, &built_only), Outcome::Unresolved);
        let ran = printing(0, "cc -O2 -o dump dump.c\ntests/run\n", "");
        assert_eq!(outcome(&failing, &ran), Outcome::Pass);
    }

    #[test]
    fn a_script_that_reports_passing_tests_does_not_pass_silently() {
        let failing = printing(1, "PASS tests/long\nFAIL tests/short\n", "");
        assert_eq!(outcome(&failing, &printing(0, "", "")), Outcome::Unresolved);
        assert_eq!(outcome(&failing, &printing(0, "PASS tests/long\nPASS tests/short\n", "")), Outcome::Pass);
        let silent = printing(1, "FAIL tests/short\n", "");
        assert_eq!(outcome(&silent, &printing(0, "", "")), Outcome::Pass);
    }
}
