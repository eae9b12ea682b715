//! Submodules, which only an index of git can hold.

use crate::world::{Files, changes, files};
use howcome_changes::{EntryKind, patch_of_bad, patch_of_good};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const ONE: &[u8; 40] = b"1111111111111111111111111111111111111111";
const TWO: &[u8; 40] = b"2222222222222222222222222222222222222222";

fn git(folder: &Path, arguments: &[&str], input: &[u8]) -> String {
    let mut git = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    git.stdin.take().unwrap().write_all(input).unwrap();
    let output = git.wait_with_output().unwrap();
    assert!(output.status.success(), "git {arguments:?} {}", String::from_utf8_lossy(input));
    String::from_utf8(output.stdout).unwrap()
}

/// What `git apply` makes of an index that holds the files.
fn applied(start: &Files, patch: &[u8], options: &[&str]) -> Files {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "--quiet", "--template="], b"");
    for (path, (kind, commit)) in start {
        let [path, commit] = [path, commit].map(|bytes| String::from_utf8(bytes.clone()).unwrap());
        let entry = format!("{},{commit},{path}", kind.git_mode());
        git(folder.path(), &["update-index", "--add", "--cacheinfo", &entry], b"");
    }
    git(folder.path(), &[&["apply", "--cached"], options].concat(), patch);
    let listed = git(folder.path(), &["ls-files", "--stage"], b"");
    let entry = |line: &str| {
        let (head, path) = line.split_once('\t').unwrap();
        let [mode, commit, _stage] = head.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        assert_eq!(mode, EntryKind::Submodule.git_mode());
        (path.as_bytes().to_vec(), (EntryKind::Submodule, commit.as_bytes().to_vec()))
    };
    listed.lines().map(entry).collect()
}

#[test]
fn git_adds_removes_and_moves_on_submodules_by_our_patches() {
    let good = files(&[("changed", EntryKind::Submodule, ONE), ("removed", EntryKind::Submodule, ONE)]);
    let bad = files(&[("added", EntryKind::Submodule, TWO), ("changed", EntryKind::Submodule, TWO)]);
    let changes = changes(&good, &bad);
    assert_eq!(changes.len(), 3);
    assert_eq!(applied(&good, &patch_of_good(&changes, &changes.all()), &[]), bad);
    assert_eq!(applied(&bad, &patch_of_bad(&changes, &changes.all()), &["-R"]), good);
}
