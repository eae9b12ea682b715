//! The output of Gradle, which runs JUnit tests.

use super::java_exception::read_exception;
use super::line_pattern::LinePattern;
use super::program_error::place;
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

/// Reads the output of `gradle test`. It names the tests that fail.
pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.lines().collect();
    let mut reading = GradleReading::default();
    for at in 0..lines.len() {
        reading.read_line(&lines[at..]);
    }
    reading.finish()
}

/// What is known after some lines.
#[derive(Default)]
struct GradleReading<'a> {
    report: TestReport,
    /// The tasks that run tests, and what is printed after their names: nothing or `FAILED` if they ran.
    test_tasks: Vec<(&'a str, &'a str)>,
    failures: u64,
    /// The numbers of tests and of failures in the summaries.
    counts: Option<(u64, u64, u64)>,
    /// The first error of the compiler.
    compiler_error: Option<TestError>,
    /// The task that failed, and why.
    failed_task: Option<&'a str>,
    reason: Option<&'a str>,
    is_successful: Option<bool>,
}

impl<'a> GradleReading<'a> {
    fn read_line(&mut self, lines: &[&'a str]) {
        static TASK: LinePattern = LinePattern::new(
            ":",
            r"^(?:> Task )?(:[\w:.-]+) ?(FAILED|UP-TO-DATE|NO-SOURCE|SKIPPED|FROM-CACHE)?$",
        );
        static RESULT: LinePattern = LinePattern::new(" > ", r"^([\w.$]+) > (.+) (PASSED|FAILED|SKIPPED)$");
        static COUNTS: LinePattern = LinePattern::new(
            " completed",
            r"^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$",
        );
        static COMPILER_ERROR: LinePattern = LinePattern::new(": error: ", r"^(\S.*):(\d+): error: (.+)$");
        let Some(line) = lines.first().copied() else { return };
        if let Some(task) = TASK.captures(line) {
            let name = task.get(1).map_or("", |name| name.as_str());
            if is_test_task(name) {
                self.test_tasks.push((name, task.get(2).map_or("", |state| state.as_str())));
            }
        } else if let Some(result) = RESULT.captures(line) {
            let end = lines.iter().skip(1).position(|line| !line.starts_with("    "));
            let detail = &lines[1..end.map_or(lines.len(), |end| end + 1)];
            self.add_result(&result[1], &result[2], &result[3], detail);
        } else if let Some(counts) = COUNTS.captures(line) {
            let count =
                |group: usize| counts.get(group).map_or(0, |count| count.as_str().parse().unwrap_or(0));
            let (tests, failed, skipped) = self.counts.unwrap_or_default();
            self.counts = Some((tests + count(1), failed + count(2), skipped + count(3)));
        } else if let Some(task) = line.strip_prefix("Execution failed for task '") {
            self.failed_task = task.strip_suffix("'.");
            self.reason = lines.get(1).and_then(|reason| reason.strip_prefix("> "));
        } else if line.starts_with("BUILD SUCCESSFUL in ") {
            self.is_successful = Some(true);
        } else if line.starts_with("BUILD FAILED in ") {
            self.is_successful = Some(false);
        } else if self.compiler_error.is_none()
            && let Some(error) = COMPILER_ERROR.captures(line)
        {
            self.compiler_error = Some(TestError {
                kind: "compilation error".to_owned(),
                message: error[3].to_owned(),
                place: place(&error[1], &error[2]),
                line: lines.get(1).map(|line| line.trim().to_owned()),
                function: None,
                ..TestError::default()
            });
        }
    }

    fn add_result(&mut self, class: &str, name: &str, result: &str, detail: &[&str]) {
        let state = match result {
            "PASSED" => TestState::Passed,
            "SKIPPED" => TestState::Skipped,
            _ => {
                self.failures += 1;
                TestState::Failed(read_detail(detail))
            }
        };
        match state {
            // The class could not be set up.
            TestState::Failed(error) if matches!(name, "classMethod" | "initializationError") => {
                self.report.groups.insert(class.to_owned(), GroupState::Broken(error));
            }
            state => {
                self.report.tests.insert(format!("{class}.{name}"), state);
            }
        }
    }

    fn finish(mut self) -> Option<TestReport> {
        let is_successful = self.is_successful?;
        let did_run = self.test_tasks.iter().any(|(_, state)| is_run(state));
        if let Some((tests, failed, skipped)) = self.counts {
            if failed != self.failures || is_successful {
                return None;
            }
            self.report.ran = Some(tests.checked_sub(skipped)?);
            self.report.skipped = Some(skipped);
            // The tests of other tasks were not run if the build ended with this one.
            if self.test_tasks.iter().all(|(task, _)| *task == ":test") && did_run {
                self.report.groups.insert(String::new(), GroupState::Finished);
            }
            return Some(self.report);
        }
        if is_successful {
            if !self.test_tasks.is_empty() && self.test_tasks.iter().all(|(_, state)| *state == "NO-SOURCE") {
                let error = TestError { message: "no tests".to_owned(), ..TestError::default() };
                self.report.ran = Some(0);
                self.report.groups.insert(String::new(), GroupState::Broken(error));
                return Some(self.report);
            }
            // An up-to-date task did not run its tests.
            let all_ran = self.test_tasks.iter().all(|(_, state)| is_run(state));
            if !did_run || !all_ran || self.failures > 0 {
                return None;
            }
            self.report.groups.insert(String::new(), GroupState::Finished);
            return Some(self.report);
        }
        let is_compilation = self.failed_task?.rsplit(':').next()?.starts_with("compile");
        let error = match self.reason {
            Some(reason) if reason.starts_with("No tests found ") => {
                TestError { message: reason.trim().to_owned(), ..TestError::default() }
            }
            _ if is_compilation => self.compiler_error?,
            _ => return None,
        };
        self.report.ran = Some(0);
        self.report.groups.insert(String::new(), GroupState::Broken(error));
        Some(self.report)
    }
}

fn is_run(state: &str) -> bool {
    matches!(state, "" | "FAILED")
}

/// `:test` and `:app:integrationTest`, but not `:cleanTest`.
fn is_test_task(task: &str) -> bool {
    let name = task.rsplit(':').next().unwrap_or_default();
    name == "test" || (name.ends_with("Test") && name != "cleanTest")
}

/// What comes after the name of a test that failed: an exception with its calls, or in short
/// `java.lang.AssertionError at CartTest.java:5`.
fn read_detail(detail: &[&str]) -> TestError {
    static SHORT: LinePattern = LinePattern::new(" at ", r"^    ([\w.$]+) at ([^ :]+):(\d+)$");
    match detail.first().and_then(|line| SHORT.captures(line)) {
        Some(short) => TestError {
            kind: short[1].to_owned(),
            place: place(&short[2], &short[3]),
            ..TestError::default()
        },
        None => read_exception(detail),
    }
}
