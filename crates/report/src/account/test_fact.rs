//! What is known about the test: its command, what counts as the failure, which files are the same in every version.

use crate::account::Exhibit;
use howcome_run::TestInfo;
use howcome_run::words::{count, cut, printable, printable_lines, shell_word};

/// A longer command is cut; the JSON has the whole of it.
const COMMAND: usize = 200;

/// A longer description of the failure is cut.
const SIGNATURE: usize = 300;

/// More held files are only counted.
const HELD: usize = 6;

/// A longer line of the output is cut.
const OUTPUT_LINE: usize = 400;

/// Something that is known about the test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFact {
    /// What it is about: `Test`, `Failure` (with `--fix`, `Fixed`), `Held`.
    pub label: &'static str,
    /// The fact.
    pub text: String,
    /// Whether it is a command.
    pub is_command: bool,
}

/// The facts, in the order in which they are read. With `--fix`, the search takes for the failure what the fixed version does.
pub(super) fn test_facts(test: &TestInfo, is_fix: bool) -> Vec<TestFact> {
    // No shell changes `{}`, and people do not quote it.
    let quoted = |word: &String| if word == "{}" { word.clone() } else { shell_word(word) };
    let words: Vec<String> = test.command.iter().map(quoted).collect();
    let command =
        TestFact { label: "Test", text: cut(&printable(&words.join(" ")), COMMAND), is_command: true };
    let signature = cut(&printable(&test.signature), SIGNATURE);
    let label = if is_fix { "Fixed" } else { "Failure" };
    let failure = TestFact { label, text: signature, is_command: false };
    let held = TestFact { label: "Held", text: held(&test.held), is_command: false };
    let copy = if test.in_copy { "each test ran in a copy of the current folder" } else { "" };
    let folder = TestFact { label: "Folder", text: copy.to_owned(), is_command: false };
    [command, failure, held, folder].into_iter().filter(|fact| !fact.text.is_empty()).collect()
}

/// `tests/test_cart.py, tests/prices.csv (the same in every version)`
fn held(held: &[String]) -> String {
    let mut names: Vec<String> = held.iter().take(HELD).map(|path| printable(path)).collect();
    if names.is_empty() {
        return String::new();
    }
    if held.len() > HELD {
        names.push(format!("and {}", count((held.len() - HELD) as u64, "more file")));
    }
    format!("{} (the same in every version)", names.join(", "))
}

/// The first and the last lines that the failing side printed.
pub(super) fn failing_output(test: &TestInfo, is_fix: bool) -> Option<Exhibit> {
    let lines = printable_lines(test.failing_output.trim_end());
    let lines: Vec<String> = lines.iter().map(|line| cut(line, OUTPUT_LINE)).collect();
    let side = if is_fix { "fixed" } else { "failing" };
    let caption = Some(format!("what the test printed on the {side} side"));
    (!test.failing_output.trim().is_empty()).then(|| Exhibit { caption, lines, ..Exhibit::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_can_be_pasted_and_many_held_files_are_counted() {
        let test = TestInfo {
            command: vec!["pytest".to_owned(), "-k".to_owned(), "a b".to_owned()],
            held: (1..=8).map(|number| format!("t{number}")).collect(),
            ..TestInfo::default()
        };
        let facts = test_facts(&test, false);
        let texts: Vec<(&str, &str)> = facts.iter().map(|fact| (fact.label, fact.text.as_str())).collect();
        let held = "t1, t2, t3, t4, t5, t6, and 2 more files (the same in every version)";
        assert_eq!(texts, [("Test", "pytest -k 'a b'"), ("Held", held)]);
        assert_eq!(failing_output(&test, false), None);
    }
}
