//! The output of `node --test` by its reporter `spec`.
//!
//! Each test has a line `✔ name (1.2ms)` or `✖ name (1.2ms)`, indented by the tests it is in, which are announced with `▶ name`.
//! Counts follow (`ℹ fail 2`), then the errors of all failing tests.

use super::js_error::{join_message, read_js_error};
use super::js_report::{add_test, add_whole_run};
use super::tap_document::NESTING;
use super::{PrintedText, TestError, TestReport, TestState};
use std::collections::{BTreeMap, VecDeque};

/// The report; `None` if the output is not from this reporter or was cut off.
pub(super) fn read_spec(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.stdout.iter().map(String::as_str).collect();
    let counts_start =
        lines.iter().rposition(|line| split_count(line).is_some_and(|(name, _)| name == "tests"))?;
    let mut counts = BTreeMap::new();
    counts.extend(lines[counts_start..].iter().map_while(|line| split_count(line)));
    let count = |name: &str| counts.get(name).map(|count| *count as u64);
    lines[counts_start..].iter().find(|line| line.starts_with("ℹ duration_ms "))?;
    let (tests, fail) = (count("tests")?, count("fail")?);
    let skipped = count("skipped")? + count("todo").unwrap_or(0);
    let ran = Some(tests.saturating_sub(skipped));
    let mut report = TestReport { ran, skipped: Some(skipped), ..TestReport::default() };

    let mut failed = add_progress(&mut report, &lines[..counts_start]);
    let list = lines[counts_start..].iter().position(|line| *line == "✖ failing tests:");
    if fail > 0 && (list.is_none() || failed.values().map(|tests| tests.len() as u64).sum::<u64>() < fail) {
        return None;
    }
    for (line, block) in failures_in(&lines[counts_start + list.unwrap_or(0)..]) {
        let Some(SpecFailure { name, before }) = failed.get_mut(line).and_then(VecDeque::pop_front) else {
            continue;
        };
        if is_todo(line) {
            add_test(&mut report, &name, TestState::Skipped);
            continue;
        }
        // The error of a file as a whole is what its process printed.
        let uncaught =
            || read_js_error(before).filter(|_| block.iter().any(|line| line.trim() == "'test failed'"));
        let message = || join_message(block.iter().map(|line| line.trim().trim_matches('\'')));
        let said = || TestError { message: message(), ..TestError::default() };
        let error = read_js_error(block).or_else(uncaught).unwrap_or_else(said);
        add_test(&mut report, &name, TestState::Failed(error));
    }
    add_whole_run(&mut report);
    Some(report)
}

/// A test that failed, and what was printed since the test before it.
struct SpecFailure<'l, 'a> {
    name: String,
    before: &'l [&'a str],
}

/// Adds the tests that did not fail. Those that did are returned by their lines, by which the list at the end has them.
fn add_progress<'l, 'a>(
    report: &mut TestReport,
    lines: &'l [&'a str],
) -> BTreeMap<&'a str, VecDeque<SpecFailure<'l, 'a>>> {
    let mut failed: BTreeMap<&str, VecDeque<SpecFailure<'_, '_>>> = BTreeMap::new();
    let mut names: Vec<&str> = Vec::new();
    let mut last = 0;
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim_start();
        let depth = (line.len() - text.len()) / 2;
        if let Some(name) = text.strip_prefix("▶ ") {
            names.truncate(depth);
            names.push(name);
        } else if let Some((mark, name)) = split_test(text) {
            let outer = names.iter().take(depth).copied().chain([name]);
            let name = outer.collect::<Vec<_>>().join(NESTING);
            match mark {
                '✔' => add_test(report, &name, TestState::Passed),
                '﹣' => add_test(report, &name, TestState::Skipped),
                _ => {
                    failed.entry(text).or_default().push_back(SpecFailure { name, before: &lines[last..at] })
                }
            }
            last = at + 1;
        }
    }
    failed
}

/// The failures in the list at the end: the line of each test, and the lines below it.
fn failures_in<'l, 'a>(lines: &'l [&'a str]) -> Vec<(&'a str, &'l [&'a str])> {
    let is_head = |at: &usize| lines[*at].starts_with("test at ");
    let heads: Vec<usize> = (0..lines.len()).filter(is_head).collect();
    let ends = heads.iter().skip(1).copied().chain([lines.len()]);
    heads
        .iter()
        .zip(ends)
        .filter(|(at, end)| *at + 1 < *end)
        .map(|(at, end)| (lines[at + 1], &lines[at + 2..end]))
        .collect()
}

/// `✖ name (1.2ms) # TODO`. A test that was cancelled has no time; it did not run.
fn split_test(text: &str) -> Option<(char, &str)> {
    let mark = text.chars().next().filter(|mark| "✔✖﹣".contains(*mark))?;
    let rest = text[mark.len_utf8()..].strip_prefix(' ')?;
    let (name, time) = rest.rsplit_once(" (")?;
    let (time, _) = time.split_once("ms)")?;
    time.parse::<f64>().ok()?;
    Some((mark, name))
}

fn is_todo(line: &str) -> bool {
    line.rsplit_once("ms)").is_some_and(|(_, rest)| rest.trim_start().starts_with("# TODO"))
}

/// `ℹ pass 3`.
fn split_count(line: &str) -> Option<(&str, f64)> {
    let (name, count) = line.strip_prefix("ℹ ")?.split_once(' ')?;
    Some((name, count.parse().ok()?))
}
