//! Patches as the source of the bad version.

use crate::world::{EXECUTABLE, Files, PLAIN, changes, contents, files, small_tree, texts, tree, write};
use howcome_changes::{BadPatch, BadPatchKind, EntryKind, apply_patch, patch_of_good};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::process::Command;

fn patched(good: &Files, patch: impl AsRef<[u8]>) -> Result<Files, BadPatch> {
    apply_patch(&tree(good), patch.as_ref()).map(|tree| contents(&tree))
}

fn git(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("git")
        .args(["-c", "core.autocrlf=false", "-c", "core.fileMode=true"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// What `git diff` says of two trees.
fn git_diff(good: &Files, bad: &Files, options: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "--quiet", "--template="]);
    write(folder.path(), good);
    git(folder.path(), &["add", "--all", "--force"]);
    let tree = git(folder.path(), &["write-tree"]);
    for entry in fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true if entry.file_name() == ".git" => {}
            true => fs::remove_dir_all(entry.path()).unwrap(),
            false => fs::remove_file(entry.path()).unwrap(),
        }
    }
    write(folder.path(), bad);
    git(folder.path(), &["add", "--all", "--force"]);
    let tree = String::from_utf8(tree).unwrap();
    git(folder.path(), &[&["diff", "--cached", "--text"], options, &[tree.trim()]].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn our_own_patch_makes_the_bad_tree(good in small_tree(), bad in small_tree()) {
        let changes = changes(&good, &bad);
        if !changes.is_empty() {
            prop_assert_eq!(patched(&good, patch_of_good(&changes, &changes.all())).unwrap(), bad);
        }
    }

    #[test]
    fn our_own_patch_makes_the_bad_text((good, bad) in texts()) {
        let [good, bad] = [good, bad].map(|text| files(&[("d/f", PLAIN, &text)]));
        let changes = changes(&good, &bad);
        if !changes.is_empty() {
            prop_assert_eq!(patched(&good, patch_of_good(&changes, &changes.all())).unwrap(), bad);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn what_git_says_of_two_trees_makes_the_bad_one(
        good in small_tree(), bad in small_tree(), context in 0_usize..4, finds_renames: bool, has_prefix: bool
    ) {
        // With nothing that is there before and afterwards, names alone can't tell whether they have a prefix.
        let (mut good, mut bad) = (good, bad);
        good.insert(b"z/edited".to_vec(), (PLAIN, b"1\n2\n3\n".to_vec()));
        bad.insert(b"z/edited".to_vec(), (PLAIN, b"1\ntwo\n3\n".to_vec()));
        let context = format!("-U{context}");
        let renames = if finds_renames { "--find-copies-harder" } else { "--no-renames" };
        let prefix = if has_prefix { "--src-prefix=a/" } else { "--no-prefix" };
        let patch = git_diff(&good, &bad, &[&context, renames, prefix]);
        prop_assert_eq!(patched(&good, &patch).unwrap(), bad, "{}", String::from_utf8_lossy(&patch));
    }
}

#[test]
fn a_patch_of_two_folders_is_understood() {
    let good =
        files(&[("a.c", PLAIN, b"1\n2\n3\n"), ("sub/gone", PLAIN, b"x\n"), ("tool", EXECUTABLE, b"1\n")]);
    let patch = "diff -ruN old/a.c new/a.c\n--- old/a.c\t2024-01-01 10:00:00.000000000 +0000\n\
        +++ new/a.c\t2024-01-02 10:00:00.000000000 +0000\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n\
        diff -ruN old/sub/come new/sub/come\n--- old/sub/come\t1970-01-01 00:00:00.000000000 +0000\n\
        +++ new/sub/come\t2024-01-02 10:00:00.000000000 +0000\n@@ -0,0 +1 @@\n+y\n\
        diff -ruN old/sub/gone new/sub/gone\n--- old/sub/gone\t2024-01-01 10:00:00.000000000 +0000\n\
        +++ new/sub/gone\t1969-12-31 19:00:00.000000000 -0500\n@@ -1 +0,0 @@\n-x\n\
        --- old/tool\n+++ new/tool\n@@ -1 +1 @@\n-1\n+2\n\\ No newline at end of file\n";
    let bad =
        files(&[("a.c", PLAIN, b"1\ntwo\n3\n"), ("sub/come", PLAIN, b"y\n"), ("tool", EXECUTABLE, b"2")]);
    assert_eq!(patched(&good, patch).unwrap(), bad);
    // The same, made from above, by absolute names and right here.
    for (old, new) in [("releases/old/", "releases/new/"), ("/releases/old/", "/releases/new/"), ("", "")] {
        let patch = patch.replace("old/", old).replace("new/", new);
        assert_eq!(patched(&good, patch).unwrap(), bad, "{old}");
    }
}

#[test]
fn patches_by_mail_are_applied_one_after_the_other() {
    let good = files(&[("f", PLAIN, b"1\n2\n3\n")]);
    let mail = |subject: &str, diff: &str| {
        format!(
            "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nFrom: Someone <a@b>\n\
            Subject: [PATCH] {subject}\n\nSome text.\n---\n f | 2 +-\n 1 file changed\n\n{diff}-- \n2.40.0\n\n"
        )
    };
    let first = "diff --git a/f b/g\nsimilarity index 60%\nrename from f\nrename to g\nindex 1..2 100644\n\
        --- a/f\n+++ b/g\n@@ -1,3 +1,3 @@ int main\n-1\n+one\n 2\n 3\n";
    let second = "diff --git a/g b/g\nold mode 100644\nnew mode 100755\nindex 2..3\n--- a/g\n+++ b/g\n\
        @@ -1,3 +1,3 @@\n one\n-2\n+two\n 3\n";
    let patch = mail("first", first) + &mail("second", second);
    assert_eq!(patched(&good, patch).unwrap(), files(&[("g", EXECUTABLE, b"one\ntwo\n3\n")]));
}

#[test]
fn two_files_can_change_places() {
    let good = files(&[("a", PLAIN, b"1\n"), ("b", PLAIN, b"2\n")]);
    let rename = |from: &str, to: &str| {
        format!("diff --git a/{from} b/{to}\nsimilarity index 100%\nrename from {from}\nrename to {to}\n")
    };
    let swapped = files(&[("a", PLAIN, b"2\n"), ("b", PLAIN, b"1\n")]);
    assert_eq!(patched(&good, rename("a", "b") + &rename("b", "a")).unwrap(), swapped);
    let error = patched(&good, rename("a", "b")).unwrap_err();
    assert_eq!(error.to_string(), "line 1 of the patch: the file `b` exists already");
}

#[test]
fn odd_names_and_line_endings_survive() {
    let good = files(&[("a b\t\u{e9}\"", PLAIN, b"1\r\n2\r\n"), ("mixed", PLAIN, b"1\r\n2\n")]);
    let patch = "--- \"a/a b\\t\\303\\251\\\"\"\n+++ \"b/a b\\t\\303\\251\\\"\"\n@@ -1,2 +1,2 @@\n 1\r\n-2\r\n+3\r\n\
        --- a/mixed\r\n+++ b/mixed\r\n@@ -1,2 +1,2 @@\r\n-1\r\n+1\n 2\n";
    let bad = files(&[("a b\t\u{e9}\"", PLAIN, b"1\r\n3\r\n"), ("mixed", PLAIN, b"1\n2\n")]);
    assert_eq!(patched(&good, patch).unwrap(), bad);
}

#[test]
fn lines_are_found_where_they_are_nearest() {
    let good = files(&[("f", PLAIN, b"x\ny\n0\n0\nx\ny\n0\nx\ny\n")]);
    let patch = |line: u32| format!("--- f\n+++ f\n@@ -{line},2 +{line},2 @@\n x\n-y\n+new\n");
    let expected = [
        (1, "x\nnew\n0\n0\nx\ny\n0\nx\ny\n"),
        (4, "x\ny\n0\n0\nx\nnew\n0\nx\ny\n"),
        (6, "x\ny\n0\n0\nx\nnew\n0\nx\ny\n"),
        (99, "x\ny\n0\n0\nx\ny\n0\nx\nnew\n"),
    ];
    for (line, text) in expected {
        assert_eq!(patched(&good, patch(line)).unwrap(), files(&[("f", PLAIN, text.as_bytes())]), "{line}");
    }
}

#[test]
fn a_patch_that_does_not_fit_says_where_and_why() {
    let good = files(&[("d/f", PLAIN, b"1\n2\n3\n"), ("link", EntryKind::Symlink, b"d")]);
    let error = |patch: &str| {
        let error = patched(&good, patch).unwrap_err();
        assert!(!error.hint().is_empty());
        error.to_string()
    };
    let cases = [
        ("", "line 1 of the patch: there is no unified diff up to here"),
        (
            "x\n--- a/d/f\n+++ b/d/f\n@@ -1 +1 @@\n-other\n+new\n",
            "line 4 of the patch: these lines are not in `d/f` (expected at line 1)",
        ),
        ("--- a/no\n+++ b/no\n@@ -1 +1 @@\n-1\n+2\n", "line 1 of the patch: no: no such file to change"),
        (
            "--- /dev/null\n+++ b/d/f\n@@ -0,0 +1 @@\n+2\n",
            "line 1 of the patch: the file `d/f` exists already",
        ),
        (
            "--- a/d/f\n+++ b/d/f\n@@ -1,3 +1,3 @@\n-1\n",
            "line 4 of the patch: the hunk has fewer lines than its header says",
        ),
        ("--- a/d/f\n+++ b/d/f\n@@ -x +1 @@\n-1\n", "line 3 of the patch: this is not the header of a hunk"),
        (
            "--- /dev/null\n+++ b/../../etc/passwd\n@@ -0,0 +1 @@\n+2\n",
            "line 1 of the patch: the path `../../etc/passwd` leaves the tree",
        ),
        (
            "--- /dev/null\n+++ b/link/f\n@@ -0,0 +1 @@\n+2\n",
            "line 1 of the patch: `link/f` can't be in `link`, which is not a directory",
        ),
        (
            "--- a/d/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n",
            "line 1 of the patch: `d/f` is to be removed, but contains more lines than the patch removes",
        ),
        (
            "diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 1\n",
            "line 3 of the patch: the change of a binary file can't be read from a patch",
        ),
        (
            "Binary files a/x and b/x differ\n",
            "line 1 of the patch: the change of a binary file can't be read from a patch",
        ),
        (
            "*** a\n--- b\n***************\n",
            "line 3 of the patch: this is a context diff, not a unified diff",
        ),
    ];
    for (patch, expected) in cases {
        assert_eq!(error(patch), expected);
    }
    assert!(matches!(patched(&good, "diff --cc f\n").unwrap_err().why, BadPatchKind::OtherFormat(_)));
}
