//! Test files that have nothing to do with the tests that fail.
//!
//! One test file that does not compile, or cannot be imported, keeps many runners from running the others. So a version that lacks
//! what one test file needs can still run the tests that fail if that file is left out.

use super::conventions::is_test_name;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;

/// Of some held files, the test files that define none of the failing tests. Empty if the files of the failing tests are not found.
pub fn other_tests(failing: &[String], held: &[String], bad: &Tree) -> Vec<String> {
    let is_failing = |path: &TreePath| failing.iter().any(|test| defines(path, bad, test));
    let tests = bad.iter().map(|(path, _)| path).filter(|path| is_test_file(path));
    if !tests.into_iter().any(is_failing) {
        return Vec::new();
    }
    let paths = held.iter().filter_map(|name| TreePath::new(name.as_bytes()).ok());
    let others = paths.filter(|path| bad.get(path).is_some() && is_test_file(path) && !is_failing(path));
    others.map(|path| path.to_string()).collect()
}

/// Whether a runner collects the file. Configuration and what tests share is never left out.
fn is_test_file(path: &TreePath) -> bool {
    let Ok(text) = std::str::from_utf8(path.as_bytes()) else { return false };
    let (folder, name) = text.rsplit_once('/').unwrap_or(("", text));
    let is_in_tests = ["test", "tests"].contains(&folder.rsplit('/').next().unwrap_or_default());
    let is_collected_there = [".rs", ".js", ".mjs", ".cjs", ".ts"].iter().any(|end| name.ends_with(end));
    name != "conftest.py" && (is_test_name(name) || is_in_tests && is_collected_there)
}

/// Whether a file defines a test: the name of the test has the path of the file, or the file has the last word of the name.
fn defines(path: &TreePath, bad: &Tree, test: &str) -> bool {
    if test.contains(&path.to_string()) {
        return true;
    }
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name = test.split(['[', '(']).next().unwrap_or_default();
    let last = name.rsplit(|letter| !is_word(letter)).find(|word| !word.is_empty()).unwrap_or_default();
    let text = bad.get(path).and_then(|entry| entry.contents.read().ok()).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    !last.is_empty() && text.split(|letter| !is_word(letter)).any(|word| word == last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn others(failing: &str, files: &[(&str, &str)]) -> Vec<String> {
        let held: Vec<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
        other_tests(&[failing.to_owned()], &held, &Tree::of_texts(files))
    }

    #[test]
    fn only_the_files_of_other_tests_are_left_out() {
        let go = [
            ("lru/lru_test.go", "func TestEvicts(t *testing.T) {"),
            ("lru/ttl_test.go", "func TestEvictsOld(t *testing.T) {"),
            ("lru/lru.go", "TestEvicts"),
            ("lru/testdata/a.golden", ""),
        ];
        assert_eq!(others("example.org/lru TestEvicts", &go), ["lru/ttl_test.go"]);
        let python = [
            ("tests/conftest.py", ""),
            ("tests/test_a.py", "def test_a(): pass"),
            ("tests/test_b.py", "import a"),
            ("tests/helper.py", ""),
        ];
        assert_eq!(others("tests/test_a.py::test_a[x-1]", &python), ["tests/test_b.py"]);
    }

    #[test]
    fn if_no_file_has_the_failing_test_nothing_is_left_out() {
        assert_eq!(others("slug writes out umlauts", &[("a_test.go", ""), ("b_test.go", "")]), [""; 0]);
    }
}
