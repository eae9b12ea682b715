//! What the readers of JavaScript runners have in common when they add to a report.

use super::js_error::is_load_error;
use super::{GroupState, TestError, TestReport, TestState};

/// Adds a test, or a file that cannot be loaded. If several files have a test of the same name, it failed if one of them failed.
pub(super) fn add_test(report: &mut TestReport, name: &str, state: TestState) {
    match state {
        TestState::Failed(error) if is_file(name) && is_load_error(&error) => {
            report.groups.insert(name.to_owned(), GroupState::Broken(error));
        }
        state => {
            if !matches!(report.tests.get(name), Some(TestState::Failed(_))) {
                report.tests.insert(name.to_owned(), state);
            }
        }
    }
}

fn is_file(name: &str) -> bool {
    [".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"].iter().any(|end| name.ends_with(end))
}

/// If no test ran, the whole run is broken. Node counts a file that cannot be loaded as a test.
pub(super) fn add_whole_run(report: &mut TestReport) {
    let broken = report.groups.len() as u64;
    report.ran = report.ran.map(|ran| ran.saturating_sub(broken));
    let has_result = report.tests.values().any(|state| *state != TestState::Skipped);
    if !has_result {
        let first = report.broken().next().map(|(_, error)| error.clone());
        let message = if report.skipped == Some(0) { "no tests ran" } else { "all tests were skipped" };
        let error =
            first.unwrap_or_else(|| TestError { message: message.to_owned(), ..TestError::default() });
        report.groups.insert(String::new(), GroupState::Broken(error));
    }
}
