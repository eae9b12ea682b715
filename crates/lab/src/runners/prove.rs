//! The output of `prove`, which runs Perl tests and everything else that prints TAP.

use super::line_pattern::LinePattern;
use super::test_more::{PerlDiagnostics, read_diagnostics};
use super::{GroupState, PrintedText, TestError, TestReport, TestState};
use std::collections::BTreeMap;

/// Reads the output of `prove`.
///
/// A test is a file, and each assertion in it that failed is a test too: `t/cart.t: test 2`. Assertions are numbered, because their
/// names are not always printed.
pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let mut reading = ProveReading::default();
    for line in &printed.stdout {
        reading.read_line(line)?;
    }
    if reading.result? == "NOTESTS" {
        return Some(without_tests(printed));
    }
    reading.report(&read_diagnostics(printed.lines()))
}

fn without_tests(printed: &PrintedText) -> TestReport {
    let reason = printed.stderr.iter().find(|line| line.starts_with("Cannot detect source of "));
    let reason = reason.and_then(|line| line.split_once('!')).map_or("no tests", |(reason, _)| reason);
    let error = TestError { message: reason.to_owned(), ..TestError::default() };
    let groups = BTreeMap::from([(String::new(), GroupState::Broken(error))]);
    TestReport { groups, ran: Some(0), ..TestReport::default() }
}

/// What is known after some lines.
#[derive(Default)]
struct ProveReading<'a> {
    files: BTreeMap<&'a str, TestFileState>,
    /// The file whose result is still missing.
    current: Option<&'a str>,
    is_in_summary: bool,
    /// The file that the lines of the summary are about.
    summarised: Option<&'a str>,
    /// The numbers of files and of tests.
    counts: Option<(usize, u64)>,
    result: Option<&'a str>,
}

enum TestFileState {
    Pending,
    Passed,
    Skipped,
    Failed(FailedTestFile),
}

/// What the summary says about a file.
#[derive(Default)]
struct FailedTestFile {
    exit_code: u32,
    signal: Option<String>,
    tests: u64,
    failures: usize,
    /// The numbers of the tests that failed.
    failed: Vec<u64>,
    /// The program did not print valid TAP, usually because it ended too early.
    parse_error: Option<String>,
}

impl<'a> ProveReading<'a> {
    /// Reads a line. `None` if it contradicts the lines before it.
    fn read_line(&mut self, line: &'a str) -> Option<()> {
        static FILE: LinePattern = LinePattern::new(
            " ..",
            r"^(?:\[\d\d:\d\d:\d\d\] )?(\S.*?) \.\.+ (?:(ok)(?: +\d+ m?s\b.*)?|(skipped.*))?$",
        );
        static COUNTS: LinePattern = LinePattern::new("Files=", r"^Files=(\d+), Tests=(\d+), ");
        if self.result.is_some() {
            return Some(());
        }
        if let Some(result) = line.strip_prefix("Result: ").filter(|_| self.counts.is_some()) {
            self.result = ["PASS", "FAIL", "NOTESTS"].into_iter().find(|known| *known == result);
        } else if let Some(counts) = COUNTS.captures(line) {
            self.counts = Some((counts[1].parse().ok()?, counts[2].parse().ok()?));
        } else if line == "Test Summary Report" {
            self.is_in_summary = true;
        } else if self.is_in_summary {
            self.read_summary(line)?;
        } else if let Some(file) = FILE.captures(line) {
            let name = file.get(1)?.as_str();
            let state = match (file.get(2), file.get(3)) {
                (Some(_), _) => TestFileState::Passed,
                (_, Some(_)) => TestFileState::Skipped,
                _ => TestFileState::Pending,
            };
            self.current = Some(name).filter(|_| matches!(state, TestFileState::Pending));
            self.files.insert(name, state);
        } else if line == "ok" {
            // With `-v`, the result comes after what the test printed.
            if let Some(name) = self.current.take() {
                self.files.insert(name, TestFileState::Passed);
            }
        }
        Some(())
    }

    fn read_summary(&mut self, line: &'a str) -> Option<()> {
        static FILE: LinePattern = LinePattern::new(
            "(Wstat: ",
            r"^(\S.*?) +\(Wstat: (\d+)(?: \((?:exited \d+|Signal: (\w+).*?)\))? Tests: (\d+) Failed: (\d+)\)$",
        );
        if let Some(file) = FILE.captures(line) {
            let wait_status: u32 = file[2].parse().ok()?;
            let signal = (wait_status & 127 != 0).then(|| match file.get(3) {
                Some(name) => format!("SIG{}", name.as_str()),
                None => format!("signal {}", wait_status & 127),
            });
            let name = file.get(1)?.as_str();
            let failed = FailedTestFile {
                exit_code: wait_status >> 8,
                signal,
                tests: file[4].parse().ok()?,
                failures: file[5].parse().ok()?,
                ..FailedTestFile::default()
            };
            self.summarised = Some(name);
            // A file is also summarised because of what it skipped or has to do.
            let is_failure = failed.failures > 0 || wait_status != 0;
            let state = self.files.get_mut(name)?;
            if is_failure || matches!(state, TestFileState::Pending) {
                *state = TestFileState::Failed(failed);
            }
        } else if let Some(TestFileState::Failed(file)) =
            self.summarised.and_then(|name| self.files.get_mut(name))
        {
            let text = line.trim_start();
            if let Some(error) = text.strip_prefix("Parse errors: ") {
                file.parse_error = Some(error.trim().to_owned());
            } else if let Some((_, numbers)) =
                text.split_once(':').filter(|_| text.starts_with("Failed test"))
            {
                file.failed.extend(numbers_in(numbers)?);
            } else if text.starts_with(|first: char| first.is_ascii_digit())
                && file.failed.len() < file.failures
            {
                // A long list goes on in the next line.
                file.failed.extend(numbers_in(text)?);
            }
        }
        Some(())
    }

    fn report(self, diagnostics: &PerlDiagnostics) -> Option<TestReport> {
        let (files, tests) = self.counts?;
        let has_failures = self.files.values().any(|file| matches!(file, TestFileState::Failed(_)));
        if files != self.files.len() || has_failures != (self.result == Some("FAIL")) {
            return None;
        }
        let mut report = TestReport { ran: Some(tests), ..TestReport::default() };
        let failed_files = self.files.values().filter_map(|file| match file {
            TestFileState::Failed(file) => Some((file.exit_code, file.tests)),
            TestFileState::Pending | TestFileState::Passed | TestFileState::Skipped => None,
        });
        let endings: Vec<(u32, u64)> = failed_files.collect();
        for (name, file) in &self.files {
            match file {
                TestFileState::Pending => return None,
                TestFileState::Passed => {
                    report.tests.insert((*name).to_owned(), TestState::Passed);
                    report.groups.insert((*name).to_owned(), GroupState::Finished);
                }
                TestFileState::Skipped => {
                    report.tests.insert((*name).to_owned(), TestState::Skipped);
                }
                TestFileState::Failed(file) => {
                    let is_unique =
                        endings.iter().filter(|ending| **ending == (file.exit_code, file.tests)).count() == 1;
                    file.add_to(&mut report, name, diagnostics, is_unique)?;
                }
            }
        }
        Some(report)
    }
}

impl FailedTestFile {
    /// Adds the file and its tests that failed. `is_unique`: no other file ended with this exit code after as many tests.
    fn add_to(
        &self,
        report: &mut TestReport,
        name: &str,
        diagnostics: &PerlDiagnostics,
        is_unique: bool,
    ) -> Option<()> {
        if self.failed.len() != self.failures {
            return None;
        }
        let is_here = |error: &&TestError| error.place.as_ref().is_some_and(|(path, _)| path == name);
        let said: Vec<&TestError> = diagnostics.assertions.iter().filter(is_here).collect();
        let unknown = TestError { kind: "assertion".to_owned(), ..TestError::default() };
        // If something else was printed too, it is unknown which message belongs to which test.
        let error_of = |at: usize| if said.len() == self.failed.len() { said[at] } else { &unknown };
        for (at, number) in self.failed.iter().enumerate() {
            report.tests.insert(format!("{name}: test {number}"), TestState::Failed(error_of(at).clone()));
        }
        // Test::More exits with the number of failures.
        let is_complete = self.signal.is_none()
            && self.parse_error.is_none()
            && self.failures > 0
            && (self.exit_code == 0 || self.exit_code as usize == self.failures.min(254));
        if is_complete {
            report.groups.insert(name.to_owned(), GroupState::Finished);
            report.tests.insert(name.to_owned(), TestState::Failed(error_of(0).clone()));
            return Some(());
        }
        let mut deaths = diagnostics.deaths.iter().filter(|death| {
            let is_same_ending = (death.exit_code, death.tests) == (self.exit_code, self.tests);
            is_same_ending && (is_unique || is_here(&&death.error))
        });
        let error = match deaths.next().filter(|_| self.signal.is_none()) {
            Some(death) if !death.error.kind.is_empty() => death.error.clone(),
            _ => TestError {
                kind: self.ending(),
                message: self.parse_error.clone().unwrap_or_default(),
                ..TestError::default()
            },
        };
        if self.tests == 0 && self.signal.is_none() {
            report.groups.insert(name.to_owned(), GroupState::Broken(error));
        } else {
            report.tests.insert(name.to_owned(), TestState::Failed(error));
        }
        Some(())
    }

    /// How the program ended, if it did not say why.
    fn ending(&self) -> String {
        match &self.signal {
            Some(signal) => signal.clone(),
            None if self.exit_code != 0 => format!("exit code {}", self.exit_code),
            None => "invalid TAP".to_owned(),
        }
    }
}

/// `1, 3-4`. `None` if it is not a list of numbers.
fn numbers_in(text: &str) -> Option<Vec<u64>> {
    const MOST: u64 = 1_000_000;
    let mut numbers = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        if last.checked_sub(first)? > MOST {
            return None;
        }
        numbers.extend(first..=last);
    }
    Some(numbers)
}
