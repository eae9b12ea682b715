//! The output of `ctest`, with or without `--output-on-failure` or `-V`.

use super::program_error::find_error;
use super::{GroupState, PrintedText, TestError, TestReport, TestState};
use std::collections::BTreeMap;

/// Reads the output of `ctest`. It names all tests, so a test that is not named did not run.
pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let mut reading = CtestReading::default();
    let lines = printed.lines().skip_while(|line| !line.starts_with("Test project ")).skip(1);
    lines.for_each(|line| reading.read_line(line));
    reading.finish()
}

/// What is known after some lines.
#[derive(Default)]
struct CtestReading<'a> {
    /// The tests by their numbers. Two tests can have the same name.
    tests: BTreeMap<u32, StartedTest<'a>>,
    /// The test whose output follows.
    current: Option<u32>,
    /// The line which says that the program of the next test is missing.
    not_found: Option<&'a str>,
    is_verbose: bool,
    /// How many tests failed, as the summary says.
    failures: Option<usize>,
    has_total_time: bool,
    is_in_list_of_failures: bool,
    has_no_tests: bool,
}

struct StartedTest<'a> {
    name: &'a str,
    /// What comes after the dots: `Passed`, `***Failed`.
    result: Option<&'a str>,
    /// How the list at the end calls the failure: `SEGFAULT`, `Failed`.
    failure: Option<&'a str>,
    output: Vec<&'a str>,
    /// Why it was not run.
    reason: Option<&'a str>,
}

impl<'a> CtestReading<'a> {
    fn read_line(&mut self, line: &'a str) {
        if self.failures.is_some() {
            self.read_summary(line);
        } else if let Some((number, name)) = started(line) {
            let test = StartedTest { name, result: None, failure: None, output: Vec::new(), reason: None };
            // A repeated test starts again; what it printed before does not count.
            self.tests.insert(number, test);
            self.current = None;
        } else if let Some((number, result)) = self.result(line) {
            self.current = Some(number).filter(|_| !self.is_verbose);
            if let Some(test) = self.tests.get_mut(&number) {
                test.result = Some(result);
                test.reason = self.not_found.take();
            }
        } else if let Some(failures) = failures_in_summary(line) {
            self.failures = Some(failures);
            self.current = None;
        } else if line.starts_with("Could not find executable ") && self.current.is_none() {
            self.not_found = Some(line);
        } else if line == "No tests were found!!!" {
            self.has_no_tests = true;
        } else if let Some((number, text)) = self.verbose_output(line) {
            if let Some(test) = self.tests.get_mut(&number) {
                test.output.push(text);
            }
        } else if let Some(test) = self.current.and_then(|number| self.tests.get_mut(&number)) {
            test.output.push(line);
        }
    }

    /// ` 1/15 Test  #1: total ........***Failed    0.01 sec`. The name is known, so it can contain anything.
    fn result(&self, line: &'a str) -> Option<(u32, &'a str)> {
        let (before, after) = line.split_once("Test ")?;
        let is_counter = |character: char| character.is_ascii_digit() || matches!(character, '/' | ' ');
        let (number, rest) = after.trim_start().strip_prefix('#')?.split_once(": ")?;
        let number = number.parse().ok()?;
        let name = self.tests.get(&number)?.name;
        let result = rest.strip_prefix(name)?.strip_prefix(' ')?;
        let is_result = before.chars().all(is_counter) && result.starts_with('.');
        is_result.then(|| (number, result.trim_start_matches('.').trim()))
    }

    /// `1: text`, as printed with `-V` before the result.
    fn verbose_output(&mut self, line: &'a str) -> Option<(u32, &'a str)> {
        let (number, text) = line.split_once(": ").or_else(|| Some((line.strip_suffix(':')?, "")))?;
        let number = number.parse().ok()?;
        self.is_verbose |= text.starts_with("Test command: ");
        self.is_verbose.then_some((number, text))
    }

    fn read_summary(&mut self, line: &'a str) {
        self.has_total_time |= line.starts_with("Total Test time (real) =");
        if line == "The following tests FAILED:" {
            self.is_in_list_of_failures = true;
        } else if self.is_in_list_of_failures
            && let Some((number, rest)) = line.trim_start().split_once(" - ")
            && let Some(test) = number.parse().ok().and_then(|number| self.tests.get_mut(&number))
            && let Some(failure) = rest.strip_prefix(test.name).and_then(|rest| rest.strip_prefix(" ("))
        {
            test.failure = failure.split_once(')').map(|(failure, _)| failure);
        }
    }

    fn finish(self) -> Option<TestReport> {
        if self.has_no_tests && self.tests.is_empty() {
            let error = TestError { message: "No tests were found".to_owned(), ..TestError::default() };
            let groups = BTreeMap::from([(String::new(), GroupState::Broken(error))]);
            return Some(TestReport { groups, ran: Some(0), skipped: Some(0), ..TestReport::default() });
        }
        let listed = self.tests.values().filter(|test| test.failure.is_some()).count();
        if self.failures != Some(listed) || !self.has_total_time || self.tests.is_empty() {
            return None;
        }
        let mut report = TestReport { ran: Some(0), skipped: Some(0), ..TestReport::default() };
        for test in self.tests.values() {
            let state = test.state()?;
            let is_skipped = state == TestState::Skipped;
            report.skipped = report.skipped.map(|skipped| skipped + u64::from(is_skipped));
            let did_run = state != TestState::Skipped && test.failure != Some("Not Run");
            report.ran = report.ran.map(|ran| ran + u64::from(did_run));
            // If two tests have the same name, the one that failed counts.
            let known = report.tests.entry(test.name.to_owned()).or_insert_with(|| state.clone());
            if !matches!(known, TestState::Failed(_)) {
                *known = state;
            }
        }
        Some(report)
    }
}

impl StartedTest<'_> {
    /// What became of it; `None` if the result and the list of failures disagree.
    fn state(&self) -> Option<TestState> {
        let result = self.result?;
        match self.failure {
            Some(failure) if result.contains("***") => Some(TestState::Failed(self.error(failure))),
            None if result.starts_with("Passed ") => Some(TestState::Passed),
            None if result.starts_with("***Skipped") || result.starts_with("***Not Run (") => {
                Some(TestState::Skipped)
            }
            _ => None,
        }
    }

    fn error(&self, failure: &str) -> TestError {
        // A test that was ended by a signal other than that of `abort` did not report its failure itself.
        let is_reported_by_the_test = failure == "Failed" || failure.ends_with("aborted");
        let printed = is_reported_by_the_test.then(|| find_error(&self.output)).flatten();
        printed.unwrap_or_else(|| TestError {
            kind: failure.to_owned(),
            message: self.reason.or(self.result.and_then(reason)).unwrap_or_default().to_owned(),
            ..TestError::default()
        })
    }
}

/// `      Start  1: total`
fn started(line: &str) -> Option<(u32, &str)> {
    let (number, name) = line.trim_start().strip_prefix("Start ")?.trim_start().split_once(": ")?;
    Some((number.parse().ok()?, name))
}

/// `14% tests passed, 12 tests failed out of 14`
fn failures_in_summary(line: &str) -> Option<usize> {
    let (_, rest) = line.split_once("% tests passed, ")?;
    rest.split_once(" tests failed out of ")?.0.parse().ok()
}

/// The reason in `***Failed  Required regular expression not found. Regex=[expected`.
fn reason(result: &str) -> Option<&str> {
    let reason = result.strip_prefix("***Failed")?.trim();
    Some(reason.trim_end_matches(" sec")).filter(|reason| reason.contains(". "))
}
