//! Files that moved and changed.

use crate::world::{EXECUTABLE, PLAIN, changes, files, mixed, path, words};
use howcome_changes::{ChangeSet, Tree, TreeEntry};
use howcome_dd::Configuration;

#[test]
fn place_mode_and_hunks_of_a_moved_file_vary_independently() {
    let good = files(&[("old", PLAIN, b"first\n1\n2\nthe middle\n4\n5\nlast\n")]);
    let bad = files(&[("new", EXECUTABLE, b"FIRST\n1\n2\nthe middle\n4\n5\nLAST\n")]);
    let changes = changes(&good, &bad);
    let hunks = ["new:1: 1 line removed, 1 added", "new:7: 1 line removed, 1 added"];
    assert_eq!(words(&changes), ["new: renamed from old", "new: made executable", hunks[0], hunks[1]]);

    let mix = |text: &str| mixed(&good, &changes, &text.parse::<Configuration>().unwrap());
    assert_eq!(mix("1"), files(&[("new", PLAIN, b"first\n1\n2\nthe middle\n4\n5\nlast\n")]));
    assert_eq!(mix("3"), files(&[("old", PLAIN, b"FIRST\n1\n2\nthe middle\n4\n5\nlast\n")]));
    assert_eq!(mix("1-2,4"), files(&[("new", EXECUTABLE, b"first\n1\n2\nthe middle\n4\n5\nLAST\n")]));
    assert_eq!(mix("1-4"), bad);
}

#[test]
fn a_file_that_only_lost_its_mode_on_the_way_is_still_the_same() {
    let (good, bad) = (files(&[("old", EXECUTABLE, b"1\n")]), files(&[("new", PLAIN, b"1\n")]));
    assert_eq!(words(&changes(&good, &bad)), ["new: renamed from old", "new: no longer executable"]);
}

#[test]
fn files_with_little_in_common_are_no_rename() {
    let good = files(&[("old", PLAIN, b"one\ntwo\nthree\n"), ("old binary", PLAIN, b"\0\n1\n2\n3\n")]);
    let bad = files(&[("new", PLAIN, b"three\nfour\nfive\n"), ("new binary", PLAIN, b"\0\n1\n2\n3\n4\n")]);
    assert_eq!(changes(&good, &bad).len(), 4);
}

#[test]
fn a_moved_folder_is_recognised_file_by_file_although_all_begin_alike() {
    let license = "A line of a license that nobody reads\n".repeat(30);
    let text = |nth: u32, last: &str| {
        let own: String = (0..20).map(|line| format!("{} of {nth}\n", line * nth)).collect();
        format!("{license}{own}{last}").into_bytes()
    };
    let folder = |name: &str, last: &str| {
        let mut tree = Tree::empty();
        for nth in 0..200 {
            let name = format!("{name}/{nth}");
            tree.insert(path(name.as_bytes()), TreeEntry::of_bytes(PLAIN, &text(nth, last))).unwrap();
        }
        tree
    };
    let changes = ChangeSet::between(&folder("old", "good\n"), &folder("new", "bad\n")).unwrap();
    let words = words(&changes);
    assert_eq!(words.len(), 400);
    for nth in 0..200 {
        assert!(words.contains(&format!("new/{nth}: renamed from old/{nth}")));
    }
}
