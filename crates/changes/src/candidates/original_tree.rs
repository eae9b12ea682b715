//! Tests that say nothing about the versions: they cannot be run, or they do not read the version that they are given, but other files,
//! mostly those of the working tree, by an editable install or a full path. Then all versions end alike, whatever is in them.

use crate::candidates::tree_test::Reads;
use crate::test_code::finder::differing_paths;
use crate::trees::entry::EntryKind;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_dd::Configuration;
use howcome_lab::inquiry::TestCommand;
use howcome_lab::{Execution, TestEnding, command_not_found, package_not_found};
use howcome_run::words::shell_word;
use std::collections::BTreeSet;
use std::sync::PoisonError;

/// Why a test of the newer version that fails says nothing about the difference from the older one, if that is so.
pub(crate) fn why_it_says_nothing(
    test: &TestCommand,
    seen: &Execution,
    unread: Option<&BTreeSet<TreePath>>,
    [older, newer]: [&Tree; 2],
) -> Option<String> {
    if seen.ending != TestEnding::Exit(0) {
        if let Some(command) = command_not_found(seen) {
            return Some(format!("the test cannot be run: `{command}` was not found"));
        }
        if let Some(package) = package_not_found(seen).filter(|package| !has_part(newer, package)) {
            return Some(format!("the test cannot be run: the package `{package}` is not installed"));
        }
    }
    unread.is_some_and(|unread| reads_no_difference(unread, [older, newer])).then(|| {
        format!(
            "the test reads none of the files that differ between the versions, so it says nothing about them; {}",
            how_to_read_the_version(test, newer)
        )
    })
}

/// Whether a folder or a file of a version has a name, whatever its extension.
fn has_part(version: &Tree, name: &str) -> bool {
    let is_named = |part: &[u8]| part.split(|byte| *byte == b'.').next() == Some(name.as_bytes());
    version.iter().any(|(path, _)| path.as_bytes().split(|byte| *byte == b'/').any(is_named))
}

/// The files of a version that a test of it has not read; `None` if the file system does not say so.
pub(crate) fn unread_files(
    reads: &Reads,
    configuration: &Configuration,
    seen: &Execution,
) -> Option<BTreeSet<TreePath>> {
    let trace = reads.lock().unwrap_or_else(PoisonError::into_inner).remove(&configuration.to_string());
    trace.map(|trace| trace.finish_in(&seen.workspace))
}

/// Whether a test of the newer version has read no file that differs from the older one.
fn reads_no_difference(unread: &BTreeSet<TreePath>, [older, newer]: [&Tree; 2]) -> bool {
    let is_readable = |path: &&TreePath| {
        newer.get(path).is_some_and(|entry| {
            matches!(entry.kind, EntryKind::File { .. }) && entry.contents.size() != Some(0)
        })
    };
    let differing = differing_paths(older, newer);
    let mut readable = differing.iter().filter(is_readable).peekable();
    readable.peek().is_some() && readable.all(|path| unread.contains(path))
}

/// What to do about a test that does not read the version that it is given.
fn how_to_read_the_version(test: &TestCommand, version: &Tree) -> String {
    let has_python = |folder: &[u8]| {
        let is_package =
            |path: &TreePath| path.as_bytes().starts_with(folder) && path.as_bytes().ends_with(b".py");
        version.iter().any(|(path, _)| is_package(path))
    };
    // After `env`, a relative path of the program would be one of the version.
    let program = match test.is_path {
        true => test.program.display().to_string(),
        false => test.words().first().cloned().unwrap_or_default(),
    };
    let arguments = test.words().into_iter().skip(1);
    let words: Vec<String> =
        std::iter::once(program).chain(arguments).map(|word| shell_word(&word)).collect();
    match (has_python(b"src/"), has_python(b"")) {
        (false, false) => "if it uses the files of the original folder, name them by relative paths: the test runs at the top of a \
                           copy of each version"
            .to_owned(),
        (in_src, _) => format!(
            "if Python imports the original files (an editable install, PYTHONPATH, a full path), let it import those of the \
             version: -- env PYTHONPATH={} {}",
            if in_src { "src" } else { "." },
            words.join(" ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(files: &[&str], program: &str, is_path: bool) -> String {
        let version: Vec<(&str, &str)> = files.iter().map(|file| (*file, "x")).collect();
        let arguments = vec!["-q".into()];
        let test = TestCommand { program: program.into(), arguments, directory: "/here".into(), is_path };
        how_to_read_the_version(&test, &Tree::of_texts(&version))
    }

    #[test]
    fn python_is_told_to_import_the_version_by_a_command_that_works() {
        let flat = hint(&["shop.py"], "/usr/bin/pytest", false);
        assert!(flat.ends_with("-- env PYTHONPATH=. pytest -q"), "{flat}");
        let src = hint(&["src/shop/__init__.py"], "/here/.venv/bin/pytest", true);
        assert!(src.ends_with("-- env PYTHONPATH=src /here/.venv/bin/pytest -q"), "{src}");
        assert!(!hint(&["main.c"], "/usr/bin/make", false).contains("PYTHONPATH"));
    }
}
