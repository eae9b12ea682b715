//! The output of `vitest`.
//!
//! Each file has a line with the number of its tests. The tests of a file are named if one of them failed, and with the
//! reporter `verbose`. The errors come at the end, each after `FAIL` and the name.

use super::js_error::{join_message, split_js_error, split_js_frame};
use super::js_report::{add_passing_groups, split_mark};
use super::tap_document::NESTING;
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.lines().collect();
    lines.iter().find(|line| line.starts_with(" RUN  v") || line.starts_with(" DEV  v"))?;
    let mut report = TestReport { ran: Some(0), skipped: Some(0), ..TestReport::default() };
    if let Some(line) = lines.iter().find(|line| line.starts_with("No test files found, exiting with code "))
    {
        let error = TestError { message: (*line).to_owned(), ..TestError::default() };
        report.groups.insert(String::new(), GroupState::Broken(error));
        return Some(report);
    }
    // An error outside the tests can make any of them pass or fail.
    if lines.iter().any(|line| line.starts_with("Vitest caught ")) {
        return None;
    }
    lines.iter().rev().find(|line| line.trim_start().starts_with("Duration  "))?;
    let counts = lines.iter().rev().find_map(|line| line.trim_start().strip_prefix("Tests  "))?;
    let count = |name: &str| {
        let of = |part: &str| {
            let (count, found) = part.trim().split_once(' ')?;
            (found.split(' ').next() == Some(name)).then(|| count.parse::<u64>().ok()).flatten()
        };
        counts.split('|').find_map(of).unwrap_or(0)
    };
    report.ran = Some(count("passed") + count("failed"));
    report.skipped = Some(count("skipped") + count("todo"));
    let files = add_progress(&mut report, &lines);
    if add_failures(&mut report, &lines) < count("failed") {
        return None;
    }
    add_passing_groups(&mut report, files);
    Some(report)
}

/// Adds the tests that the progress names. Returns the files with whether their tests are named.
fn add_progress<'a>(report: &mut TestReport, lines: &[&'a str]) -> Vec<(&'a str, bool)> {
    let mut files: Vec<(&str, bool)> = Vec::new();
    for line in lines.iter().take_while(|line| !line.trim_start().starts_with("Test Files  ")) {
        let text = line.trim_start();
        let Some((mark, rest)) = split_mark(text) else { continue };
        let name = match (line.len() - text.len(), files.last_mut()) {
            // A file, or with the reporter `verbose` a test after its file.
            (1, _) => match rest.split_once(NESTING) {
                Some(_) => without_project(rest).to_owned(),
                None => {
                    let is_run = mark != '↓';
                    files.extend(
                        rest.split_once(" (")
                            .filter(|_| is_run)
                            .map(|(file, _)| (without_project(file), false)),
                    );
                    continue;
                }
            },
            (_, Some((file, names_tests))) => {
                *names_tests = true;
                format!("{file}{NESTING}{rest}")
            }
            _ => continue,
        };
        let state = match mark {
            '✓' | '√' => TestState::Passed,
            '↓' => TestState::Skipped,
            _ => continue,
        };
        report.tests.insert(name, state);
    }
    files
}

/// With several projects, the name of the project comes before the file: `|unit| test/cart.test.js`.
fn without_project(name: &str) -> &str {
    name.strip_prefix('|').and_then(|rest| rest.split_once("| ")).map_or(name, |(_, name)| name)
}

/// Adds the failures, and returns how many tests failed.
fn add_failures(report: &mut TestReport, lines: &[&str]) -> u64 {
    let heads: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with(" FAIL  ")).collect();
    let mut failed = 0;
    for at in heads {
        let head = without_project(lines[at].trim_start_matches(" FAIL  ").trim());
        // Tests that failed with the same error are listed together before it.
        let body = lines[at..]
            .iter()
            .position(|line| !line.starts_with(" FAIL  "))
            .map_or(lines.len(), |next| at + next);
        let length =
            lines[body..].iter().position(|line| line.starts_with('⎯')).unwrap_or(lines.len() - body);
        let error = read_error(&lines[body..body + length]);
        match head.split_once(" [ ") {
            Some((file, _)) if !head.contains(NESTING) => {
                report.groups.insert(file.to_owned(), GroupState::Broken(error));
            }
            _ => {
                failed += 1;
                add_failure(report, head, error);
            }
        }
    }
    failed
}

/// Adds a test that failed, or a suite: if a hook of a suite fails, its tests are told as skipped.
fn add_failure(report: &mut TestReport, name: &str, error: TestError) {
    let inner = format!("{name}{NESTING}");
    let mut is_suite = false;
    for (_, state) in report.tests.iter_mut().filter(|(test, _)| test.starts_with(&inner)) {
        if *state == TestState::Skipped {
            (*state, is_suite) = (TestState::Failed(error.clone()), true);
        }
    }
    if !is_suite {
        report.tests.insert(name.to_owned(), TestState::Failed(error));
    }
}

fn read_error(lines: &[&str]) -> TestError {
    let frames = lines.iter().position(|line| line.starts_with(" ❯ ")).unwrap_or(lines.len());
    let first = lines.first().copied().unwrap_or_default();
    let (kind, message) = split_js_error(first).unwrap_or(("", first));
    // The rest of the message ends with a blank line, after which values are compared.
    let rest = lines[1.min(frames)..frames].iter().copied().take_while(|line| !line.is_empty());
    let message = join_message([message].into_iter().chain(rest));
    let mut error = TestError { kind: kind.to_owned(), message, ..TestError::default() };
    let frame = lines[frames..].iter().filter_map(|line| {
        let text = line.strip_prefix(" ❯ ")?;
        let (function, place) =
            text.rsplit_once(' ').map_or((None, text), |(function, place)| (Some(function), place));
        let frame = split_js_frame(place).filter(|frame| !frame.is_foreign())?;
        Some((function.map(str::to_owned), frame.place))
    });
    if let Some((function, place)) = frame.into_iter().next() {
        let number = place.1;
        (error.function, error.place) = (function, Some(place));
        let shown = lines[frames..].iter().filter_map(|line| line.split_once('|'));
        let mut shown = shown.filter(|(shown, _)| shown.trim().parse() == Ok(number));
        error.line = shown.next().map(|(_, text)| text.trim().to_owned());
    }
    error
}
