//! Every sort of change, in words.

use crate::world::{EXECUTABLE, Files, PLAIN, changes, files, mixed, words};
use howcome_changes::{ChangeKind, EntryKind};
use howcome_dd::{Configuration, DeltaId};
use howcome_run::Subject;
use std::collections::HashSet;

fn words_of(good: &[(&str, EntryKind, &[u8])], bad: &[(&str, EntryKind, &[u8])]) -> Vec<String> {
    let (good, bad): (Files, Files) = (files(good), files(bad));
    let changes = changes(&good, &bad);
    assert_eq!(mixed(&good, &changes, &Configuration::empty()), good);
    assert_eq!(mixed(&good, &changes, &changes.all()), bad);
    words(&changes)
}

#[test]
fn a_file_that_comes_or_goes_is_one_delta() {
    assert_eq!(words_of(&[("a", PLAIN, b"1\n2\n")], &[]), ["a: file removed"]);
    assert_eq!(words_of(&[], &[("a", EntryKind::Symlink, b"b")]), ["a: symbolic link added"]);
}

#[test]
fn the_mode_is_a_delta_beside_the_hunks() {
    let words = words_of(&[("a", PLAIN, b"1\n2\n")], &[("a", EXECUTABLE, b"1\n")]);
    assert_eq!(words, ["a: made executable", "a:2: 1 line removed"]);
    assert_eq!(words_of(&[("a", EXECUTABLE, b"1")], &[("a", PLAIN, b"1")]), ["a: no longer executable"]);
}

#[test]
fn what_is_no_text_is_one_delta() {
    let words = |good: &[u8], bad: &[u8], kind| words_of(&[("a", kind, good)], &[("a", kind, bad)]);
    assert_eq!(words(b"\0\n1\n2\n3\n", b"x\n1\n2\ny\n", PLAIN), ["a: binary file changed"]);
    assert_eq!(words(b"here", b"there", EntryKind::Symlink), ["a: symbolic link leads elsewhere"]);
    assert_eq!(words(b"0123", b"4567", EntryKind::Submodule), ["a: submodule at another commit"]);
    assert_eq!(
        words_of(&[("a", PLAIN, b"1")], &[("a", EntryKind::Symlink, b"1")]),
        ["a: file became symbolic link"]
    );
}

#[test]
fn a_file_that_moved_is_one_delta() {
    let good = [("old/a", PLAIN, &b"1\n"[..]), ("old/b", PLAIN, b"1\n"), ("x", PLAIN, b"1\n")];
    let bad = [("new/b", PLAIN, &b"1\n"[..]), ("x", PLAIN, b"1\n"), ("y", PLAIN, b"1\n")];
    assert_eq!(words_of(&good, &bad), ["new/b: renamed from old/b", "y: renamed from old/a"]);
}

#[test]
fn empty_files_are_not_taken_for_moved_ones() {
    assert_eq!(words_of(&[("a", PLAIN, b"")], &[("b", PLAIN, b"")]), ["a: file removed", "b: file added"]);
}

#[test]
fn a_file_and_a_directory_of_one_name_are_never_mixed() {
    let file = [("a", PLAIN, &b"1"[..]), ("a-b", PLAIN, b"1\n")];
    let directory = [("a-b", PLAIN, &b"2\n"[..]), ("a/b", PLAIN, b"1"), ("a/c/d", PLAIN, b"2")];
    let hunk = "a-b:1: 1 line removed, 1 added";
    assert_eq!(words_of(&file, &directory), ["a: replaced by a directory", hunk]);
    assert_eq!(words_of(&directory, &file), ["a: directory replaced by a file", hunk]);
}

#[test]
fn a_hunk_tells_its_lines_but_not_the_unchanged_ones_between() {
    let (good, bad) = (files(&[("a", PLAIN, b"1\n2\n3\r\n4")]), files(&[("a", PLAIN, b"1\nx\ny\n3\r\n4\n")]));
    let changes = changes(&good, &bad);
    let change = changes.describe(DeltaId(0)).unwrap();
    assert_eq!((change.what, change.old_line, change.new_line), (ChangeKind::Lines, 2, 2));
    assert_eq!(change.removed, [&b"2\n"[..], b"4"]);
    assert_eq!(change.added, [&b"x\n"[..], b"y\n", b"4\n"]);
    assert_eq!(changes.describe(DeltaId(1)), None);
}

#[test]
fn a_mix_is_known_by_its_content() {
    let good = files(&[("a", PLAIN, b"x"), ("b", PLAIN, b"")]);
    let bad = files(&[("a", PLAIN, b"y"), ("b", EXECUTABLE, b"")]);
    let changes = changes(&good, &bad);
    let content = |text: &str| changes.content(&text.parse().unwrap()).unwrap();
    assert_eq!(content("1"), content("1,9"), "there is no ninth delta");
    assert_eq!(["-", "1", "2", "1-2"].map(content).iter().collect::<HashSet<_>>().len(), 4);
}
