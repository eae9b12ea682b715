//! Our mixes against an independent judge: `git apply` with our patches.

use crate::world::{
    EXECUTABLE, Files, PLAIN, changes, files, line_changes, mixed, read, small_tree, subset, texts, write,
};
use howcome_changes::{ChangeKind, ChangeSet, EntryKind, patch_of_bad, patch_of_good};
use howcome_dd::{Configuration, DeltaId};
use proptest::prelude::*;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What `git apply` makes of some files.
fn applied(start: &Files, patch: &[u8], options: &[&str]) -> Files {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), start);
    if !patch.is_empty() {
        git_apply(folder.path(), patch, options);
    }
    read(folder.path())
}

fn git_apply(folder: &Path, patch: &[u8], options: &[&str]) {
    let mut git = Command::new("git")
        .args(["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn"])
        .args(options)
        .current_dir(folder)
        // Neither the user's settings nor a repository around the temporary folder have a say.
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_DIR", folder.join("no-repository"))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    git.stdin.take().unwrap().write_all(patch).unwrap();
    let output = git.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(patch));
}

/// Both patches of a configuration do what the mixes say.
fn check(good: &Files, bad: &Files, changes: &ChangeSet, configuration: &Configuration) {
    let forward = applied(good, &patch_of_good(changes, configuration), &[]);
    assert_eq!(forward, mixed(good, changes, configuration), "{configuration} on good");
    let backward = applied(bad, &patch_of_bad(changes, configuration), &["-R"]);
    let rest = changes.all().without(configuration);
    assert_eq!(backward, mixed(good, changes, &rest), "{configuration} taken from bad");
}

fn at_both_grains(good: &Files, bad: &Files) -> [ChangeSet; 2] {
    [changes(good, bad), line_changes(good, bad)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(80) })]

    #[test]
    fn git_makes_the_same_of_any_subset_of_hunks_or_lines(
        (good, bad) in texts(), (other_good, other_bad) in texts(), modes: (bool, bool), bits: u64
    ) {
        let kind = |executable| EntryKind::File { executable };
        let good = files(&[("d/f", kind(modes.0), &good), ("g", PLAIN, &other_good)]);
        let bad = files(&[("d/f", kind(modes.1), &bad), ("g", PLAIN, &other_bad)]);
        for changes in at_both_grains(&good, &bad) {
            check(&good, &bad, &changes, &subset(&changes, bits));
        }
    }

    #[test]
    fn git_makes_the_same_of_any_subset_of_a_rename_with_edits(
        (good, bad) in texts(), modes: (bool, bool), bits: u64
    ) {
        let kind = |executable| EntryKind::File { executable };
        let shared = b"a long line that both of them have, so that it is clear what became of the file\n".repeat(3);
        let good = files(&[("old name", kind(modes.0), &[&shared[..], &good].concat())]);
        let bad = files(&[("d/new", kind(modes.1), &[&shared[..], &bad].concat())]);
        for changes in at_both_grains(&good, &bad) {
            let place = changes.describe(DeltaId(0)).unwrap();
            assert!(matches!(place.what, ChangeKind::Renamed { .. }));
            check(&good, &bad, &changes, &subset(&changes, bits));
        }
    }

    #[test]
    fn git_makes_the_same_of_any_subset_of_changes(good in small_tree(), bad in small_tree(), bits: u64) {
        for changes in at_both_grains(&good, &bad) {
            prop_assert_eq!(mixed(&good, &changes, &changes.all()), bad.clone());
            check(&good, &bad, &changes, &subset(&changes, bits));
        }
    }
}

#[test]
fn git_makes_the_same_of_every_sort_of_change_alone_and_in_company() {
    let (mut good, mut bad) = every_sort();
    good.insert(b"odd \xff\"\\\n\tname".to_vec(), (PLAIN, b"\xfe\n1\n2\n3\n".to_vec()));
    bad.insert(b"odd \xff\"\\\n\tname".to_vec(), (PLAIN, b"\xfd\n1\n2\n".to_vec()));
    for changes in at_both_grains(&good, &bad) {
        assert!(changes.len() > 12);
        for delta in changes.all().iter() {
            check(&good, &bad, &changes, &Configuration::empty().with_delta(delta));
            check(&good, &bad, &changes, &changes.all().without_delta(delta));
        }
        for bits in [0, u64::MAX, 0x5555_5555_5555_5555, 0xaaaa_aaaa_aaaa_aaaa, 0x3333_3333_3333_3333] {
            check(&good, &bad, &changes, &subset(&changes, bits));
        }
    }
}

/// Two trees with all that a folder can hold, in all its changes.
fn every_sort() -> (Files, Files) {
    let good = files(&[
        ("binary", PLAIN, b"\0one\ntwo"),
        ("binary mode", PLAIN, b"\0one\n"),
        ("d/removed", EXECUTABLE, b"gone\n"),
        ("d/removed empty", PLAIN, b""),
        ("directory/a", PLAIN, b"a\n"),
        ("directory/b/c", PLAIN, b"c"),
        ("directory-like", PLAIN, b"1\n2\n3\n"),
        ("emptied", PLAIN, b"a\n"),
        ("file", PLAIN, b"file\n"),
        ("filled", PLAIN, b""),
        ("link", EntryKind::Symlink, b"here"),
        ("link to file", EntryKind::Symlink, b"here"),
        ("file to link", PLAIN, b"text\n"),
        ("mode", PLAIN, b"same\n"),
        ("old/name with space", PLAIN, b"moved\n"),
        ("old/edited with space", PLAIN, b"1\n2\n3\n4\n5\n6\n7\n8\nlast"),
        ("old/mode", EXECUTABLE, b"moved with another mode\n"),
        ("removed link", EntryKind::Symlink, b"nowhere"),
        ("same", PLAIN, b"same\n"),
    ]);
    let bad = files(&[
        ("binary", PLAIN, b"\0one\nthree\n"),
        ("binary mode", EXECUTABLE, b"\0two\n"),
        ("d/added", EXECUTABLE, b"come"),
        ("d/added empty", PLAIN, b""),
        ("directory", PLAIN, b"now a file"),
        ("directory-like", PLAIN, b"1\n2\n3\n4\n"),
        ("emptied", PLAIN, b""),
        ("file/is/a/directory", PLAIN, b"file\n"),
        ("file/too", EntryKind::Symlink, b"x"),
        ("filled", PLAIN, b"a\n"),
        ("link", EntryKind::Symlink, b"there"),
        ("link to file", PLAIN, b"text\n"),
        ("file to link", EntryKind::Symlink, b"there"),
        ("mode", EXECUTABLE, b"same\n"),
        ("new/name", PLAIN, b"moved\n"),
        ("new/edited", EXECUTABLE, b"1\n2\n3\nfour\n5\n6\n7\n8\nlast\nof all"),
        ("new/mode", PLAIN, b"moved with another mode\n"),
        ("added link", EntryKind::Symlink, b"somewhere"),
        ("same", PLAIN, b"same\n"),
    ]);
    (good, bad)
}
