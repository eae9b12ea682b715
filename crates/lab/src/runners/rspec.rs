//! The output of RSpec.

use super::line_pattern::LinePattern;
use super::ruby_error::read_call;
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

/// How many lines of a message are read.
const LONGEST_MESSAGE: usize = 8;

/// Reads the output of one run. It names the examples that fail or are pending.
pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.stdout.iter().map(String::as_str).collect();
    let mut reading = RspecReading::default();
    for at in 0..lines.len() {
        reading.read_line(&lines[at..]);
    }
    reading.finish()
}

/// Which part of the output is read.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum RspecSection {
    #[default]
    Progress,
    Pending,
    Failures,
    Summary,
    FailedExamples,
}

/// What is known after some lines.
#[derive(Default)]
struct RspecReading {
    report: TestReport,
    section: RspecSection,
    /// The failures in their order. Their names come at the end, without what is added to them here.
    failures: Vec<TestError>,
    /// The names of the examples that failed.
    failed: Vec<String>,
    pending: u64,
    /// Whether the last example that was run failed, after which RSpec can have stopped.
    ends_with_failure: bool,
    /// Errors outside of examples: while a file was loaded, and in hooks.
    errors: Vec<(Option<String>, TestError)>,
    counts: Option<[u64; 4]>,
}

impl RspecReading {
    /// Reads the first of these lines.
    fn read_line(&mut self, lines: &[&str]) {
        static COUNTS: LinePattern = LinePattern::new(
            " example",
            r"^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?$",
        );
        static ITEM: LinePattern = LinePattern::new(") ", r"^  (\d+)\) (.+)$");
        static FAILED: LinePattern = LinePattern::new("rspec ", r"^rspec \S+ # (.+)$");
        let Some(line) = lines.first().copied() else { return };
        if line.starts_with("Pending: (Failures listed here ") {
            self.section = RspecSection::Pending;
        } else if line == "Failures:" {
            self.section = RspecSection::Failures;
        } else if line.starts_with("Finished in ") && line.contains(" seconds (files took ") {
            self.section = RspecSection::Summary;
        } else if line == "Failed examples:" && self.section == RspecSection::Summary {
            self.section = RspecSection::FailedExamples;
        } else if self.section == RspecSection::Summary
            && let Some(counts) = COUNTS.captures(line)
        {
            let count =
                |group: usize| counts.get(group).map_or(0, |count| count.as_str().parse().unwrap_or(0));
            self.counts = Some([count(1), count(2), count(3), count(4)]);
        } else if line.starts_with("An error occurred ") && self.section == RspecSection::Progress {
            let file = line.strip_prefix("An error occurred while loading ");
            let file = file.and_then(|file| file.split_once(".rb").map(|(file, _)| format!("{file}.rb")));
            // The names of similar files can come first.
            let begin = lines.iter().take(20).position(|line| line.starts_with("Failure/Error:"));
            self.errors.push((file, read_failure(&lines[begin.unwrap_or(1)..])));
        } else if self.section == RspecSection::Progress {
            if !line.trim().is_empty() {
                self.ends_with_failure = line.ends_with('F') || line.contains("(FAILED - ");
            }
        } else if let Some(item) = ITEM.captures(line) {
            if self.section == RspecSection::Failures && item[1].parse() == Ok(self.failures.len() + 1) {
                self.failures.push(read_failure(&lines[1..]));
            } else if self.section == RspecSection::Pending && item[1].parse() == Ok(self.pending + 1) {
                self.pending += 1;
                self.report.tests.insert(item[2].to_owned(), TestState::Skipped);
            }
        } else if self.section == RspecSection::FailedExamples
            && let Some(failed) = FAILED.captures(line)
        {
            self.failed.push(failed[1].to_owned());
        }
    }

    fn finish(mut self) -> Option<TestReport> {
        let [examples, failures, pending, errors] = self.counts?;
        let is_consistent = self.failures.len() as u64 == failures
            && self.failed.len() as u64 == failures
            && self.pending == pending
            && self.errors.len() as u64 == errors;
        if !is_consistent {
            return None;
        }
        for (name, error) in self.failed.into_iter().zip(self.failures) {
            self.report.tests.insert(name, TestState::Failed(error));
        }
        self.report.ran = Some(examples.checked_sub(pending)?);
        self.report.skipped = Some(pending);
        for (file, error) in self.errors {
            self.report.groups.entry(String::new()).or_insert_with(|| GroupState::Broken(error.clone()));
            if let Some(file) = file {
                self.report.groups.insert(file, GroupState::Broken(error));
            }
        }
        if examples == 0 {
            let error = TestError { message: "0 examples".to_owned(), ..TestError::default() };
            self.report.groups.entry(String::new()).or_insert(GroupState::Broken(error));
        } else if errors == 0 && !self.ends_with_failure {
            // With `--fail-fast` the last example is the one that failed, and nothing says that others were not run.
            self.report.groups.insert(String::new(), GroupState::Finished);
        }
        Some(self.report)
    }
}

/// Reads what comes after the name of an example that failed: the failing line, the exception or what was expected, and the calls.
fn read_failure(lines: &[&str]) -> TestError {
    let mut error = TestError { kind: "assertion".to_owned(), ..TestError::default() };
    let mut texts = lines.iter().take(60).map(|line| line.trim()).peekable();
    while texts.next_if(|text| text.is_empty() || text.starts_with("Got ")).is_some() {}
    let first = texts.peek().copied().unwrap_or_default();
    if let Some((_, shown)) = first.split_once("Failure/Error:") {
        texts.next();
        let mut shown = shown.trim().to_owned();
        // An expression of several lines begins below.
        while let Some(more) = texts.next_if(|text| !text.is_empty()) {
            shown = format!("{shown} {more}").trim().to_owned();
        }
        error.line = Some(shown);
    }
    let mut message: Vec<&str> = Vec::new();
    for text in texts {
        if let Some(call) = text.strip_prefix("# ") {
            // If all calls are in libraries, none of them tells anything about the project.
            if let Some((function, place)) = read_call(call).filter(|(_, (path, _))| !path.contains("/gems/"))
            {
                error.function = function;
                error.place = Some(place);
            }
            break;
        }
        let kind = text.strip_suffix(':').filter(|kind| message.is_empty() && is_type(kind));
        if let Some(kind) = kind {
            error.kind = kind.to_owned();
        } else if !text.is_empty() && text != "(compared using ==)" && message.len() < LONGEST_MESSAGE {
            message.push(text);
        }
    }
    error.message = message.join(" ");
    error
}

/// Whether a text is the name of a class: `ActiveRecord::RecordNotFound`.
fn is_type(text: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_uppercase())
            && part.chars().all(|character| character.is_alphanumeric() || character == '_')
    };
    text != "Diff" && text.split("::").all(is_part)
}
