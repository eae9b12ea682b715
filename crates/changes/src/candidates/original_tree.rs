//! Tests that do not read the version that they are given, but other files: mostly those of the working tree, by an editable install or
//! a full path. Then all versions end alike, whatever is in them.

use crate::candidates::tree_test::Reads;
use crate::test_code::finder::differing_paths;
use crate::trees::entry::EntryKind;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_dd::Configuration;
use howcome_lab::Execution;
use howcome_lab::inquiry::TestCommand;
use howcome_run::words::shell_word;
use std::sync::PoisonError;

/// Whether a test of the newer version has read no file that differs from the older one. If the file system does not say so, it has.
pub(crate) fn reads_no_difference(
    reads: &Reads,
    configuration: &Configuration,
    seen: &Execution,
    [older, newer]: [&Tree; 2],
) -> bool {
    let trace = reads.lock().unwrap_or_else(PoisonError::into_inner).remove(&configuration.to_string());
    let Some(unread) = trace.map(|trace| trace.finish_in(&seen.workspace)) else { return false };
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
pub(crate) fn how_to_read_the_version(test: &TestCommand, version: &Tree) -> String {
    let has_python = |folder: &[u8]| {
        let is_package =
            |path: &TreePath| path.as_bytes().starts_with(folder) && path.as_bytes().ends_with(b".py");
        version.iter().any(|(path, _)| is_package(path))
    };
    let words: Vec<String> = test.words().iter().map(|word| shell_word(word)).collect();
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
