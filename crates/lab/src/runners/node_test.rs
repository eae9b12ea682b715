//! The output of `node --test`, in the form of the Test Anything Protocol or of its reporter `spec`.

use super::js_error::read_js_error;
use super::js_report::{add_test, add_whole_run};
use super::node_spec::read_spec;
use super::tap_document::{TapDirective, TapResult, read_document};
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    read_tap(printed).or_else(|| read_spec(printed)).or_else(|| read_not_found(printed))
}

fn read_tap(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.stdout.iter().map(String::as_str).collect();
    // Node prints its counts after the plan, so a run that was cut off has none.
    lines.iter().rev().take(40).find(|line| line.starts_with("# duration_ms "))?;
    let mut document = read_document(&lines);
    // Node tells the duration of each test. A result without it was printed by a test.
    document.results.retain(|result| !result.fields.is_empty());
    let (tests, fail, skipped) =
        (document.count("tests")?, document.count("fail")?, document.count("skipped")?);
    let cancelled = document.count("cancelled")?;
    let failed = document.results.iter().filter(|result| !result.is_ok && result.directive.is_none());
    if (failed.count() as u64) < fail + cancelled || document.plans.len() != 1 {
        return None;
    }
    let skipped = skipped + document.count("todo").unwrap_or(0);
    let mut report = TestReport {
        ran: Some(tests.saturating_sub(skipped)),
        skipped: Some(skipped),
        ..TestReport::default()
    };
    for result in &document.results {
        add_result(&mut report, result);
    }
    add_whole_run(&mut report);
    Some(report)
}

fn add_result(report: &mut TestReport, result: &TapResult<'_>) {
    let state = match (result.directive, result.is_ok) {
        (Some(TapDirective::Skip), _) | (Some(TapDirective::Todo), false) => TestState::Skipped,
        (_, true) => TestState::Passed,
        (None, false) => {
            // The failures of the tests below are told there. A test that was cancelled did not run.
            let failure = result.field("failureType").unwrap_or_default();
            if ["subtestsFailed", "cancelledByParent"].contains(&failure.as_str()) {
                return;
            }
            let mut error = result.error();
            if result.field("exitCode").is_some() {
                error = file_error(result);
            }
            TestState::Failed(error)
        }
    };
    add_test(report, &result.name, state);
}

/// The error of a file as a whole: the uncaught error that its process printed, or how the process ended.
fn file_error(result: &TapResult<'_>) -> TestError {
    let ending = || {
        let signal = result.field("signal").filter(|signal| signal != "~");
        let message = result.field("exitCode").map_or(String::new(), |code| format!("exit code {code}"));
        match signal {
            Some(signal) => TestError { message: signal.clone(), kind: signal, ..TestError::default() },
            None => TestError { kind: "exit".to_owned(), message, ..TestError::default() },
        }
    };
    read_js_error(&result.comments).unwrap_or_else(ending)
}

/// `Could not find 'test/nope.test.js'`, the only output if a file does not exist.
fn read_not_found(printed: &PrintedText) -> Option<TestReport> {
    let mut lines = printed.lines().filter(|line| !line.trim().is_empty());
    let line = lines.next().filter(|_| lines.next().is_none())?;
    let file = line.strip_prefix("Could not find '")?.strip_suffix('\'')?;
    let error = TestError { message: line.to_owned(), ..TestError::default() };
    let groups = [file, ""].map(|group| (group.to_owned(), GroupState::Broken(error.clone())));
    Some(TestReport { groups: groups.into(), ..TestReport::default() })
}
