//! The output of PHPUnit.

use super::line_pattern::LinePattern;
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

/// How many lines of a message are read.
const LONGEST_MESSAGE: usize = 8;

/// Reads the output of one run. It names the tests that fail.
pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.stdout.iter().map(String::as_str).collect();
    let begin = lines
        .iter()
        .position(|line| line.starts_with("PHPUnit ") && line.contains(" by Sebastian Bergmann"))?;
    let mut reading = PhpunitReading::default();
    for at in begin + 1..lines.len() {
        reading.read_line(&lines[at..])?;
    }
    reading.finish()
}

/// What the tests in a list have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PhpunitList {
    Error,
    Failure,
    Skipped,
    Other,
}

/// What is known after some lines.
#[derive(Default)]
struct PhpunitReading {
    report: TestReport,
    list: Option<PhpunitList>,
    /// The number of the last item of the list.
    items: u64,
    failures: u64,
    /// Tests that could not be made, such as a class without tests.
    warning: Option<String>,
    without_tests: u64,
    has_run_all: bool,
    /// The result is known, and its counts follow.
    is_before_counts: bool,
    is_finished: bool,
}

impl PhpunitReading {
    /// Reads the first of these lines. `None` if it contradicts the lines before it.
    fn read_line(&mut self, lines: &[&str]) -> Option<()> {
        static PROGRESS: LinePattern = LinePattern::new("(100%)", r" (\d+) / (\d+) \(100%\)$");
        static LIST: LinePattern = LinePattern::new("There w", r"^There (?:was|were) \d+ (.+?):$");
        static ITEM: LinePattern = LinePattern::new(") ", r"^(\d+)\) (.+)$");
        static PASSED: LinePattern = LinePattern::new("OK (", r"^OK \((\d+) tests?, \d+ assertions?\)$");
        let line = lines.first()?;
        if self.is_finished {
            return Some(());
        }
        if let Some(progress) = PROGRESS.captures(line) {
            self.has_run_all = progress[1] == progress[2];
        } else if let Some(list) = LIST.captures(line) {
            self.items = 0;
            self.list = Some(match &list[1] {
                "error" | "errors" => PhpunitList::Error,
                "failure" | "failures" => PhpunitList::Failure,
                "skipped test" | "skipped tests" | "incomplete test" | "incomplete tests" => {
                    PhpunitList::Skipped
                }
                _ => PhpunitList::Other,
            });
        } else if let Some(passed) = PASSED.captures(line) {
            self.report.ran = passed[1].parse().ok();
            self.report.skipped = Some(0);
            (self.is_finished, self.has_run_all) = (true, true);
        } else if matches!(*line, "ERRORS!" | "FAILURES!" | "WARNINGS!") || line.starts_with("OK, but ") {
            self.is_before_counts = true;
        } else if self.is_before_counts {
            self.is_before_counts = false;
            self.read_counts(line)?;
        } else if let Some(kind) = self.list {
            if let Some(item) = ITEM.captures(line).filter(|item| item[1].parse() == Ok(self.items + 1)) {
                self.items += 1;
                self.add_item(kind, &item[2], &lines[1..]);
            }
        } else if *line == "No tests executed!" || line.starts_with("Cannot open file ") {
            let error = TestError { message: (*line).to_owned(), ..TestError::default() };
            self.report.groups.insert(String::new(), GroupState::Broken(error));
            self.report.ran = Some(0);
            self.is_finished = true;
        }
        Some(())
    }

    fn add_item(&mut self, kind: PhpunitList, item: &str, lines: &[&str]) {
        static NAME: LinePattern =
            LinePattern::new("::", r#"^([\w\\]+::\w+(?: with data set (?:#\d+|".*?"))?)"#);
        let name = NAME.captures(item).map_or(item.to_owned(), |name| name[1].to_owned());
        let state = match kind {
            PhpunitList::Error | PhpunitList::Failure => {
                self.failures += 1;
                TestState::Failed(read_failure(kind, lines))
            }
            PhpunitList::Skipped => TestState::Skipped,
            PhpunitList::Other => {
                if !item.contains("::") {
                    self.without_tests += 1;
                    self.warning = lines.first().map(|line| (*line).to_owned());
                }
                return;
            }
        };
        self.report.tests.insert(name, state);
    }

    /// `Tests: 17, Assertions: 10, Errors: 3, Failures: 6, Skipped: 2.`
    fn read_counts(&mut self, line: &str) -> Option<()> {
        let counts = line.strip_suffix('.')?.split(", ").map(|count| count.split_once(": "));
        let counts: Vec<(&str, u64)> =
            counts.map(|count| Some((count?.0, count?.1.parse().ok()?))).collect::<Option<_>>()?;
        let count =
            |wanted: &str| counts.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, count)| *count);
        if counts.first()?.0 != "Tests" || count("Errors") + count("Failures") != self.failures {
            return None;
        }
        let skipped = count("Skipped") + count("Incomplete");
        self.report.skipped = Some(skipped);
        self.report.ran = Some(count("Tests").checked_sub(skipped + self.without_tests)?);
        self.is_finished = true;
        Some(())
    }

    fn finish(mut self) -> Option<TestReport> {
        if !self.is_finished {
            return None;
        }
        if let Some(message) = self.warning {
            let error = TestError { message, ..TestError::default() };
            self.report.groups.insert(String::new(), GroupState::Broken(error));
        } else if self.has_run_all {
            // If PHPUnit stops at a failure, it prints no such line.
            self.report.groups.entry(String::new()).or_insert(GroupState::Finished);
        }
        Some(self.report)
    }
}

/// What comes after the name of a test: the message, and after an empty line the calls. The innermost call comes first.
fn read_failure(kind: PhpunitList, lines: &[&str]) -> TestError {
    static TYPED: LinePattern = LinePattern::new(": ", r"^([A-Z][\w\\]*): (.*)$");
    static CALL: LinePattern = LinePattern::new(":", r"^(\S.*):(\d+)$");
    let message: Vec<&str> =
        lines.iter().take_while(|line| !line.is_empty()).take(LONGEST_MESSAGE).copied().collect();
    let call = lines.iter().skip_while(|line| !line.is_empty()).nth(1).and_then(|line| CALL.captures(line));
    let mut error = TestError {
        kind: "assertion".to_owned(),
        message: message.join(" "),
        place: call.and_then(|call| Some((call[1].to_owned(), call[2].parse().ok()?))),
        ..TestError::default()
    };
    if kind == PhpunitList::Error {
        error.kind = "error".to_owned();
        if let Some(typed) = TYPED.captures(&message.join(" ")) {
            (error.kind, error.message) = (typed[1].to_owned(), typed[2].to_owned());
        }
    }
    error
}
