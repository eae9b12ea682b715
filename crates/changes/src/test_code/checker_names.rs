//! Scripts whose names say that they check the program, and files with the outputs that they expect.

use crate::trees::tree_path::TreePath;

/// A script whose name has one of these words is there to check something.
const WORDS: [&str; 20] = [
    "check",
    "checks",
    "checker",
    "test",
    "tests",
    "tester",
    "runtest",
    "runtests",
    "selftest",
    "verify",
    "smoke",
    "expect",
    "assert",
    "asserts",
    "repro",
    "reproduce",
    "reproducer",
    "regress",
    "regression",
    "spec",
];

/// Scripts that a build file starts in order to test, by their whole names without the extension.
const SCRIPTS: [&str; 14] = [
    "check",
    "checks",
    "test",
    "tests",
    "run-test",
    "run-tests",
    "run_test",
    "run_tests",
    "runtest",
    "runtests",
    "selftest",
    "smoke-test",
    "smoke_test",
    "verify",
];

/// The extensions of such scripts. A `check.py` can as well be the program.
const EXTENSIONS: [&str; 3] = ["", "sh", "bash"];

/// Words in the names of files with expected outputs.
const EXPECTED: [&str; 5] = ["expected", "expect", "golden", "goldens", "snapshot"];

/// Whether the name of a file that the test command runs says that it checks something.
pub(super) fn is_checker(path: &TreePath) -> bool {
    let (stem, _) = stem_and_extension(path);
    words(&stem).any(|word| WORDS.contains(&word.as_str()))
}

/// Whether a file at the top is a script that tests, even if the command does not name it: `make test` starts it.
pub(super) fn is_test_script(path: &TreePath) -> bool {
    let (stem, extension) = stem_and_extension(path);
    let is_at_top = path.directories().next().is_none();
    let is_python = extension == "py" && stem.starts_with("run") && SCRIPTS.contains(&stem.as_str());
    is_at_top && (is_python || SCRIPTS.contains(&stem.as_str()) && EXTENSIONS.contains(&extension.as_str()))
}

/// Whether a file has an output that a test expects: `expected.txt`, `total.golden`, `golden/total.txt`.
pub(super) fn is_expected_output(path: &TreePath) -> bool {
    let text = String::from_utf8_lossy(path.as_bytes()).into_owned();
    let mut parts = text.rsplit('/');
    let name = parts.next().unwrap_or_default().to_ascii_lowercase();
    let is_source = ["py", "c", "h", "cc", "cpp", "rs", "go", "js", "ts", "java", "rb", "php", "pl", "sh"]
        .iter()
        .any(|extension| name.rsplit_once('.').is_some_and(|(_, end)| end == *extension));
    let mut is_in_folder = || parts.any(|folder| ["expected", "golden", "goldens"].contains(&folder));
    !is_source && (name.split(['.', '-', '_']).any(|word| EXPECTED.contains(&word)) || is_in_folder())
}

fn stem_and_extension(path: &TreePath) -> (String, String) {
    let text = String::from_utf8_lossy(path.as_bytes()).into_owned();
    let name = text.rsplit('/').next().unwrap_or_default();
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem.to_owned(), extension.to_owned()),
        _ => (name.to_owned(), String::new()),
    }
}

/// The words of a name: `runTests`, `run-tests` and `run_tests2` have the words `run` and `tests`.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut is_after_lower = false;
    for letter in name.chars() {
        if !letter.is_alphabetic() || (is_after_lower && letter.is_uppercase()) {
            words.push(String::new());
        }
        is_after_lower = letter.is_lowercase();
        if letter.is_alphabetic() {
            words.last_mut().into_iter().for_each(|word| word.extend(letter.to_lowercase()));
        }
    }
    words.into_iter().filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> TreePath {
        TreePath::new(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_script_that_checks_says_so_in_its_name() {
        for name in
            ["check.py", "run_tests.sh", "tools/smoke-test", "verify_output.rb", "runTests.js", "repro2.py"]
        {
            assert!(is_checker(&path(name)), "{name}");
        }
        for name in ["main.py", "latest.py", "contest.sh", "build.sh", "checkout.py", "prog", "tests/run.sh"]
        {
            assert!(!is_checker(&path(name)), "{name}");
        }
    }

    #[test]
    fn a_build_file_starts_scripts_with_well_known_names() {
        for name in ["check.sh", "test", "run-tests.sh", "runtests.py"] {
            assert!(is_test_script(&path(name)), "{name}");
        }
        for name in ["check.py", "lib/check.sh", "checks.c", "latest.sh", "test.c"] {
            assert!(!is_test_script(&path(name)), "{name}");
        }
    }

    #[test]
    fn expected_outputs_are_told_by_name_or_folder() {
        for name in
            ["expected.txt", "out/total.golden", "golden/total.json", "expected_output", "a.expected.json"]
        {
            assert!(is_expected_output(&path(name)), "{name}");
        }
        for name in ["unexpected.txt", "expect.py", "src/golden_ratio.c", "data/input.txt"] {
            assert!(!is_expected_output(&path(name)), "{name}");
        }
    }
}
