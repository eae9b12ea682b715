//! The output of `cargo test`, and of a test program that cargo built.
//!
//! Each test program prints `running 3 tests`, a line for each test, the output of the tests that failed, their names, and at
//! its end `test result: FAILED. 2 passed; 1 failed; …`. With `-q` there are dots instead of the lines.

use super::cargo_build::{first_diagnostic, is_of_nextest, read_build_error};
use super::rust_panic::{RustPanic, place_in, read_panics};
use super::{GroupState, PrintedText, TestError, TestReport, TestState};
use std::collections::BTreeMap;

pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.lines().collect();
    if is_of_nextest(&lines) {
        return None;
    }
    let Some(programs) = programs_of(&lines)? else { return read_build_error(printed) };
    let labels = labels_of(&lines, programs.len());
    let panics = read_panics(&lines);
    let mut report = TestReport { ran: Some(0), skipped: Some(0), ..TestReport::default() };
    let mut results = Vec::new();
    for (program, label) in programs.iter().zip(&labels) {
        *report.ran.get_or_insert(0) += program.passed + program.failed;
        *report.skipped.get_or_insert(0) += program.ignored;
        results.push((label, tests_of(program, &panics)?));
    }
    let failed = programs.iter().filter(|program| program.failed > 0).count();
    if failed < lines.iter().filter(|line| tells_failure(line)).count() {
        return None;
    }
    add_tests(&mut report, results);
    let is_complete = failed == 0 || lines.iter().any(|line| is_count_of_targets(line));
    let whole_run = whole_run(&report, programs.iter().any(|program| program.is_quiet()) && is_complete);
    report.groups.extend(whole_run.map(|state| (String::new(), state)));
    Some(report)
}

/// What became of the whole run. The tests that passed are not named if a program was quiet.
fn whole_run(report: &TestReport, is_quiet: bool) -> Option<GroupState> {
    let broken = |message: &str| {
        Some(GroupState::Broken(TestError { message: message.to_owned(), ..TestError::default() }))
    };
    match (report.ran, report.skipped) {
        (Some(0), Some(0)) => broken("no tests ran"),
        (Some(0), _) => broken("all tests were ignored"),
        _ => is_quiet.then_some(GroupState::Finished),
    }
}

/// Whether cargo says that a test program failed. It also says so of a program that crashed and told nothing itself.
fn tells_failure(line: &str) -> bool {
    line.starts_with("error: test failed, to rerun pass")
        || line.starts_with("error: doctest failed, to rerun pass")
}

/// `error: 2 targets failed:`. Cargo says so if it ran all test programs; otherwise it stops after the first that fails.
fn is_count_of_targets(line: &str) -> bool {
    let count = line.strip_prefix("error: ").and_then(|rest| rest.split_once(' '));
    count.is_some_and(|(count, rest)| {
        count.parse::<u32>().is_ok() && rest.starts_with("target") && rest.ends_with(" failed:")
    })
}

/// What one test program printed from `running 3 tests` to `test result:`.
struct TestProgram<'a> {
    lines: Vec<&'a str>,
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl TestProgram<'_> {
    fn is_quiet(&self) -> bool {
        self.passed > 0 && !self.lines.iter().any(|line| line.starts_with("test "))
    }
}

/// The test programs of an output. `None` if one did not come to its end, `Some(None)` if there is none.
fn programs_of<'a>(lines: &[&'a str]) -> Option<Option<Vec<TestProgram<'a>>>> {
    let mut programs = Vec::new();
    let mut current: Option<Vec<&str>> = None;
    for line in lines {
        if is_head(line) {
            if current.is_some() {
                return None;
            }
            current = Some(Vec::new());
        } else if let Some(counts) = line.strip_prefix("test result: ").filter(|_| current.is_some()) {
            let count = |what: &str| {
                let part = counts.split([';', '.']).find_map(|part| part.trim().strip_suffix(what));
                part?.trim().parse::<u64>().ok()
            };
            programs.push(TestProgram {
                lines: current.take()?,
                passed: count("passed")?,
                failed: count("failed")?,
                ignored: count("ignored")?,
            });
        } else if let Some(current) = &mut current {
            current.push(line);
        }
    }
    match (current, programs.is_empty()) {
        (Some(_), _) => None,
        (None, true) => Some(None),
        (None, false) => Some(Some(programs)),
    }
}

/// `running 3 tests`.
fn is_head(line: &str) -> bool {
    let count = line.strip_prefix("running ").and_then(|rest| rest.split_once(' '));
    count.is_some_and(|(count, rest)| count.parse::<u64>().is_ok() && (rest == "tests" || rest == "test"))
}

/// The names of the test programs, as cargo prints them before it runs each, without the hash.
fn labels_of(lines: &[&str], count: usize) -> Vec<String> {
    let label = |line: &&str| {
        let line = line.trim_start();
        if let Some(name) = line.strip_prefix("Doc-tests ") {
            return Some(format!("{name} (doc)"));
        }
        let path = line.strip_prefix("Running ")?.strip_suffix(')')?.rsplit_once('(')?.1;
        let file = path.rsplit('/').next()?;
        Some(file.rsplit_once('-').map_or(file, |(name, _)| name).to_owned())
    };
    let labels: Vec<String> = lines.iter().filter_map(label).collect();
    if labels.len() == count {
        labels
    } else {
        (1..=count).map(|number| format!("program {number}")).collect()
    }
}

/// The tests of a program with their states. `None` if not all of the failed tests are named.
fn tests_of(program: &TestProgram<'_>, panics: &[RustPanic<'_>]) -> Option<BTreeMap<String, TestState>> {
    let lines = &program.lines;
    // A test can print such a line too; the list of names is the last.
    let list = lines.iter().rposition(|line| *line == "failures:").filter(|_| program.failed > 0);
    let first = lines.iter().position(|line| matches!(*line, "failures:" | "successes:"));
    let mut tests = told_tests(&lines[..first.unwrap_or(lines.len())]);
    let Some(list) = list else { return (program.failed == 0).then_some(tests) };
    let blocks = blocks_of(&lines[first.unwrap_or(list)..list]);
    let names: Vec<&str> = lines[list + 1..].iter().map_while(|line| line.strip_prefix("    ")).collect();
    if (names.len() as u64) < program.failed {
        return None;
    }
    for name in names {
        let own = || panics.iter().rev().find(|panic| panic.thread == name).map(|panic| panic.error.clone());
        let error = blocks.get(name).map(|block| read_block(name, block)).or_else(own).unwrap_or_default();
        tests.insert(plain_name(name).to_owned(), TestState::Failed(error));
    }
    Some(tests)
}

/// The tests that have a line of their own. A test that passed is `ok`; those that failed are in the list too.
fn told_tests(lines: &[&str]) -> BTreeMap<String, TestState> {
    let mut tests = BTreeMap::new();
    // With `--nocapture`, what a test prints comes between its name and its state.
    let mut pending = None;
    for line in lines {
        let (name, said) = match line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... ")) {
            Some((name, said)) => (Some(name), said),
            None => (pending, *line),
        };
        let state = match said.split([' ', ',']).next() {
            Some("ok") if said == "ok" || said.starts_with("ok <") => TestState::Passed,
            Some("ignored") => TestState::Skipped,
            _ => {
                pending = name;
                continue;
            }
        };
        pending = None;
        if let Some(name) = name {
            tests.entry(plain_name(name).to_owned()).or_insert(state);
        }
    }
    tests
}

/// The name without what is told in addition, and without the line of a documentation test, which changes with the file.
fn plain_name(name: &str) -> &str {
    let name = [" - should panic", " - compile fail", " - compile"]
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix))
        .unwrap_or(name);
    let without_line = name.rsplit_once(" (line ").filter(|(_, line)| line.ends_with(')'));
    without_line.map_or(name, |(name, _)| name.trim_end_matches(" -"))
}

/// The outputs of the tests that failed, by name.
fn blocks_of<'l, 'a>(lines: &'l [&'a str]) -> BTreeMap<&'a str, &'l [&'a str]> {
    let head = |line: &'a str| line.strip_prefix("---- ")?.strip_suffix(" stdout ----");
    let heads: Vec<usize> = (0..lines.len()).filter(|at| head(lines[*at]).is_some()).collect();
    let ends = heads.iter().skip(1).copied().chain([lines.len()]);
    heads.iter().zip(ends).filter_map(|(at, end)| Some((head(lines[*at])?, &lines[at + 1..end]))).collect()
}

/// The error of a test from its output.
pub(super) fn read_block(name: &str, lines: &[&str]) -> TestError {
    let error = |kind: &str, message: &str| TestError {
        kind: kind.to_owned(),
        message: message.to_owned(),
        ..TestError::default()
    };
    for (at, line) in lines.iter().enumerate() {
        if let Some(rest) = line.strip_prefix("note: test did not panic as expected") {
            let place = rest.strip_prefix(" at ").and_then(place_in);
            return TestError { place, ..error("should_panic", "test did not panic as expected") };
        }
        if let Some(said) =
            line.strip_prefix("note: ").filter(|said| said.starts_with("panic did not contain expected"))
        {
            let values = lines[at + 1..].iter().take(2).map(|line| line.trim());
            return error("should_panic", &[said].into_iter().chain(values).collect::<Vec<_>>().join(" "));
        }
    }
    let mut panics = read_panics(lines);
    // A test that fails because another thread panicked has panicked itself.
    let own = panics.iter().rposition(|panic| panic.thread == name).or(panics.len().checked_sub(1));
    if let Some(own) = own {
        return panics.swap_remove(own).error;
    }
    if let Some(said) = lines.iter().rev().find_map(|line| line.strip_prefix("Error: ")) {
        return error("Error", said);
    }
    // A documentation test is compiled when it runs.
    let last = lines.iter().rev().find(|line| !line.is_empty());
    first_diagnostic(lines).unwrap_or_else(|| error("", last.unwrap_or(&"")))
}

/// Adds the tests of all programs. A name that several programs have is told with its program, so that a test that did not run
/// is not taken for the test of the same name in another program.
fn add_tests(report: &mut TestReport, results: Vec<(&String, BTreeMap<String, TestState>)>) {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for name in results.iter().flat_map(|(_, tests)| tests.keys()) {
        *count.entry(name.clone()).or_default() += 1;
    }
    for (label, tests) in results {
        for (name, state) in tests {
            let is_unique = count[&name] == 1;
            report.tests.insert(if is_unique { name } else { format!("{label} {name}") }, state);
        }
    }
}
