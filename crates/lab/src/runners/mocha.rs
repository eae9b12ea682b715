//! The output of `mocha` by its reporters `spec` and those that list failures as it does.
//!
//! The tests are a tree: `✔ name`, `1) name` if it failed, `- name` if it is pending. Then come the counts (`3 passing (63ms)`) and
//! the failures, by their numbers.

use super::js_error::{is_js_frame, join_message, read_js_error};
use super::js_report::split_mark;
use super::tap_document::NESTING;
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.lines().collect();
    let Some(end) = lines.iter().rposition(|line| split_count(line, "passing").is_some()) else {
        return read_load_error(&lines);
    };
    // A blank line ends the counts, so that an output that was cut off between them is not taken for a success.
    let length = lines[end..].iter().take(4).position(|line| line.trim().is_empty())?;
    let counts = &lines[end..end + length];
    let count = |name: &str| counts.iter().find_map(|line| split_count(line, name)).unwrap_or(0);
    let (passing, failing) = (count("passing"), count("failing"));
    let mut report =
        TestReport { ran: Some(passing + failing), skipped: Some(count("pending")), ..TestReport::default() };
    let is_tree = add_tree(&mut report, &lines[..end]);
    if add_failures(&mut report, &lines[end..]) < failing {
        return None;
    }
    if passing + failing == 0 {
        let message = if count("pending") == 0 { "no tests ran" } else { "all tests were skipped" };
        let error = TestError { message: message.to_owned(), ..TestError::default() };
        report.groups.insert(String::new(), GroupState::Broken(error));
    } else if !is_tree && failing != 1 {
        // Other reporters do not name the tests that passed. With `--bail` the run ends after the first failure.
        report.groups.insert(String::new(), GroupState::Finished);
    }
    Some(report)
}

/// `  3 passing (63ms)`.
fn split_count(line: &str, name: &str) -> Option<u64> {
    let (count, rest) = line.strip_prefix("  ")?.split_once(' ')?;
    let is_time = |text: &str| text.starts_with(" (") && (text.ends_with("s)") || text.ends_with("m)"));
    let is_count =
        rest.strip_prefix(name).is_some_and(|rest| rest.is_empty() || name == "passing" && is_time(rest));
    is_count.then(|| count.parse().ok()).flatten()
}

/// Adds the tests that the tree names as passed or pending, and returns whether there is a tree.
fn add_tree(report: &mut TestReport, lines: &[&str]) -> bool {
    let mut suites: Vec<&str> = Vec::new();
    let mut is_tree = false;
    for line in lines {
        let text = line.trim_start();
        let depth = ((line.len() - text.len()) / 2).saturating_sub(1);
        if text.is_empty() || !line.starts_with("  ") || is_numbered(text) {
            continue;
        }
        let (state, name) = match (split_mark(text), text.strip_prefix("- ")) {
            (Some(('✓' | '✔' | '√', name)), _) => (TestState::Passed, name),
            (_, Some(name)) => (TestState::Skipped, name),
            _ => {
                suites.truncate(depth);
                suites.push(text);
                continue;
            }
        };
        is_tree = true;
        let path = suites.iter().take(depth).copied().chain([name]);
        report.tests.insert(path.collect::<Vec<_>>().join(NESTING), state);
    }
    is_tree
}

/// `2) rejects`.
fn is_numbered(text: &str) -> bool {
    text.split_once(") ").is_some_and(|(number, _)| number.parse::<u32>().is_ok())
}

/// Adds the failures of the list at the end, and returns how many are named.
fn add_failures(report: &mut TestReport, lines: &[&str]) -> u64 {
    let mut heads: Vec<usize> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let next = format!("  {}) ", heads.len() + 1);
        if line.starts_with(&next) {
            heads.push(at);
        }
    }
    let ends = heads.iter().skip(1).copied().chain([lines.len()]);
    let mut named = 0;
    for (at, end) in heads.iter().zip(ends) {
        let block = &lines[*at..end];
        // The titles of the suites and of the test come on a line each; a colon ends the last.
        let Some(last) = block.iter().take(20).position(|line| line.ends_with(':')) else { continue };
        let first = block[0].split_once(") ").map_or("", |(_, title)| title);
        let mut path: Vec<&str> =
            [first].into_iter().chain(block[1..=last].iter().map(|line| line.trim())).collect();
        if let Some(name) = path.last_mut() {
            *name = name.trim_end_matches(':');
            // A hook that fails is told with its test: `"before each" hook for "adds"`.
            let test = name.split_once("\" hook for \"").and_then(|(_, test)| test.strip_suffix('"'));
            *name = test.unwrap_or(name);
        }
        let said = without_comparison(&block[last + 1..]);
        let said = said.as_slice();
        let error = read_js_error(said).unwrap_or_else(|| TestError {
            message: join_message(said.iter().copied()),
            ..TestError::default()
        });
        report.tests.insert(path.join(NESTING), TestState::Failed(error));
        named += 1;
    }
    named
}

/// The lines of a failure without the comparison of values that mocha adds to the message.
fn without_comparison<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let start = lines.iter().position(|line| line.trim() == "+ expected - actual").unwrap_or(lines.len());
    let stack = lines[start..].iter().position(|line| is_js_frame(line)).map_or(lines.len(), |at| start + at);
    [&lines[..start], &lines[stack..]].concat()
}

/// Mocha loads all files before it runs the first test, so a file that cannot be loaded ends the run.
fn read_load_error(lines: &[&str]) -> Option<TestReport> {
    let broken = |group: &str, error: TestError| (group.to_owned(), GroupState::Broken(error));
    if let Some(line) = lines.iter().find(|line| line.starts_with("Error: No test files found")) {
        let message = line.trim_start_matches("Error: ").to_owned();
        let error = TestError { kind: "Error".to_owned(), message, ..TestError::default() };
        let file = line.split('"').nth(1).map(|file| broken(file, error.clone()));
        let groups = [broken("", error)].into_iter().chain(file).collect();
        return Some(TestReport { groups, ..TestReport::default() });
    }
    const LOADING: &str = " Exception during run: ";
    let start = lines.iter().position(|line| line.starts_with(LOADING))?;
    let said: Vec<&str> =
        lines[start..].iter().map(|line| line.strip_prefix(LOADING).unwrap_or(line)).collect();
    let error = read_js_error(&said)
        .unwrap_or_else(|| TestError { message: join_message(said.iter().copied()), ..TestError::default() });
    Some(TestReport { groups: [broken("", error)].into(), ..TestReport::default() })
}
