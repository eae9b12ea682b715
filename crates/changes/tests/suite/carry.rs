//! Changes carried to other versions.

use crate::world::{EXECUTABLE, Files, PLAIN, changes, contents, files, line_changes, path, subset, tree};
use howcome_changes::{ChangeSet, Conflict, ConflictKind, EntryKind, apply_to, undo_from};
use howcome_dd::Configuration;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

fn applied(changes: &ChangeSet, chosen: &Configuration, onto: &Files) -> Result<Files, Conflict> {
    let mix = apply_to(changes, chosen, &tree(onto), &BTreeMap::new())?;
    Ok(contents(&tree(onto).with(&mix)))
}

fn undone(changes: &ChangeSet, chosen: &Configuration, onto: &Files) -> Result<Files, Conflict> {
    let mix = undo_from(changes, chosen, &tree(onto), &BTreeMap::new())?;
    Ok(contents(&tree(onto).with(&mix)))
}

fn file(text: impl AsRef<[u8]>) -> Files {
    files(&[("f", PLAIN, text.as_ref())])
}

/// What becomes of a block of a text: the lines from one number to another go, and some others come.
#[derive(Clone, Debug)]
struct Block {
    gone: std::ops::Range<usize>,
    come: usize,
    by_others: bool,
}

fn block() -> impl Strategy<Value = Block> {
    (2_usize..5, 0_usize..3, 0_usize..3, any::<bool>()).prop_map(|(start, gone, come, by_others)| Block {
        gone: start..(start + gone).min(5),
        come,
        by_others,
    })
}

/// A text of blocks of seven lines, no two lines alike, with some of the changes.
fn text(blocks: &[Block], is_made: impl Fn(&Block) -> bool) -> String {
    let mut text = String::new();
    for (nth, block) in blocks.iter().enumerate() {
        for line in 0..7 {
            if line == block.gone.start && is_made(block) {
                text.extend((0..block.come).map(|come| format!("{nth} new {come}\n")));
            }
            if !(block.gone.contains(&line) && is_made(block)) {
                text.push_str(&format!("{nth} old {line}\n"));
            }
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_change_finds_its_place_among_the_changes_of_others(blocks in prop::collection::vec(block(), 1..9)) {
        let good = file(text(&blocks, |_| false));
        let bad = file(text(&blocks, |block| !block.by_others));
        let onto = file(text(&blocks, |block| block.by_others));
        let all_made = file(text(&blocks, |_| true));
        for changes in [changes(&good, &bad), line_changes(&good, &bad)] {
            prop_assert_eq!(&applied(&changes, &changes.all(), &onto).unwrap(), &all_made);
            prop_assert_eq!(&undone(&changes, &changes.all(), &all_made).unwrap(), &onto);
        }
    }

    #[test]
    fn what_is_done_is_not_done_twice_and_can_be_undone(
        blocks in prop::collection::vec(block(), 1..9), bits: u64
    ) {
        let good = file(text(&blocks, |_| false));
        let bad = file(text(&blocks, |block| !block.by_others));
        let onto = file(text(&blocks, |block| block.by_others));
        let changes = changes(&good, &bad);
        let chosen = subset(&changes, bits);
        let done = applied(&changes, &chosen, &onto).unwrap();
        prop_assert_eq!(&applied(&changes, &chosen, &done).unwrap(), &done);
        let undone_again = undone(&changes, &chosen, &done).unwrap();
        prop_assert_eq!(&undone_again, &onto);
        prop_assert_eq!(&undone(&changes, &chosen, &onto).unwrap(), &onto);
    }
}

/// What `git merge-file` makes of three texts; `None` if it sees a conflict.
fn merged(base: &str, ours: &str, theirs: &str) -> Option<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut git = Command::new("git");
    git.args(["merge-file", "-p", "--diff-algorithm=histogram", "ours", "base", "theirs"]);
    let output = git.current_dir(folder.path()).env("GIT_DIR", folder.path().join("none")).output().unwrap();
    let conflicts = output.status.code().unwrap();
    assert!(conflicts < 128, "{}", String::from_utf8_lossy(&output.stderr));
    (conflicts == 0).then_some(output.stdout)
}

/// Some edits anywhere in a text of lines that all differ.
fn edited(by: &str, edits: &[(usize, usize, usize)]) -> String {
    let mut lines: Vec<String> = (0..40).map(|line| format!("line {line}\n")).collect();
    for (nth, &(at, gone, come)) in edits.iter().enumerate() {
        let at = at.min(lines.len());
        let end = (at + gone).min(lines.len());
        lines.splice(at..end, (0..come).map(|line| format!("{by} {nth} {line}\n")));
    }
    lines.concat()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn git_merges_to_the_same(
        mine in prop::collection::vec((0_usize..40, 0_usize..3, 0_usize..3), 1..4),
        others in prop::collection::vec((0_usize..40, 0_usize..3, 0_usize..3), 1..4),
    ) {
        let (base, theirs, ours) = (edited("", &[]), edited("mine", &mine), edited("others", &others));
        if let Some(merged) = merged(&base, &ours, &theirs) {
            for changes in [changes(&file(&base), &file(&theirs)), line_changes(&file(&base), &file(&theirs))] {
                prop_assert_eq!(applied(&changes, &changes.all(), &file(&ours)).unwrap(), file(&merged));
            }
        }
    }
}

#[test]
fn lines_that_others_changed_are_a_conflict_with_its_place() {
    let changes = changes(&file("a\nb\nc\n1\n2\n3\nd\n"), &file("a\nb\nC\n1\n2\n3\nD\n"));
    let error = applied(&changes, &changes.all(), &file("a\nb\nc\n1\n2\n3\nother\n")).unwrap_err();
    assert_eq!(error.to_string(), "f:7: the lines that change are different there");
    assert_eq!(error.delta.0, 1);
    let error = applied(&changes, &changes.all(), &files(&[])).unwrap_err();
    assert!(matches!(error.why, ConflictKind::Missing));
    assert!(error.hint().contains("another name"));
}

#[test]
fn an_insertion_needs_one_of_its_neighbours() {
    let changes = changes(&file("a\nb\nc\nd\n"), &file("a\nb\nnew\nc\nd\n"));
    let onto = |text: &str| applied(&changes, &changes.all(), &file(text));
    assert_eq!(onto("a\nb\nother\nd\n").unwrap(), file("a\nb\nnew\nother\nd\n"));
    assert_eq!(onto("a\nother\nc\nd\n").unwrap(), file("a\nother\nnew\nc\nd\n"));
    assert!(matches!(onto("a\nother\nd\n").unwrap_err().why, ConflictKind::NeighboursDiffer));
}

#[test]
fn a_file_comes_where_there_is_none_and_stays_where_it_is_already() {
    let added = changes(&files(&[]), &files(&[("d/f", PLAIN, b"1\n")]));
    let all = added.all();
    let there = files(&[("d/f", PLAIN, b"1\n")]);
    assert_eq!(applied(&added, &all, &files(&[])).unwrap(), there);
    assert_eq!(applied(&added, &all, &there).unwrap(), there);
    assert_eq!(undone(&added, &all, &there).unwrap(), files(&[]));
    assert_eq!(undone(&added, &all, &files(&[])).unwrap(), files(&[]));
    let other = files(&[("d/f", PLAIN, b"2\n")]);
    assert!(matches!(applied(&added, &all, &other).unwrap_err().why, ConflictKind::InTheWay));
    assert!(matches!(undone(&added, &all, &other).unwrap_err().why, ConflictKind::FileDiffers));
    let directory_is_a_file = files(&[("d", PLAIN, b"")]);
    assert!(matches!(applied(&added, &all, &directory_is_a_file).unwrap_err().why, ConflictKind::InTheWay));
}

#[test]
fn the_lines_of_a_new_file_come_and_go_one_by_one() {
    let added = line_changes(&files(&[]), &file("1\n2\n3\n"));
    let some: Configuration = "1,3".parse().unwrap();
    assert_eq!(applied(&added, &some, &files(&[])).unwrap(), file("1\n3\n"));
    assert_eq!(undone(&added, &some, &file("1\n2\n3\nmore\n")).unwrap(), file("2\nmore\n"));
    assert_eq!(undone(&added, &added.all(), &file("1\n2\n3\n")).unwrap(), files(&[]));
}

#[test]
fn whole_files_that_are_others_now_are_not_overwritten() {
    let good =
        files(&[("binary", PLAIN, b"\0a"), ("gone", PLAIN, b"1\n"), ("link", EntryKind::Symlink, b"a")]);
    let bad = files(&[("binary", PLAIN, b"\0b"), ("link", EntryKind::Symlink, b"b")]);
    let changes = changes(&good, &bad);
    assert_eq!(applied(&changes, &changes.all(), &good).unwrap(), bad);
    assert_eq!(undone(&changes, &changes.all(), &bad).unwrap(), good);
    assert_eq!(applied(&changes, &changes.all(), &bad).unwrap(), bad);
    for (path, bytes) in [("binary", &b"\0c"[..]), ("gone", b"2\n"), ("link", b"c")] {
        let mut onto = good.clone();
        onto.get_mut(path.as_bytes()).unwrap().1 = bytes.to_vec();
        let error = applied(&changes, &changes.all(), &onto).unwrap_err();
        assert!(matches!(error.why, ConflictKind::FileDiffers), "{path}");
    }
}

#[test]
fn place_and_mode_are_carried_beside_the_lines() {
    let lines = "first\n1\n2\nthe middle\n4\n5\nlast\n";
    let good = files(&[("old", PLAIN, lines.as_bytes())]);
    let bad = files(&[("new", EXECUTABLE, lines.replace("last", "LAST").as_bytes())]);
    let changes = changes(&good, &bad);
    let other = lines.replace("first", "FIRST");
    let onto = files(&[("old", PLAIN, other.as_bytes())]);
    let carried = files(&[("new", EXECUTABLE, other.replace("last", "LAST").as_bytes())]);
    assert_eq!(applied(&changes, &changes.all(), &onto).unwrap(), carried);
    assert_eq!(undone(&changes, &changes.all(), &carried).unwrap(), onto);
    let hunk: Configuration = "3".parse().unwrap();
    let moved_before = files(&[("new", PLAIN, other.as_bytes())]);
    let expected = files(&[("new", PLAIN, other.replace("last", "LAST").as_bytes())]);
    assert_eq!(applied(&changes, &hunk, &moved_before).unwrap(), expected);
}

#[test]
fn a_file_is_found_under_the_name_it_has_there() {
    let changes = changes(&file("a\n"), &file("b\n"));
    let onto = tree(&files(&[("elsewhere/g", PLAIN, b"a\n")]));
    let moved = BTreeMap::from([(path(b"f"), path(b"elsewhere/g"))]);
    let mix = apply_to(&changes, &changes.all(), &onto, &moved).unwrap();
    assert_eq!(contents(&onto.with(&mix)), files(&[("elsewhere/g", PLAIN, b"b\n")]));
}
