//! The output of `pytest`.
//!
//! Its last line (`== 1 failed, 8 passed in 0.12s ==`) proves that the run came to its end. Which tests failed is told in the
//! short summary, and the errors under titles (`____ test_total ____`) in the sections ERRORS and FAILURES. Without `-v`, the
//! tests that passed are not named, only their files, and with `-q` not even those.

use super::pytest_failure::{ToldFailure, read_exception, read_failure, read_failures};
use super::pytest_names::{SummaryEntry, read_names};
use super::{GroupState, PrintedText, TestError, TestReport, TestState};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let lines: Vec<&str> = printed.lines().collect();
    let mut report = TestReport::default();
    let mut sessions = 0;
    for session in sessions_of(&lines)? {
        add_session(&mut report, &session)?;
        sessions += 1;
    }
    add_usage_errors(&mut report, &lines, sessions);
    (sessions > 0 || !report.groups.is_empty()).then_some(report)
}

/// One run of pytest: its lines up to the counts, and the counts.
struct PytestSession<'a> {
    lines: Vec<&'a str>,
    counts: BTreeMap<&'a str, u64>,
}

impl PytestSession<'_> {
    fn count(&self, words: &[&str]) -> u64 {
        words.iter().filter_map(|word| self.counts.get(word)).sum()
    }
}

/// The sessions of an output. `None` if one did not come to its end. A test can run pytest itself and show its output; such an
/// inner session is not one of them. A test can also print what looks like counts, so the last counts before the next session
/// are the real ones.
fn sessions_of<'a>(lines: &[&'a str]) -> Option<Vec<PytestSession<'a>>> {
    let (mut sessions, mut current, mut depth): (Vec<PytestSession<'a>>, Vec<&str>, u32) =
        (Vec::new(), Vec::new(), 0);
    for line in lines {
        let counts = read_counts(line);
        if is_session_head(line) {
            depth += 1;
            if depth == 1 {
                current.clear();
            }
        }
        match counts {
            Some(_) if depth > 1 => depth -= 1,
            Some(counts) => {
                match sessions.last_mut().filter(|_| depth == 0) {
                    Some(last) => {
                        last.lines.append(&mut current);
                        last.counts = counts;
                    }
                    None => sessions.push(PytestSession { lines: std::mem::take(&mut current), counts }),
                }
                depth = 0;
            }
            None if depth > 1 => {}
            None => current.push(line),
        }
    }
    (depth == 0).then_some(sessions)
}

fn is_session_head(line: &str) -> bool {
    line.starts_with("===") && line.ends_with("===") && line.contains(" test session starts ")
}

/// The counts in the last line of a session.
fn read_counts(line: &str) -> Option<BTreeMap<&str, u64>> {
    let (told, time) = line.trim_matches('=').trim().rsplit_once(" in ")?;
    let time = time.split(" (").next()?.trim_end_matches(" seconds").trim_end_matches('s');
    time.parse::<f64>().ok()?;
    if told == "no tests ran" {
        return Some(BTreeMap::new());
    }
    let counts = told.split(", ").map(|part| {
        let (count, what) = part.split_once(' ')?;
        let what = what.strip_suffix('s').filter(|one| ["error", "warning"].contains(one)).unwrap_or(what);
        KNOWN_COUNTS.contains(&what).then_some((what, count.parse().ok()?))
    });
    counts.collect()
}

const KNOWN_COUNTS: &[&str] = &[
    "failed",
    "passed",
    "skipped",
    "deselected",
    "xfailed",
    "xpassed",
    "warning",
    "error",
    "rerun",
    "subtests passed",
    "subtests failed",
    "subtests skipped",
];

/// What a section of the output is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PytestSection {
    Progress,
    Errors,
    Failures,
    Summary,
    Other,
}

fn section_head(line: &str) -> Option<PytestSection> {
    let is_head = line.starts_with("===") && line.ends_with("===") && line.contains(' ');
    let is_head = is_head && read_counts(line).is_none();
    is_head.then(|| match line.trim_matches('=').trim() {
        "ERRORS" => PytestSection::Errors,
        "FAILURES" => PytestSection::Failures,
        "short test summary info" => PytestSection::Summary,
        "test session starts" => PytestSection::Progress,
        _ => PytestSection::Other,
    })
}

/// What the sections of a session tell.
#[derive(Default)]
struct SessionText<'a> {
    errors: Vec<ToldFailure<'a>>,
    failures: Vec<ToldFailure<'a>>,
    /// The lines of the short summary.
    summary: Vec<&'a str>,
    /// The tests that the progress names, with their states.
    told: Vec<(String, &'a str)>,
    /// The files that the progress names, each with the marks of its tests.
    files: Vec<(&'a str, String)>,
    root: Option<&'a str>,
    was_stopped: bool,
    internal_error: Option<&'a str>,
}

/// Adds what a session tells. `None` if not all of its failures can be named, because they would count as passed.
fn add_session(report: &mut TestReport, session: &PytestSession<'_>) -> Option<()> {
    let text = read_sections(&session.lines);
    let mut failed = 0;
    for (name, state) in &text.told {
        let state = match *state {
            "SKIPPED" => TestState::Skipped,
            "PASSED" | "XFAIL" | "XPASS" => TestState::Passed,
            _ => TestState::Failed(TestError::default()),
        };
        failed += u64::from(matches!(state, TestState::Failed(_)));
        add_test(report, name, state);
    }
    let told = text.told.iter().map(|(name, _)| name.as_str()).collect::<BTreeSet<_>>();
    let names = read_names(&text.summary, &text.errors, &text.failures, &told);
    let mut broken = Vec::new();
    let passed = names.iter().filter(|(_, entry)| matches!(entry, SummaryEntry::Passed)).count();
    let failed = failed.max((names.len() - passed) as u64);
    for (name, entry) in names {
        match entry {
            SummaryEntry::Passed => add_test(report, &name, TestState::Passed),
            SummaryEntry::Failed(error) => {
                add_test(report, &name, TestState::Failed(relative_to(text.root, error)));
            }
            SummaryEntry::NotCollected(error) => broken.push((name, relative_to(text.root, error))),
        }
    }
    add_groups(report, session, &text, broken, passed > 0);
    *report.ran.get_or_insert(0) += session.count(RAN);
    *report.skipped.get_or_insert(0) += session.count(&["skipped"]);
    let counted = session.count(&["failed", "error"]);
    let marks = text.files.iter().flat_map(|(_, marks)| marks.chars());
    let marked = marks.filter(|mark| matches!(mark, 'F' | 'E')).count() as u64;
    (failed >= counted && marked <= counted).then_some(())
}

fn add_groups(
    report: &mut TestReport,
    session: &PytestSession<'_>,
    text: &SessionText<'_>,
    broken: Vec<(String, TestError)>,
    names_passed_tests: bool,
) {
    let said = |message: &str| Some(TestError { message: message.to_owned(), ..TestError::default() });
    let whole_run = if let Some(said) = text.internal_error {
        Some(read_exception(said))
    } else if session.count(RAN) > 0 || session.count(&["error"]) > broken.len() as u64 {
        None
    } else if let Some((_, error)) = broken.first() {
        Some(error.clone())
    } else if session.count(&["skipped"]) > 0 {
        said("all tests were skipped")
    } else {
        said("no tests ran")
    };
    if let Some(error) = whole_run {
        report.groups.insert(String::new(), GroupState::Broken(error));
    } else if text.told.is_empty() && !names_passed_tests {
        // A run that was stopped did not finish its last file.
        let finished = text.files.len() - usize::from(text.was_stopped && !text.files.is_empty());
        for (file, marks) in &text.files[..finished] {
            if marks.chars().any(|mark| mark != 's') {
                report.groups.entry((*file).to_owned()).or_insert(GroupState::Finished);
            }
        }
        if text.files.is_empty() && !text.was_stopped {
            report.groups.entry(String::new()).or_insert(GroupState::Finished);
        }
    }
    for (name, error) in broken {
        report.groups.insert(name, GroupState::Broken(error));
    }
}

/// The counts of tests that ran. A test that failed in its setup is not counted among them.
const RAN: &[&str] = &["passed", "failed", "xfailed", "xpassed"];

/// A test with several reports failed if one of them failed; its first error counts if it says anything.
fn add_test(report: &mut TestReport, name: &str, state: TestState) {
    let says_nothing = |error: &TestError| error.kind.is_empty() && error.message.is_empty();
    match (report.tests.get(name), &state) {
        (Some(TestState::Failed(known)), TestState::Failed(_)) if says_nothing(known) => {}
        (Some(TestState::Failed(_)), _) => return,
        _ => {}
    }
    report.tests.insert(name.to_owned(), state);
}

fn read_sections<'a>(lines: &[&'a str]) -> SessionText<'a> {
    let mut text = SessionText::default();
    let mut section = PytestSection::Progress;
    let mut start = 0;
    for at in 0..=lines.len() {
        let head = lines.get(at).map(|line| section_head(line));
        let Some(next) = head.unwrap_or(Some(PytestSection::Other)) else { continue };
        let part = &lines[start..at];
        match section {
            PytestSection::Progress => read_progress(part, &mut text),
            PytestSection::Errors => text.errors.extend(read_failures(part)),
            PytestSection::Failures => text.failures.extend(read_failures(part)),
            // A test can print such a head; the summary of the session itself is the last one.
            PytestSection::Summary => text.summary = part.to_vec(),
            PytestSection::Other => {}
        }
        (section, start) = (next, at + 1);
    }
    text.was_stopped = lines.iter().any(|line| line.starts_with("!!!") && line.ends_with("!!!"));
    text.internal_error = lines
        .iter()
        .rev()
        .find_map(|line| line.strip_prefix("INTERNALERROR> ").filter(|said| !said.starts_with(' ')));
    text
}

fn read_progress<'a>(lines: &[&'a str], text: &mut SessionText<'a>) {
    // With `-s`, what a test prints comes between its name and its state.
    let mut pending = None;
    for line in lines {
        if let Some(root) = line.strip_prefix("rootdir: ") {
            // Old versions name the configuration file after a comma.
            text.root = root.split(", ").next();
        } else if let Some((name, state)) = split_state(line) {
            text.told.push((name, state));
        } else if let Some(state) = STATES.iter().find(|state| without_percentage(line) == **state) {
            text.told.extend(pending.take().map(|name: &str| (name.to_owned(), *state)));
        } else if let Some((first, rest)) = line.split_once(' ').filter(|_| !is_progress(line)) {
            if first.contains(".py::") {
                pending = Some(first);
            } else if first.ends_with(".py") || first.contains('.') && is_progress(rest) {
                text.files.push((first, without_percentage(rest).to_owned()));
            }
        } else if let (Some((_, marks)), true) = (text.files.last_mut(), is_progress(line)) {
            marks.push_str(without_percentage(line));
        }
    }
}

const STATES: &[&str] = &["PASSED", "FAILED", "SKIPPED", "XFAIL", "XPASS", "ERROR", "SUBFAILED"];

fn without_percentage(line: &str) -> &str {
    let line = line.trim_end();
    let is_number = |text: &str| text.trim().trim_end_matches('%').parse::<u32>().is_ok();
    match line.strip_suffix("%]").and_then(|line| line.rsplit_once('[')) {
        Some((rest, number)) if is_number(number) => rest.trim_end(),
        _ => line,
    }
}

fn is_progress(text: &str) -> bool {
    let marks = without_percentage(text);
    !marks.is_empty() && marks.chars().all(|mark| ".FEsxXRu,-".contains(mark))
}

/// `tests/test_a.py::test_x PASSED [ 50%]`, or with several processes `[gw0] [ 50%] PASSED tests/test_a.py::test_x`.
fn split_state(line: &str) -> Option<(String, &str)> {
    if let Some((_, rest)) = line.strip_prefix("[gw").and_then(|rest| rest.split_once("%] ")) {
        let (state, name) = rest.split_once(' ')?;
        return STATES.contains(&state).then(|| (name.trim().to_owned(), state));
    }
    let line = without_percentage(line);
    let after_file = line.find("::").filter(|at| !line[..*at].contains(' '))?;
    STATES.iter().find_map(|state| {
        // The reason comes after the state: `SKIPPED (not now)`, `SUBFAILED(n=0)`.
        let at = after_file + line[after_file..].find(&format!(" {state}"))?;
        let rest = line[at + 1 + state.len()..].trim_start();
        let is_end = rest.is_empty() || rest.starts_with(['(', '[']) && rest.ends_with([')', ']']);
        is_end.then(|| (line[..at].to_owned(), *state))
    })
}

/// The error with a place below the root instead of an absolute one.
fn relative_to(root: Option<&str>, mut error: TestError) -> TestError {
    if let (Some(root), Some((file, _))) = (root, &mut error.place)
        && let Some(below) = file.strip_prefix(root).and_then(|rest| rest.strip_prefix('/'))
    {
        *file = below.to_owned();
    }
    error
}

/// Errors that are told outside a session: a file that does not exist, options that are not known, a `conftest.py` that fails.
fn add_usage_errors(report: &mut TestReport, lines: &[&str], sessions: usize) {
    let root = lines.iter().find_map(|line| line.strip_prefix("rootdir: "));
    for (at, line) in lines.iter().enumerate() {
        let not_found = ["ERROR: file or directory not found: ", "ERROR: not found: "];
        if let Some(name) = not_found.iter().find_map(|said| line.strip_prefix(said)).filter(|_| sessions > 0)
        {
            let message = line.trim_start_matches("ERROR: ").to_owned();
            let below = root.and_then(|root| name.strip_prefix(root)?.strip_prefix('/')).unwrap_or(name);
            let error = TestError { message, ..TestError::default() };
            report.groups.insert(below.to_owned(), GroupState::Broken(error));
        } else if sessions == 0 && line.contains("Error while loading conftest '") {
            report.groups.insert(String::new(), GroupState::Broken(read_failure(&lines[at + 1..])));
        } else if sessions == 0
            && line.starts_with("ERROR: usage: ")
            && let Some((program, said)) = lines.get(at + 1).and_then(|next| next.split_once(": error: "))
            && program.contains("pytest")
        {
            let error = TestError { message: said.to_owned(), ..TestError::default() };
            report.groups.insert(String::new(), GroupState::Broken(error));
        }
    }
}
