//! The names that a test uses, and whether a version has them.
//!
//! A test that fails whatever is wrong fails in a version that lacks what it tests, too. The names that it uses tell the two failures apart.

use super::held_tests::HoldingRule;
use crate::deltas::change_set::ChangeSet;
use crate::knowledge::identifiers;
use crate::test_code::finder::differing_paths;
use crate::trees::entry::{EntryKind, TreeEntry};
use crate::trees::reading::load_all;
use crate::trees::tree::Tree;
use crate::trees::tree_error::TreeError;
use crate::trees::tree_path::TreePath;
use howcome_lab::inquiry::TestCommand;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// A longer file is data, or not a script.
const LONGEST_SCRIPT: u64 = 200_000;

/// No more files than these are looked through.
const MOST_FILES: usize = 2_000;

/// A name in more lines is a word of the language.
const MOST_LINES: usize = 4;

/// The names that a test uses.
#[derive(Clone, Debug)]
pub struct TestNames {
    names: BTreeSet<Vec<u8>>,
    /// The files of the test: that these have the names says nothing.
    held: HoldingRule,
}

impl TestNames {
    /// These names, of a test that has these files.
    #[must_use]
    pub fn new(names: &[String], held: HoldingRule) -> Self {
        Self { names: names.iter().map(|name| name.as_bytes().to_vec()).collect(), held }
    }

    /// The names in the words of a test command, and in the scripts that it names. Comments do not count.
    #[must_use]
    pub fn read(test: &TestCommand) -> Vec<String> {
        let program = Some(test.program.as_os_str()).filter(|_| test.is_path);
        let words: Vec<&OsStr> =
            program.into_iter().chain(test.arguments.iter().map(AsRef::as_ref)).collect();
        let mut names = BTreeSet::new();
        for word in words {
            let is_script = |file: &PathBuf| {
                fs::metadata(file).is_ok_and(|about| about.is_file() && about.len() <= LONGEST_SCRIPT)
            };
            let files = files_of(&word.to_string_lossy()).into_iter().map(|file| test.directory.join(file));
            match files.into_iter().find(is_script).and_then(|file| fs::read(file).ok()) {
                Some(text) => names.extend(names_of_script(&text)),
                None => names.extend(names_of(word.as_bytes()).map(<[u8]>::to_vec)),
            }
        }
        names.into_iter().filter_map(|name| String::from_utf8(name).ok()).collect()
    }

    /// The names that the newest version has, and an older one does not.
    ///
    /// # Errors
    /// If a version cannot be read.
    pub fn missing_in(&self, older: &Tree, newest: &Tree) -> Result<BTreeSet<String>, TreeError> {
        let lines = self.differing_lines(older, newest)?;
        let missing = lines.newest.into_keys().filter(|name| !lines.older.contains_key(name));
        self.without_those_of_other_files(missing.collect(), &lines.differing, newest)
    }

    /// The names that stand in few lines of the newest version, not all of which an older version has with the same lines after them.
    ///
    /// # Errors
    /// If a version cannot be read.
    pub fn rewritten_since(&self, older: &Tree, newest: &Tree) -> Result<BTreeSet<String>, TreeError> {
        let lines = self.differing_lines(older, newest)?;
        let is_other = |name: &Vec<u8>, those: &BTreeSet<Vec<u8>>| {
            those.len() <= MOST_LINES && lines.older.get(name).is_none_or(|before| !those.is_subset(before))
        };
        let rewritten =
            lines.newest.iter().filter(|(name, those)| is_other(name, those)).map(|(name, _)| name.clone());
        self.without_those_of_other_files(rewritten.collect(), &lines.differing, newest)
    }

    /// The changes that have one of the names.
    #[must_use]
    pub fn names_in_changes(&self, changes: &ChangeSet) -> Vec<Vec<u8>> {
        let described = changes.all();
        let described = described.iter().filter_map(|delta| changes.describe(delta));
        let lines = described.flat_map(|change| change.added);
        let names: BTreeSet<&[u8]> = lines.flat_map(names_of).collect();
        self.names.iter().filter(|name| names.contains(name.as_slice())).cloned().collect()
    }

    fn differing_lines(&self, older: &Tree, newest: &Tree) -> Result<DifferingLines, TreeError> {
        let differing = differing_paths(older, newest);
        let [older, newest] = [older, newest].map(|tree| self.lines(tree, |path| differing.contains(path)));
        Ok(DifferingLines { older: older?, newest: newest?, differing })
    }

    /// Those names that no other file of a version has.
    fn without_those_of_other_files(
        &self,
        mut names: BTreeSet<Vec<u8>>,
        files: &BTreeSet<TreePath>,
        version: &Tree,
    ) -> Result<BTreeSet<String>, TreeError> {
        if !names.is_empty() {
            let others = self.lines(version, |path| !files.contains(path))?;
            names.retain(|name| !others.contains_key(name));
        }
        Ok(names.into_iter().filter_map(|name| String::from_utf8(name).ok()).collect())
    }

    /// The lines of some files that have the names.
    fn lines(&self, tree: &Tree, is_wanted: impl Fn(&TreePath) -> bool) -> Result<NamedLines, TreeError> {
        let is_code = |path: &TreePath, entry: &TreeEntry| {
            matches!(entry.kind, EntryKind::File { .. }) && !path.is_for_people() && !self.held.holds(path)
        };
        let entries: Vec<(&TreePath, &TreeEntry)> = tree
            .iter()
            .filter(|(path, entry)| is_wanted(path) && is_code(path, entry))
            .take(MOST_FILES)
            .collect();
        let mut lines = NamedLines::new();
        for ((path, _), entry) in entries.iter().zip(load_all(&entries)?) {
            // A file can be what a test uses.
            let texts = std::iter::once(path.as_bytes()).chain(entry.bytes.split(|byte| *byte == b'\n'));
            // The interpreter of a script is no name.
            let is_text = |line: &&[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#!");
            let texts: Vec<&[u8]> = texts.filter(is_text).map(<[u8]>::trim_ascii).collect();
            for (at, line) in texts.iter().enumerate() {
                for name in names_of(line).filter(|name| self.names.contains(*name)) {
                    // What a name stands for begins in the line after it.
                    let after = texts.get(at + 1).copied().unwrap_or_default();
                    lines.entry(name.to_vec()).or_default().insert([line, after].join(&b'\n'));
                }
            }
        }
        Ok(lines)
    }
}

/// Names, and the lines that have them, each with the line after it.
type NamedLines = BTreeMap<Vec<u8>, BTreeSet<Vec<u8>>>;

/// The lines with names of the test in the files that differ between two versions.
struct DifferingLines {
    older: NamedLines,
    newest: NamedLines,
    differing: BTreeSet<TreePath>,
}

/// The files that a word can mean: a path, a path before `::`, or a module of Python with the test in it (`tests.test_cart.Cart`).
fn files_of(word: &str) -> Vec<String> {
    let path = word.split("::").next().unwrap_or_default().to_owned();
    let parts: Vec<&str> = word.split('.').collect();
    let is_module = parts.iter().all(|part| {
        let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        !part.is_empty() && part.chars().all(is_of_name)
    });
    let modules = (1..=parts.len()).rev().map(|end| format!("{}.py", parts[..end].join("/")));
    std::iter::once(path).chain(modules.filter(|_| is_module)).collect()
}

fn names_of_script(text: &[u8]) -> BTreeSet<Vec<u8>> {
    let is_comment = |line: &[u8]| line.starts_with(b"#") || line.starts_with(b"//");
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !is_comment(line.trim_ascii()));
    lines.flat_map(names_of).map(<[u8]>::to_vec).collect()
}

/// The identifiers of a text, and its options: `--sum`.
fn names_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = text.split(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'-'));
    let options = words.filter(|word| word.len() > 3 && word.starts_with(b"--"));
    identifiers(text).filter(|name| name.len() > 2).chain(options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_code::held_tests::HeldTests;

    fn names(names: &[&str]) -> TestNames {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let held = HeldTests { files: vec!["check.py".to_owned()], ..HeldTests::default() };
        TestNames::new(&names, held.rule().unwrap())
    }

    fn tree(text: &str) -> Tree {
        Tree::of_texts(&[("a.py", text), ("b.py", "import sys\n"), ("check.py", "report --sum\n")])
    }

    #[test]
    fn a_module_of_python_is_a_file() {
        let files = ["tests.test_cart.Cart", "test_cart", "tests/test_cart.py::Cart", "-m"].map(files_of);
        assert!(files[0].contains(&"tests/test_cart.py".to_owned()), "{files:?}");
        assert_eq!(files[1], ["test_cart", "test_cart.py"]);
        assert_eq!(files[2], ["tests/test_cart.py"]);
        assert_eq!(files[3], ["-m"]);
    }

    #[test]
    fn a_name_of_the_test_that_only_newer_code_has_is_missing() {
        let names = names(&["report", "--sum", "sys", "sum"]);
        let newest = tree("def report(sum):\n    pass\nif a == '--sum':\n");
        let missing = |older: &str| names.missing_in(&tree(older), &newest).unwrap();
        assert_eq!(missing("def f(sum):\n"), BTreeSet::from(["--sum", "report"].map(str::to_owned)));
        assert!(missing("report('--sum', sum)\n").is_empty());
        let renamed = Tree::of_texts(&[("sys.py", "pass\n")]);
        assert_eq!(names.missing_in(&Tree::of_texts(&[("a.py", "pass\n")]), &renamed).unwrap().len(), 1);
    }

    #[test]
    fn a_name_that_stands_in_other_lines_can_mean_something_else() {
        let names = names(&["total", "sys"]);
        let newest = tree("if mode == 'total':\n    show(x)\n");
        let rewritten = |older: &str| names.rewritten_since(&tree(older), &newest).unwrap();
        assert_eq!(rewritten("total = 1\n"), BTreeSet::from(["total".to_owned()]));
        assert!(rewritten("if mode == 'total':\n    show(x)\n    show(1)\n").is_empty());
        assert_eq!(rewritten("if mode == 'total':\n    show(1)\n"), BTreeSet::from(["total".to_owned()]));
    }

    #[test]
    fn comments_of_a_script_do_not_count() {
        let names = names_of_script(b"#!/bin/sh\n# a remark\n./run --sum 1 2\n");
        assert_eq!(names, BTreeSet::from([b"run".to_vec(), b"sum".to_vec(), b"--sum".to_vec()]));
    }
}
