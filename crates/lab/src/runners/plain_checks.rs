//! Lines such as `ok NAME` and `FAIL NAME: message`, which scripts with several checks print, and `PASS: NAME` of Automake.
//!
//! There is no rule for them, so they count only if all of them are alike and at least one check fails.

use super::{PrintedText, TestError, TestReport, TestState};

/// How a line about a check begins: if it passed, and if it failed.
const WORDS: [(&str, &str); 9] = [
    ("PASS: ", "FAIL: "),
    ("PASS ", "FAIL "),
    ("pass: ", "fail: "),
    ("ok ", "FAIL "),
    ("ok ", "not ok "),
    ("OK ", "FAIL "),
    ("OK: ", "FAIL: "),
    ("ok: ", "FAIL: "),
    ("✓ ", "✗ "),
];

/// How lines of real test runners begin, whose output is not read here even if it is cut off.
const RUNNERS: [&str; 15] = [
    "1..",
    "TAP version",
    "=== RUN",
    "--- FAIL",
    "--- PASS",
    "running ",
    "collected ",
    "# tests ",
    "[ RUN ",
    "Ran ",
    "ok  \t",
    "FAIL\t",
    "Test Suites: ",
    "● ",
    "RUN  v",
];

/// The most lines before the result of a check that tell its failure from another one.
const MOST_DETAILS: usize = 8;

/// Reads lines about checks, if at least one of them passed and one failed, or the run has nothing but one kind of them.
pub(super) fn read(printed: &PrintedText) -> Option<TestReport> {
    let is_of_a_runner = |line: &str| {
        let line = line.trim_start();
        // The summary of Automake has rules too, so only the one of pytest is meant.
        line.contains("= short test summary info =") || RUNNERS.iter().any(|begin| line.starts_with(begin))
    };
    if printed.lines().any(is_of_a_runner) {
        return None;
    }
    // Words that only some of the lines begin with, such as those of the failures, are not the words of the script.
    let count = |(passed, failed): &&(&str, &str)| {
        printed
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with(passed) || line.starts_with(failed))
            .count()
    };
    read_with(printed, *WORDS.iter().rev().max_by_key(count)?)
}

fn read_with(printed: &PrintedText, (passed, failed): (&str, &str)) -> Option<TestReport> {
    let mut report = TestReport::default();
    let mut failures = 0;
    // What a script prints about a check comes before the line that says how it ended. A message with line ends goes on after it.
    let mut before: Vec<&str> = Vec::new();
    let mut with_message: Option<String> = None;
    for line in printed.lines().map(str::trim) {
        let (said, is_failure) = match (line.strip_prefix(passed), line.strip_prefix(failed)) {
            (Some(said), _) => (said, false),
            (None, Some(said)) => (said, true),
            (None, None) => {
                before.push(line);
                continue;
            }
        };
        let details = std::mem::take(&mut before);
        report.continue_message(with_message.take(), &details);
        let (name, message) = name_and_message(said.trim());
        let is_other = |character: char| character.is_ascii_digit() || character == '-';
        if name.is_empty() || name.starts_with(is_other) || name.contains(['\t', '✔', '✖']) {
            return None;
        }
        let state = match is_failure {
            true => {
                let details = || details[..details.len().min(MOST_DETAILS)].join(" ");
                let context = if message.is_empty() { details() } else { String::new() };
                TestState::Failed(TestError { message: message.to_owned(), context, ..TestError::default() })
            }
            false => TestState::Passed,
        };
        failures += usize::from(is_failure);
        with_message = (is_failure && !message.is_empty()).then(|| name.to_owned());
        // A name that is used twice does not say which check is meant.
        if report.tests.insert(name.to_owned(), state).is_some() {
            return None;
        }
    }
    report.continue_message(with_message, &before);
    let is_known = report.tests.len() >= 2 || (failures == 1 && passed.len() > 3);
    report.ran = Some(report.tests.len() as u64);
    is_known.then_some(report)
}

impl TestReport {
    /// Adds lines after the message of a failed check to it, up to an empty one. They only tell its failure from others with the same
    /// first line.
    fn continue_message(&mut self, name: Option<String>, after: &[&str]) {
        let Some(TestState::Failed(error)) = name.and_then(|name| self.tests.get_mut(&name)) else { return };
        let lines = after.iter().take(MOST_DETAILS).take_while(|line| !line.is_empty());
        error.context = lines.copied().collect::<Vec<_>>().join(" ");
    }
}

/// The name of a check, and what the line says besides. A place in memory belongs to no name.
fn name_and_message(said: &str) -> (&str, &str) {
    match said.split_once(" (") {
        Some((name, details)) if details.contains("0x") && !name.contains(": ") => (name, details),
        _ => said.split_once(": ").unwrap_or((said, "")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_lines(text: &str) -> Option<TestReport> {
        read(&PrintedText { stdout: text.lines().map(str::to_owned).collect(), stderr: Vec::new() })
    }

    #[test]
    fn checks_of_scripts_are_read() {
        let report =
            read_lines("ok   missing source\nFAIL numbers: expected '9', got '8'\nok   list\n").unwrap();
        let failures: Vec<_> =
            report.failures().map(|(name, error)| (name, error.message.as_str())).collect();
        assert_eq!(failures, [("numbers", "expected '9', got '8'")]);
        assert_eq!((report.tests.len(), report.ran), (3, Some(3)));
        let report = read_lines("ok a\nFAIL b: got 1\n2, expected 1\n3\n\nok c\n").unwrap();
        let failures: Vec<_> =
            report.failures().map(|(_, error)| (error.message.as_str(), error.context.as_str())).collect();
        assert_eq!(failures, [("got 1", "2, expected 1 3")]);
        let report = read_lines("ok a\n1d0\n< 2 /search\nnot ok b\n1 failed\n").unwrap();
        let failures: Vec<_> =
            report.failures().map(|(name, error)| (name, error.context.as_str())).collect();
        assert_eq!(failures, [("b", "1d0 < 2 /search")]);
        let report = read_lines("PASS: one.sh\nFAIL: two.sh\n# TOTAL: 2\n").unwrap();
        assert_eq!(report.failures().map(|(name, _)| name).collect::<Vec<_>>(), ["two.sh"]);
    }

    #[test]
    fn a_place_in_memory_belongs_to_no_name() {
        let report = read_lines("ok full\nFAIL drain (ring 0x7ffd66c9f040, head 2)\nok add (int)\n").unwrap();
        assert_eq!(report.failures().map(|(name, _)| name).collect::<Vec<_>>(), ["drain"]);
        assert!(report.tests.contains_key("add (int)"));
    }

    #[test]
    fn other_lines_are_not_checks() {
        assert_eq!(read_lines("ok then\n"), None);
        assert_eq!(read_lines("FAILURE\nFAIL\n"), None);
        assert_eq!(
            read_lines("===== short test summary info =====\nFAILED a.py::x - 1\nFAILED a.py::y - 2\n"),
            None
        );
        assert_eq!(read_lines("ok one\nok one\nFAIL two\n"), None);
    }
}
