//! The output of Python's `unittest`.
//!
//! Its progress is a mark for each test, or with `-v` a line. Then the failures follow, each after a line of `=`, and at the end
//! `Ran 3 tests in 0.001s` and `OK` or `FAILED (failures=1)`.

use super::python_error::{read_traceback, split_exception};
use super::{GroupState, PrintedText, TestError, TestReport, TestState};

pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.lines().collect();
    let mut ends =
        (1..lines.len()).filter(|at| is_rule(lines[at - 1], '-') && count_of_tests(lines[*at]).is_some());
    // Several runs in one output could each be incomplete.
    let end = ends.next().filter(|_| ends.next().is_none())?;
    let ran = count_of_tests(lines[end])?;
    let ending = lines[end + 1..].iter().find(|line| !line.trim().is_empty())?;
    if !["OK", "FAILED", "NO TESTS RAN"].iter().any(|word| ending.starts_with(word)) {
        return None;
    }
    let count = |name: &str| count_in(ending, name);
    let failed = count("failures") + count("errors");

    let mut report = TestReport::default();
    let failures = (0..end).find(|at| is_failure(&lines, *at)).unwrap_or(end - 1);
    let is_verbose = add_progress(&mut report, &lines[..failures]);
    let (told, not_loaded) = add_failures(&mut report, &lines[failures..end - 1]);
    let unexpected = report.failures().filter(|(_, error)| error.kind == UNEXPECTED_SUCCESS).count() as u64;
    if told < failed || unexpected < count("unexpected successes") {
        return None;
    }
    report.skipped = Some(count("skipped"));
    report.ran = Some(ran.saturating_sub(count("skipped")).saturating_sub(not_loaded));
    let is_complete = failed + unexpected == 0
        || report.failures().count() > 1
        || last_mark_is_success(&lines[..failures]).unwrap_or(true);
    add_whole_run(&mut report, !is_verbose && is_complete);
    Some(report)
}

fn add_whole_run(report: &mut TestReport, is_finished: bool) {
    let state = match (report.ran, report.skipped) {
        (Some(0), skipped) => {
            let message = if skipped == Some(0) { "no tests ran" } else { "all tests were skipped" };
            let first = report.broken().next().map(|(_, error)| error.clone());
            let error =
                first.unwrap_or_else(|| TestError { message: message.to_owned(), ..TestError::default() });
            GroupState::Broken(error)
        }
        // Without `-v`, the tests that passed are not named.
        _ if is_finished => GroupState::Finished,
        _ => return,
    };
    report.groups.insert(String::new(), state);
}

fn is_rule(line: &str, character: char) -> bool {
    line.len() == 70 && line.chars().all(|found| found == character)
}

/// `Ran 3 tests in 0.001s`.
fn count_of_tests(line: &str) -> Option<u64> {
    let (count, rest) = line.strip_prefix("Ran ")?.split_once(' ')?;
    let time = rest.strip_prefix("tests in ").or_else(|| rest.strip_prefix("test in "))?;
    time.strip_suffix('s')?.parse::<f64>().ok()?;
    count.parse().ok()
}

/// A count in `FAILED (failures=1, skipped=2)`.
fn count_in(ending: &str, name: &str) -> u64 {
    let counts = ending.split_once('(').map_or("", |(_, counts)| counts.trim_end_matches(')'));
    let mut counts = counts.split(", ").filter_map(|part| part.split_once('='));
    counts.find_map(|(found, count)| (found == name).then(|| count.parse().ok()).flatten()).unwrap_or(0)
}

const FAILURE_WORDS: &[&str] = &["ERROR: ", "FAIL: ", "UNEXPECTED SUCCESS: "];

fn is_failure(lines: &[&str], at: usize) -> bool {
    is_rule(lines[at], '=')
        && lines.get(at + 1).is_some_and(|next| FAILURE_WORDS.iter().any(|word| next.starts_with(word)))
}

/// Adds the tests that `-v` names, and returns whether it names any.
fn add_progress(report: &mut TestReport, lines: &[&str]) -> bool {
    let mut is_verbose = false;
    // A description comes on the line after the name, and what a test prints between the name and the state.
    let mut pending = None;
    for line in lines {
        let (before, said) = line.rsplit_once(" ... ").unwrap_or(("", line));
        let named = before.rsplit(" ... ").next().and_then(test_name);
        is_verbose |= named.is_some();
        let name = named.or(pending.take());
        match said.split(' ').next() {
            Some("ok") if said == "ok" => add_test(report, name, TestState::Passed),
            Some("expected") if said == "expected failure" => add_test(report, name, TestState::Passed),
            Some("unexpected") if said == "unexpected success" => {
                add_test(report, name, TestState::Failed(unexpected_success()));
            }
            Some("skipped") if name.is_some() => add_test(report, name, TestState::Skipped),
            _ => pending = test_name(line).or(name),
        }
    }
    is_verbose
}

fn add_test(report: &mut TestReport, name: Option<String>, state: TestState) {
    if let Some(name) = name {
        report.tests.insert(name, state);
    }
}

/// The name by which a test can be run, from `test_total (tests.test_cart.TestCart.test_total)`. Before Python 3.11, the
/// parentheses have only the class.
fn test_name(text: &str) -> Option<String> {
    let (test, rest) = text.trim_start().split_once(" (")?;
    let (class, _) = rest.split_once(')')?;
    let is_name =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_.<>".contains(c));
    let is_named = class.rsplit('.').next() == Some(test);
    (is_name(test) && is_name(class))
        .then(|| if is_named { class.to_owned() } else { format!("{class}.{test}") })
}

/// Adds the failures, and returns how many there are, and how many of them are modules that cannot be loaded.
fn add_failures(report: &mut TestReport, lines: &[&str]) -> (u64, u64) {
    let starts: Vec<usize> = (0..lines.len()).filter(|at| is_failure(lines, *at)).collect();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let (mut told, mut not_loaded) = (starts.len() as u64, 0);
    for (start, end) in starts.iter().zip(ends) {
        let head = lines[start + 1];
        let Some((word, named)) =
            FAILURE_WORDS.iter().find_map(|word| Some((*word, head.strip_prefix(word)?)))
        else {
            continue;
        };
        let Some(name) = test_name(named) else { continue };
        let body = lines[start + 2..end].iter().position(|line| is_rule(line, '-'));
        let body = &lines[body.map_or(end, |at| start + 3 + at)..end];
        if word == "UNEXPECTED SUCCESS: " {
            add_failure(report, name, unexpected_success());
            told -= 1;
        } else if named.contains("unittest.loader._FailedTest")
            || named.contains("unittest.loader.ModuleImportFailure")
        {
            let module = named.split(" (").next().unwrap_or(named);
            report.groups.insert(module.to_owned(), GroupState::Broken(read_error(body)));
            not_loaded += 1;
        } else {
            let class = name.strip_suffix(".setUpClass").or_else(|| name.strip_suffix(".setUpModule"));
            let broken = class.map(|class| (class.to_owned(), GroupState::Broken(read_error(body))));
            report.groups.extend(broken);
            add_failure(report, name, read_error(body));
        }
    }
    (told, not_loaded)
}

/// The kind of error of a test that should have failed.
const UNEXPECTED_SUCCESS: &str = "UnexpectedSuccess";

fn unexpected_success() -> TestError {
    TestError { kind: UNEXPECTED_SUCCESS.to_owned(), ..TestError::default() }
}

/// Of several failures of a test, such as those of its subtests, the first counts.
fn add_failure(report: &mut TestReport, name: String, error: TestError) {
    if !matches!(report.tests.get(&name), Some(TestState::Failed(_))) {
        report.tests.insert(name, TestState::Failed(error));
    }
}

fn read_error(lines: &[&str]) -> TestError {
    // With `-b`, what the test printed comes after the traceback.
    let end = lines.iter().position(|line| matches!(*line, "Stdout:" | "Stderr:")).unwrap_or(lines.len());
    read_traceback(&lines[..end]).unwrap_or_else(|| {
        let said = lines.first().copied().unwrap_or_default();
        let (kind, message) = split_exception(said).unwrap_or(("", said));
        TestError { kind: kind.to_owned(), message: message.to_owned(), ..TestError::default() }
    })
}

/// Whether the last mark of the progress is of a test that did not fail. If it failed, `-f` could have ended the run there. With `-q`
/// there are no marks; then the number of tests shows whether the run was ended early.
fn last_mark_is_success(lines: &[&str]) -> Option<bool> {
    let is_progress = |line: &&&str| !line.is_empty() && line.chars().all(|mark| ".FEsxu".contains(mark));
    let last = lines.iter().rev().find(is_progress);
    last.map(|marks| marks.ends_with(['.', 's', 'x']))
}
