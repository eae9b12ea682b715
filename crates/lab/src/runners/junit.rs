//! The output of JUnit's own runner, `org.junit.runner.JUnitCore`.

use super::java_exception::read_exception;
use super::line_pattern::LinePattern;
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

/// Reads the output of one run. It names the tests that fail.
pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    static FAILURE: LinePattern = LinePattern::new(") ", r"^(\d+)\) (?:(\S.*)\(([\w.$]+)\)|([\w.$]+))$");
    static PASSED: LinePattern = LinePattern::new("OK (", r"^OK \((\d+) tests?\)$");
    static FAILED: LinePattern = LinePattern::new("Tests run: ", r"^Tests run: (\d+),  Failures: (\d+)$");
    let lines: Vec<&str> = printed.stdout.iter().map(String::as_str).collect();
    let begin = lines.iter().position(|line| line.starts_with("JUnit version "))?;
    let mut report = TestReport::default();
    let mut failures = 0_u64;
    for at in begin..lines.len() {
        if let Some(failure) = FAILURE.captures(lines[at]) {
            // Only the next number is a failure: a message can contain other lines of this form.
            if failure[1].parse() != Ok(failures + 1) {
                continue;
            }
            failures += 1;
            let end =
                lines[at + 1..].iter().position(|line| FAILURE.captures(line).is_some() || line.is_empty());
            let error = read_exception(&lines[at + 1..end.map_or(lines.len(), |end| at + 1 + end)]);
            add_failure(
                &mut report,
                failure.get(2).map(|name| name.as_str()),
                failure.get(3).or(failure.get(4))?.as_str(),
                error,
            );
        } else if let Some(passed) = PASSED.captures(lines[at]) {
            report.ran = passed[1].parse().ok();
        } else if let Some(failed) = FAILED.captures(lines[at]) {
            if failed[2].parse() != Ok(failures) {
                return None;
            }
            report.ran = failed[1].parse().ok();
        }
    }
    let ran = report.ran?;
    let whole_run = report.groups.entry(String::new());
    whole_run.or_insert_with(|| match ran {
        0 => GroupState::Broken(TestError { message: "0 tests ran".to_owned(), ..TestError::default() }),
        _ => GroupState::Finished,
    });
    Some(report)
}

/// Adds a test that failed. A class that failed as a whole has no name of a test.
fn add_failure(report: &mut TestReport, name: Option<&str>, class: &str, error: TestError) {
    match name {
        // The class is not there, so no class was run.
        Some("initializationError") if class.ends_with("JUnitCommandLineParseResult") => {
            report.groups.insert(String::new(), GroupState::Broken(error));
        }
        None | Some("initializationError") => {
            report.groups.insert(class.to_owned(), GroupState::Broken(error));
        }
        Some(name) => {
            report.tests.insert(format!("{class}.{name}"), TestState::Failed(error));
        }
    }
}
