//! Any output of the Test Anything Protocol.

use super::tap_document::{TapDirective, read_document};
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.stdout.iter().map(String::as_str).collect();
    let document = read_document(&lines);
    let whole_run = |message: &str| {
        let error = TestError { message: message.to_owned(), ..TestError::default() };
        [(String::new(), GroupState::Broken(error))].into()
    };
    if let Some(reason) = document.bail_out.filter(|_| document.has_version || !document.results.is_empty()) {
        return Some(TestReport { groups: whole_run(reason), ..TestReport::default() });
    }
    // The plan tells how many tests there are. If there are fewer, the run ended early.
    let planned = match document.plans[..] {
        [planned] => planned,
        _ => return None,
    };
    if planned != document.outer_results() || planned == 0 && !document.has_version {
        return None;
    }
    let mut report = TestReport { ran: Some(0), skipped: Some(0), ..TestReport::default() };
    for (at, result) in document.results.iter().enumerate() {
        let is_parent = at > 0 && document.results[at - 1].depth > result.depth;
        let state = match (result.directive, result.is_ok) {
            (Some(TapDirective::Skip), _) | (Some(TapDirective::Todo), false) => TestState::Skipped,
            (_, true) => TestState::Passed,
            (None, false) => TestState::Failed(result.error()),
        };
        let count = if state == TestState::Skipped { &mut report.skipped } else { &mut report.ran };
        *count = count.map(|count| count + u64::from(!is_parent));
        // A test that only contains others fails because one of them does.
        let says_nothing = result.fields.is_empty();
        if is_parent && says_nothing && matches!(state, TestState::Failed(_)) {
            continue;
        }
        let known = report.tests.get(&result.name);
        if !matches!(known, Some(TestState::Failed(_))) {
            report.tests.insert(result.name.clone(), state);
        }
    }
    if report.ran == Some(0) {
        report.groups = whole_run(if planned == 0 { "no tests ran" } else { "all tests were skipped" });
    }
    Some(report)
}
