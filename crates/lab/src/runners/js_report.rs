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

/// Adds the files that were run, each with whether its tests are named. The tests of the others passed unless they are named.
/// If nothing ran, the whole run is broken.
pub(super) fn add_passing_groups(report: &mut TestReport, files: Vec<(&str, bool)>) {
    if report.ran == Some(0) && report.failures().next().is_none() {
        let first = report.broken().next().map(|(_, error)| error.clone());
        let message = if report.skipped == Some(0) { "no tests ran" } else { "all tests were skipped" };
        let error =
            first.unwrap_or_else(|| TestError { message: message.to_owned(), ..TestError::default() });
        report.groups.insert(String::new(), GroupState::Broken(error));
        return;
    }
    for (file, names_tests) in files {
        if !names_tests {
            report.groups.entry(file.to_owned()).or_insert(GroupState::Finished);
        }
    }
}

/// `✓ name (12 ms)`: the mark and the name, without the time.
pub(super) fn split_mark(text: &str) -> Option<(char, &str)> {
    let mark = text.chars().next().filter(|mark| "✓✔√✕×✖○✎↓❯·".contains(*mark))?;
    let name = text[mark.len_utf8()..].strip_prefix(' ')?;
    let is_time = |text: &str| {
        let number = text.trim_end_matches("ms").trim_end_matches('s').trim_end();
        number.len() < text.len() && number.parse::<f64>().is_ok()
    };
    let in_parentheses =
        name.strip_suffix(')').and_then(|name| name.rsplit_once(" (")).filter(|(_, time)| is_time(time));
    let plain = name.rsplit_once(' ').filter(|(_, time)| is_time(time));
    Some((mark, in_parentheses.or(plain).map_or(name, |(name, _)| name)))
}
