//! The output of `go test`, also with `-v` and `-json`.
//!
//! Each package ends with a line: `ok`, `FAIL` or `?`, and its name. Before it, each test that failed has a line
//! `--- FAIL: TestTotal (0.00s)` and what it logged; with `-v` every test has such a line, and what it logged comes before it.

use super::go_panic::{read_build_errors, read_go_panic};
use super::{GroupState, PrintedText, TestError, TestReport, TestState};
use std::collections::BTreeMap;

pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<String> = printed.lines().map(str::to_owned).collect();
    let lines = if lines.iter().any(|line| is_event(line)) { lines_of_events(&lines) } else { lines };
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let build_errors = read_build_errors(&lines);
    let mut report = TestReport::default();
    let (mut start, mut packages, mut names_all) = (0, 0, true);
    for (at, line) in lines.iter().enumerate() {
        let Some(ending) = read_ending(line) else { continue };
        let section = GoPackage { name: ending.package, lines: &lines[start..at] };
        names_all &= section.is_verbose() || !matches!(ending.state, PackageState::Ok | PackageState::Failed);
        add_package(&mut report, &section, ending.state, &build_errors);
        (start, packages) = (at + 1, packages + 1);
    }
    // Tests after the last package belong to a package that did not come to its end.
    let is_cut =
        lines[start..].iter().any(|line| split_result(line).is_some() || line.starts_with("=== RUN "));
    if packages == 0 || is_cut {
        return None;
    }
    if names_all {
        let skipped = report.tests.values().filter(|state| **state == TestState::Skipped).count();
        report.ran = Some((report.tests.len() - skipped) as u64);
        report.skipped = Some(skipped as u64);
    }
    let has_tests =
        report.groups.values().any(|state| *state == GroupState::Finished) || !report.tests.is_empty();
    let first = report.broken().next().map(|(_, error)| error.clone());
    if let Some(error) = first.filter(|_| !has_tests) {
        report.groups.insert(String::new(), GroupState::Broken(error));
    }
    Some(report)
}

/// The last line of a package.
struct PackageEnding<'a> {
    package: &'a str,
    state: PackageState,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PackageState {
    Ok,
    Failed,
    NotBuilt,
    NoTests,
}

/// `ok`, `FAIL` or `?`, the name of the package and the time, with tabs between them.
fn read_ending(line: &str) -> Option<PackageEnding<'_>> {
    let (word, rest) = line.split_once('\t')?;
    let package = rest.split(['\t', ' ']).next()?;
    let state = match word {
        "?   " => PackageState::NoTests,
        "ok  " if rest.ends_with("[no tests to run]") => PackageState::NoTests,
        "ok  " => PackageState::Ok,
        "FAIL" if rest.ends_with("[build failed]") || rest.ends_with("[setup failed]") => {
            PackageState::NotBuilt
        }
        "FAIL" => PackageState::Failed,
        _ => return None,
    };
    Some(PackageEnding { package, state })
}

/// What a package printed.
struct GoPackage<'l, 'a> {
    name: &'a str,
    lines: &'l [&'a str],
}

impl GoPackage<'_, '_> {
    fn is_verbose(&self) -> bool {
        self.lines.iter().any(|line| line.starts_with("=== RUN "))
    }

    /// Whether the package says itself that it failed. If the process ended before that, tests are missing.
    fn came_to_its_end(&self) -> bool {
        let is_addition = |line: &&&str| line.starts_with("exit status ") || line.starts_with("coverage: ");
        self.lines.iter().rev().find(|line| !is_addition(line)).is_some_and(|line| *line == "FAIL")
    }
}

fn add_package(
    report: &mut TestReport,
    package: &GoPackage<'_, '_>,
    state: PackageState,
    build_errors: &BTreeMap<&str, TestError>,
) {
    let broken = match state {
        PackageState::NoTests => {
            Some(TestError { message: "no tests to run".to_owned(), ..TestError::default() })
        }
        PackageState::NotBuilt => {
            // A package also fails to build if a package that it imports does.
            let error = build_errors.get(package.name).or_else(|| build_errors.values().next());
            let unknown = || TestError { message: "build failed".to_owned(), ..TestError::default() };
            Some(error.cloned().unwrap_or_else(unknown))
        }
        PackageState::Ok | PackageState::Failed => {
            let failed = add_tests(report, package);
            let has_failed =
                package.lines.iter().any(|line| split_result(line).is_some_and(|(mark, _)| mark == "FAIL"));
            let is_stopped = state == PackageState::Failed && !package.came_to_its_end();
            // With `-failfast` the package ends after the first failure and does not say so.
            let is_complete = state == PackageState::Ok || !is_stopped && failed > 1;
            if is_complete && !package.is_verbose() {
                report.groups.insert(package.name.to_owned(), GroupState::Finished);
            }
            is_stopped.then(|| read_go_panic(package.lines)).flatten().filter(|_| !has_failed)
        }
    };
    report.groups.extend(broken.map(|error| (package.name.to_owned(), GroupState::Broken(error))));
}

/// Adds the tests of a package, and returns how many failed that are not in other tests. Examples, which run in any case after
/// the tests, are not counted.
fn add_tests(report: &mut TestReport, package: &GoPackage<'_, '_>) -> usize {
    let told = told_lines(package);
    let mut results: BTreeMap<&str, TestState> = BTreeMap::new();
    for line in package.lines {
        let Some((mark, test)) = split_result(line) else { continue };
        let state = match mark {
            "PASS" => TestState::Passed,
            "SKIP" => TestState::Skipped,
            _ => TestState::Failed(read_error(told.get(test).map_or(&[], Vec::as_slice))),
        };
        results.insert(test, state);
    }
    // A panic is told after the tests that ended by it.
    if let Some(error) = read_go_panic(package.lines)
        && let Some(test) = panicked_test(package)
    {
        results.insert(test, TestState::Failed(error));
    }
    let is_failed = |state: &TestState| matches!(state, TestState::Failed(_));
    let failed = results
        .iter()
        .filter(|(test, state)| !test.contains('/') && !test.starts_with("Example") && is_failed(state))
        .count();
    let inner: Vec<&str> =
        results.iter().filter(|(_, state)| is_failed(state)).map(|(test, _)| *test).collect();
    for (test, state) in results {
        // A test whose subtests failed fails because of them.
        let is_outer =
            inner.iter().any(|inner| inner.strip_prefix(test).is_some_and(|rest| rest.starts_with('/')));
        let says_nothing = matches!(&state, TestState::Failed(error) if error.message.is_empty());
        if !(is_outer && says_nothing) {
            report.tests.insert(format!("{} {test}", package.name), state);
        }
    }
    failed
}

/// The test that panicked: the last that failed before the panic was told, or with `-v` the only one that is still running.
fn panicked_test<'a>(package: &GoPackage<'_, 'a>) -> Option<&'a str> {
    let start = package
        .lines
        .iter()
        .position(|line| line.starts_with("panic: ") || line.starts_with("fatal error: "))?;
    let last = package.lines[..start].iter().rev().find_map(|line| split_result(line));
    let mut running: Vec<&str> = Vec::new();
    for line in &package.lines[..start] {
        if let Some(test) = line.strip_prefix("=== RUN ") {
            running.push(test.trim());
        } else if let Some((_, test)) = split_result(line) {
            running.retain(|running| *running != test);
        }
    }
    match (running[..].last(), last) {
        // A test in which others run is running too.
        (Some(test), _) if running.iter().all(|outer| test.starts_with(outer)) => Some(test),
        (None, Some(("FAIL", test))) => Some(test),
        _ => None,
    }
}

/// `--- FAIL: TestTable/n_2 (0.00s)`.
fn split_result(line: &str) -> Option<(&str, &str)> {
    let (mark, rest) = line.trim_start().strip_prefix("--- ")?.split_once(": ")?;
    let (test, time) = rest.rsplit_once(" (")?;
    (["PASS", "FAIL", "SKIP"].contains(&mark) && time.ends_with("s)") && !test.contains(' '))
        .then_some((mark, test))
}

/// What each test logged.
fn told_lines<'a>(package: &GoPackage<'_, 'a>) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut told: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let is_verbose = package.is_verbose();
    let mut test = None;
    for line in package.lines {
        let started =
            ["=== RUN ", "=== CONT ", "=== NAME "].iter().find_map(|start| line.strip_prefix(start));
        if let Some(started) = started {
            test = Some(started.trim());
        } else if line.starts_with("panic: ") || *line == "FAIL" {
            test = None;
        } else if let Some((_, ended)) = split_result(line) {
            // With `-v`, what a test logged comes before its result, except for examples.
            test = Some(ended).filter(|ended| !is_verbose || ended.starts_with("Example"));
        } else if let Some(test) = test {
            told.entry(test).or_default().push(line);
        }
    }
    told
}

/// How many lines of a message are kept.
const MESSAGE_LINES: usize = 4;

/// The error of a test from what it logged. The last thing that it logged is the one most likely to be an error, because
/// `t.Fatal` ends the test.
fn read_error(lines: &[&str]) -> TestError {
    let Some(at) = lines.iter().rposition(|line| split_log(line).is_some()) else {
        let message =
            lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).take(MESSAGE_LINES);
        return TestError { message: message.collect::<Vec<_>>().join(" "), ..TestError::default() };
    };
    let (place, first) = split_log(lines[at]).unwrap_or_default();
    let rest = lines[at + 1..].iter().map(|line| line.trim());
    // testify tells the place and the name of the test once more.
    let rest = rest.skip_while(|line| first.is_empty() && !line.starts_with("Error:"));
    let rest = rest.take_while(|line| !line.starts_with("Test:"));
    let message = [first].into_iter().chain(rest).filter(|line| !line.is_empty()).take(MESSAGE_LINES);
    let message = message.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    TestError {
        kind: "assertion".to_owned(),
        message: message.collect::<Vec<_>>().join(" "),
        place: Some(place),
        ..TestError::default()
    }
}

/// `    cart_test.go:18: Total() = 3, want 4`.
fn split_log(line: &str) -> Option<((String, u32), &str)> {
    let (file, rest) = line.strip_prefix("    ")?.trim_start().split_once(':')?;
    let (number, message) = rest.split_once(':')?;
    let is_file = file.ends_with(".go") && !file.contains(' ');
    is_file.then(|| Some(((file.to_owned(), number.parse().ok()?), message.trim()))).flatten()
}

fn is_event(line: &str) -> bool {
    line.starts_with('{') && line.contains("\"Action\":\"") && line.contains("\"Package\":\"")
}

/// The lines that the events of `-json` contain, each package by itself, as `-v` would print them.
fn lines_of_events(lines: &[String]) -> Vec<String> {
    let mut packages: BTreeMap<String, String> = BTreeMap::new();
    let mut outside = Vec::new();
    for line in lines {
        let event = serde_json::from_str::<serde_json::Value>(line).ok().filter(|event| event.is_object());
        let Some(event) = event else {
            outside.push(line.clone());
            continue;
        };
        let package =
            ["Package", "ImportPath"].iter().find_map(|name| event[*name].as_str()).unwrap_or_default();
        packages
            .entry(package.to_owned())
            .or_default()
            .push_str(event["Output"].as_str().unwrap_or_default());
    }
    outside.extend(packages.values().flat_map(|text| text.lines()).map(str::to_owned));
    outside
}
