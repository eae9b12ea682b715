//! The output of `cargo nextest run`.
//!
//! Each test has a line `FAIL [   0.009s] ( 1/16) shop tests::total`, and after it the output of a test that failed. At the end
//! comes `Summary [   0.107s] 16 tests run: 4 passed, 12 failed, 1 skipped`, and the tests that failed once more.

use super::cargo_build::{is_of_nextest, read_build_error};
use super::cargo_test::read_block;
use super::rust_panic::read_panics;
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.lines().collect();
    if !is_of_nextest(&lines) {
        return None;
    }
    let Some(summary) = lines.iter().rev().find_map(|line| line.trim_start().strip_prefix("Summary ["))
    else {
        return read_build_error(printed);
    };
    let (_, counts) = summary.split_once("] ")?;
    let (run, counts) = counts.split_once(" run: ")?;
    let count = |names: &[&str]| {
        let of = |part: &str| {
            let (count, name) = part.trim().split_once(' ')?;
            names.contains(&name.split(" (").next()?).then(|| count.parse::<u64>().ok()).flatten()
        };
        counts.split(',').filter_map(of).sum::<u64>()
    };
    let ran = run.split([' ', '/']).next()?.parse().ok()?;
    let mut report =
        TestReport { ran: Some(ran), skipped: Some(count(&["skipped"])), ..TestReport::default() };
    add_tests(&mut report, &lines);
    let failed = report.failures().count() as u64;
    if failed < count(&["failed", "timed out", "exec failed"]) {
        return None;
    }
    let passed = report.tests.values().filter(|state| **state == TestState::Passed).count() as u64;
    if ran == 0 {
        let error = TestError { message: "no tests to run".to_owned(), ..TestError::default() };
        report.groups.insert(String::new(), GroupState::Broken(error));
    } else if passed < count(&["passed"]) && !run.contains('/') {
        // With `--status-level none`, the tests that passed are not named.
        report.groups.insert(String::new(), GroupState::Finished);
    }
    Some(report)
}

fn add_tests(report: &mut TestReport, lines: &[&str]) {
    let panics = read_panics(lines);
    let heads: Vec<(usize, NextestLine<'_>)> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((at, read_line(line)?))).collect();
    let ends = heads.iter().skip(1).map(|(at, _)| *at).chain([lines.len()]);
    for ((at, told), end) in heads.iter().zip(ends) {
        let state = match told.status {
            "PASS" | "LEAK" => TestState::Passed,
            status if status.starts_with("FLAKY") => TestState::Passed,
            "SKIP" => TestState::Skipped,
            status if is_failure(status) => {
                if matches!(report.tests.get(told.name), Some(TestState::Failed(_))) {
                    continue;
                }
                let output = &lines[at + 1..end];
                let is_output = |line: &&&str| !line.starts_with('─') && !line.starts_with("error: ");
                let output: Vec<&str> = output.iter().take_while(is_output).copied().collect();
                let test = told.name.rsplit(' ').next().unwrap_or(told.name);
                let own = || {
                    panics.iter().rev().find(|panic| panic.thread == test).map(|panic| panic.error.clone())
                };
                TestState::Failed(read_failure(status, test, &output).or_else(own).unwrap_or_default())
            }
            _ => continue,
        };
        report.tests.insert(told.name.to_owned(), state);
    }
}

fn is_failure(status: &str) -> bool {
    ["FAIL", "TIMEOUT", "ABORT", "XFAIL", "LEAK-FAIL", "FAIL + LEAK"].contains(&status)
        || status.starts_with("SIG")
}

/// The error of a test from the output that is told after its line.
fn read_failure(status: &str, test: &str, output: &[&str]) -> Option<TestError> {
    let plain: Vec<&str> = output.iter().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    if status == "FAIL" {
        return plain.iter().any(|line| !line.is_empty()).then(|| read_block(test, &plain));
    }
    let aborted = plain.iter().find_map(|line| line.strip_prefix('(')?.strip_suffix(')'));
    let message = aborted.unwrap_or(status).to_owned();
    Some(TestError { kind: status.to_owned(), message, ..TestError::default() })
}

/// What a line says about a test.
struct NextestLine<'a> {
    status: &'a str,
    /// The test program and the test: `shop::cart outside`.
    name: &'a str,
}

/// `FAIL [   0.009s] ( 1/16) shop tests::total`.
fn read_line(line: &str) -> Option<NextestLine<'_>> {
    let (status, rest) = line.strip_prefix("   ")?.trim_start().split_once(" [")?;
    let (time, rest) = rest.split_once("s] ")?;
    time.trim_start_matches('>').trim().parse::<f64>().ok()?;
    let rest = rest.trim_start();
    let name = match rest.strip_prefix('(') {
        Some(counted) => counted.split_once(") ")?.1,
        None => rest,
    };
    name.contains(' ').then_some(NextestLine { status, name })
}
