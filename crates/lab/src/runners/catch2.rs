//! The output of Catch2, versions 2 and 3.

use super::line_pattern::LinePattern;
use super::outer_runner::is_of_outer_runner;
use super::{GroupState, PrintedText, TestError, TestReport, TestState};
use std::collections::BTreeSet;
use std::mem;

/// Reads the output of the console reporter. It names the tests that fail.
pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    if is_of_outer_runner(printed) {
        return None;
    }
    let lines: Vec<&str> = printed.stdout.iter().map(String::as_str).collect();
    let mut reading = Catch2Reading::default();
    for at in 0..lines.len() {
        reading.read_line(&lines[at..])?;
    }
    reading.finish()
}

/// What is known after some lines.
#[derive(Default)]
struct Catch2Reading {
    report: TestReport,
    header: TestHeader,
    /// The tests of this program that failed.
    failed: BTreeSet<String>,
    /// Why no test ran.
    nothing_matched: Option<String>,
    /// The program was ended by a signal, so the tests after that did not run.
    crashed: bool,
    is_before_summary: bool,
    is_finished: bool,
}

/// The name of a test between two rules, and after it what the test did.
#[derive(Default)]
enum TestHeader {
    #[default]
    None,
    Open(Vec<String>),
    Closed(String),
}

impl Catch2Reading {
    /// Reads the first of these lines. `None` if it contradicts the lines before it.
    fn read_line(&mut self, lines: &[&str]) -> Option<()> {
        let line = *lines.first()?;
        if is_rule(line, '-') {
            self.is_finished = false;
            self.header = match mem::take(&mut self.header) {
                TestHeader::Open(name) => TestHeader::Closed(name.join(" ")),
                TestHeader::None | TestHeader::Closed(_) => TestHeader::Open(Vec::new()),
            };
        } else if is_rule(line, '=') {
            self.is_before_summary = true;
        } else if self.is_before_summary {
            self.is_before_summary = false;
            self.read_summary(line, lines.get(1).copied().unwrap_or_default())?;
        } else if let TestHeader::Open(name) = &mut self.header {
            // The names of sections are indented.
            if !line.starts_with(' ') {
                name.push(line.trim_end().to_owned());
            }
        } else if let TestHeader::Closed(name) = &self.header {
            if let Some(error) = read_failure(lines) {
                self.crashed |= error.kind.starts_with("SIG");
                self.failed.insert(name.clone());
                let known = self.report.tests.entry(name.clone()).or_insert(TestState::Skipped);
                if !matches!(known, TestState::Failed(_)) {
                    *known = TestState::Failed(error);
                }
            } else if line.ends_with(": SKIPPED:") {
                self.report.tests.entry(name.clone()).or_insert(TestState::Skipped);
            }
        } else if line.starts_with("No test cases matched ") {
            self.nothing_matched = Some(line.to_owned());
        }
        Some(())
    }

    fn read_summary(&mut self, line: &str, next: &str) -> Option<()> {
        static PASSED: LinePattern = LinePattern::new(
            "All tests passed",
            r"^All tests passed \(\d+ assertions? in (\d+) test cases?\)$",
        );
        static COUNTS: LinePattern = LinePattern::new(
            "test cases:",
            r"^test cases: +(\d+)(?: \| +(\d+) passed)?(?: \| +(\d+) failed)?(?: \| +(\d+) skipped)?$",
        );
        let failed = mem::take(&mut self.failed).len() as u64;
        self.header = TestHeader::None;
        let (ran, skipped) = if line == "No tests ran" {
            (0, 0)
        } else if let Some(passed) = PASSED.captures(line) {
            (passed[1].parse().ok()?, 0)
        } else {
            let counts = COUNTS.captures(line).filter(|_| next.starts_with("assertions:"))?;
            let count = |group: usize| counts.get(group).map_or(Some(0), |count| count.as_str().parse().ok());
            if count(3) != Some(failed) {
                return None;
            }
            let skipped: u64 = count(4)?;
            (count(1)?.checked_sub(skipped)?, skipped)
        };
        self.report.ran = Some(self.report.ran.unwrap_or_default() + ran);
        self.report.skipped = Some(self.report.skipped.unwrap_or_default() + skipped);
        self.is_finished = true;
        Some(())
    }

    fn finish(mut self) -> Option<TestReport> {
        if !self.is_finished || self.is_before_summary || !self.failed.is_empty() {
            return None;
        }
        if self.report.ran == Some(0) && self.report.skipped == Some(0) {
            let message = self.nothing_matched.unwrap_or_else(|| "No tests ran".to_owned());
            let error = TestError { message, ..TestError::default() };
            self.report.groups.insert(String::new(), GroupState::Broken(error));
        } else if !self.crashed {
            self.report.groups.insert(String::new(), GroupState::Finished);
        }
        Some(self.report)
    }
}

/// Whether a line is a rule of this character across the console.
fn is_rule(line: &str, character: char) -> bool {
    line.len() == 79 && line.chars().all(|other| other == character)
}

/// The failure that begins on the first of these lines: the place, the assertion, and its values or the exception.
pub(super) fn read_failure(lines: &[&str]) -> Option<TestError> {
    let (path, line) = lines.first()?.strip_suffix(": FAILED:")?.rsplit_once(':')?;
    let place = Some((path.to_owned(), line.parse().ok()?));
    let mut error = TestError { kind: "assertion".to_owned(), place, ..TestError::default() };
    let block = lines[1..].iter().take_while(|line| !line.is_empty()).take(100);
    // The assertion comes first, without a title.
    let mut title = "";
    for line in block {
        if !line.starts_with("  ") {
            title = line;
            if title.starts_with("due to unexpected exception") {
                error.kind = "exception".to_owned();
            } else if title.starts_with("because ") {
                error.message = title.trim_end_matches(':').to_owned();
            }
        } else if title.is_empty() {
            append(error.line.get_or_insert_default(), line.trim());
        } else if title == "due to a fatal error condition:" {
            let (signal, message) = line.trim().split_once(" - ").unwrap_or((line.trim(), ""));
            (error.kind, error.message) = (signal.to_owned(), message.to_owned());
        } else if !title.starts_with("with message") {
            append(&mut error.message, line.trim());
        }
    }
    Some(error)
}

fn append(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}
