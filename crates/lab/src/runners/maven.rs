//! The output of Maven with Surefire 2, which runs JUnit tests.

use super::java_exception::read_exception;
use super::line_pattern::LinePattern;
use super::program_error::place;
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

/// Reads the output of `mvn test`. It names the classes whose tests ran, and the tests that fail.
pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.stdout.iter().map(String::as_str).collect();
    let mut reading = MavenReading::default();
    for at in 0..lines.len() {
        if lines[at].starts_with('[') {
            reading.read_line(&lines[at..])?;
        }
    }
    reading.finish()
}

/// What is known after some lines.
#[derive(Default)]
struct MavenReading {
    report: TestReport,
    /// The class whose failures follow.
    class: Option<String>,
    /// How many failures are named, and how many the classes and the modules have.
    named_failures: u64,
    class_failures: u64,
    module_failures: u64,
    class_tests: u64,
    module_tests: u64,
    /// Why no test was run, or not all.
    broken: Option<TestError>,
    is_crashed: bool,
    is_in_crashed_tests: bool,
    is_in_compiler_errors: bool,
    is_finished: bool,
}

impl MavenReading {
    /// Reads the first of these lines. `None` if it contradicts the lines before it.
    fn read_line(&mut self, lines: &[&str]) -> Option<()> {
        static COUNTS: LinePattern = LinePattern::new(
            "Tests run: ",
            r"^\[\w+\] Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)(?:, Time elapsed: .* s(?: <<< \w+!)? - in (\S+))?$",
        );
        static FAILURE: LinePattern = LinePattern::new(
            "  <<< ",
            r"^\[ERROR\] ([^ (].*?)(?:\(([\w.$]+)\))?  Time elapsed: [\d.,]+ s  <<< (?:FAILURE|ERROR)!$",
        );
        let line = lines.first()?;
        if let Some(counts) = COUNTS.captures(line) {
            let count = |group: usize| counts[group].parse::<u64>().ok();
            let (tests, failures, skipped) = (count(1)?, count(2)? + count(3)?, count(4)?);
            if let Some(class) = counts.get(5) {
                self.class_tests += tests;
                self.class_failures += failures;
                self.class = Some(class.as_str().to_owned());
                self.report.groups.insert(class.as_str().to_owned(), GroupState::Finished);
            } else {
                self.module_tests += tests;
                self.module_failures += failures;
                self.class = None;
                self.report.ran = Some(self.report.ran.unwrap_or_default() + tests.checked_sub(skipped)?);
                self.report.skipped = Some(self.report.skipped.unwrap_or_default() + skipped);
            }
        } else if let Some(failure) = FAILURE.captures(line) {
            let class =
                failure.get(2).map(|class| class.as_str().to_owned()).or_else(|| self.class.clone())?;
            let end = lines[1..].iter().position(|line| line.is_empty() || line.starts_with('['))?;
            self.add_failure(&failure[1], class, read_exception(&lines[1..=end]));
        } else if let Some(text) = line.strip_prefix("[ERROR] ") {
            self.read_error(text);
        } else if *line == "[INFO] No tests to run." {
            self.broken.get_or_insert_with(|| without_tests("No tests to run"));
        } else if *line == "[INFO] BUILD SUCCESS" || *line == "[INFO] BUILD FAILURE" {
            self.is_finished = true;
        }
        Some(())
    }

    fn add_failure(&mut self, name: &str, class: String, error: TestError) {
        self.named_failures += 1;
        if name == class {
            // The class could not be set up.
            self.report.groups.insert(class, GroupState::Broken(error));
        } else {
            self.report.tests.insert(format!("{class}.{name}"), TestState::Failed(error));
        }
    }

    /// Reads a message of Maven itself.
    fn read_error(&mut self, text: &str) {
        static COMPILER_ERROR: LinePattern = LinePattern::new(":[", r"^(.+):\[(\d+),\d+\] (?:error: )?(.+)$");
        if self.is_in_crashed_tests && !text.contains(' ') && !text.is_empty() {
            let message = "The forked VM terminated without properly saying goodbye".to_owned();
            let error = TestError { kind: "VM crash".to_owned(), message, ..TestError::default() };
            self.report.groups.insert(text.to_owned(), GroupState::Broken(error));
        } else if text.starts_with("COMPILATION ERROR") {
            self.is_in_compiler_errors = true;
        } else if self.is_in_compiler_errors
            && let Some(found) = COMPILER_ERROR.captures(text)
        {
            self.is_in_compiler_errors = false;
            self.broken = Some(TestError {
                kind: "compilation error".to_owned(),
                message: found[3].to_owned(),
                place: place(&found[1], &found[2]),
                ..TestError::default()
            });
        } else if text.starts_with("Failed to execute goal ") {
            // With `-q` this is all that is printed at the end.
            self.is_finished = true;
            if text.contains(": No tests were executed!") {
                self.broken = Some(without_tests("No tests were executed"));
            }
        }
        self.is_crashed |= text.starts_with("The forked VM terminated ");
        self.is_in_crashed_tests =
            text == "Crashed tests:" || (self.is_in_crashed_tests && !text.contains(' '));
    }

    fn finish(mut self) -> Option<TestReport> {
        let is_consistent = self.named_failures == self.class_failures
            && self.class_failures == self.module_failures
            && (self.class_tests == self.module_tests);
        if !self.is_finished || !is_consistent {
            return None;
        }
        match self.broken {
            Some(error) => {
                self.report.ran.get_or_insert(0);
                self.report.groups.insert(String::new(), GroupState::Broken(error));
            }
            None if self.report.groups.is_empty() => return None,
            None => {}
        }
        Some(self.report)
    }
}

fn without_tests(message: &str) -> TestError {
    TestError { message: message.to_owned(), ..TestError::default() }
}
