//! The groups for a search from coarse to fine.

use crate::world::{Files, PLAIN, changes, files, line_changes};
use howcome_changes::ChangeSet;
use howcome_dd::{Answer, Ask, CoarseToFine, Ddmin, Outcome, Search};
use proptest::prelude::*;
use std::ops::Range;

fn assert_nested(changes: &ChangeSet) {
    let levels = changes.levels();
    let mut outer: Vec<Range<u32>> = std::iter::once(0..changes.len()).collect();
    for level in levels {
        let covered: Vec<u32> = level.iter().cloned().flatten().collect();
        assert_eq!(covered, (0..changes.len()).collect::<Vec<_>>());
        let lies_in = |group: &Range<u32>| outer.iter().any(|o| o.start <= group.start && group.end <= o.end);
        assert!(level.iter().all(lies_in), "{level:?} in {outer:?}");
        outer = level;
    }
    assert!(outer.iter().all(|group| group.len() == 1) || changes.is_empty());
}

fn edited(paths: &[&str]) -> (Files, Files) {
    let good: Vec<_> = paths.iter().map(|path| (*path, PLAIN, &b"a\n1\n2\nb\n"[..])).collect();
    let bad: Vec<_> = paths.iter().map(|path| (*path, PLAIN, &b"A\n1\n2\nB\n"[..])).collect();
    (files(&good), files(&bad))
}

#[test]
fn directories_come_before_files_and_files_before_hunks() {
    let (good, bad) = edited(&["a/x/1", "a/x/2", "a/y", "b"]);
    let levels = changes(&good, &bad).levels();
    assert_eq!(levels[0], [0..6, 6..8]);
    assert_eq!(levels[1], [0..4, 4..6, 6..8]);
    assert_eq!(levels[2], [0..2, 2..4, 4..6, 6..8]);
    assert_eq!(levels[3].len(), 8);
    assert_eq!(levels.len(), 4);
}

#[test]
fn hunks_come_before_lines() {
    let good = files(&[("f", PLAIN, b"a\nb\n1\n2\nc\n1\nd\n")]);
    let bad = files(&[("f", PLAIN, b"A\nB\n1\n2\nC\n1\n"), ("g", PLAIN, b"1\n2\n")]);
    let levels = line_changes(&good, &bad).levels();
    assert_eq!(levels, [vec![0..4, 4..6], vec![0..2, 2..4, 4..6], (0..6).map(|at| at..at + 1).collect()]);
}

#[test]
fn groups_as_configurations_end_before_single_deltas() {
    let (good, bad) = edited(&["a/x/1", "a/x/2", "b"]);
    let groups = changes(&good, &bad).level_groups();
    let shown: Vec<Vec<String>> =
        groups.iter().map(|level| level.iter().map(ToString::to_string).collect()).collect();
    assert_eq!(shown, [vec!["1-4", "5-6"], vec!["1-2", "3-4", "5-6"]]);
}

#[test]
fn levels_that_decide_nothing_are_left_out() {
    let (good, bad) = edited(&["deep/deep/down/1", "deep/deep/down/2"]);
    assert_eq!(changes(&good, &bad).levels().len(), 2);
    assert!(changes(&good, &good).levels().is_empty());
}

#[test]
fn a_search_by_levels_finds_the_hunk() {
    let (good, bad) = edited(&["a/x/1", "a/x/2", "a/y", "b/z", "c"]);
    let changes = changes(&good, &bad);
    let mut search = CoarseToFine::new(changes.all(), changes.levels(), Ddmin::new);
    let finding = loop {
        match search.ask() {
            Ask::Done(finding) => break finding,
            Ask::Test(question) => {
                let fails = question.configuration.contains(howcome_dd::DeltaId(5));
                search.tell(Answer::from(if fails { Outcome::Fail } else { Outcome::Pass }));
            }
        }
    };
    assert_eq!(finding.failing.to_string(), "6");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn levels_hold_all_deltas_and_nest(
        good in prop::collection::btree_map("[ab.]-?/[ab]{1,2}/[xy-]", "[12]{0,3}", 0..8),
        bad in prop::collection::btree_map("[ab]-?(/[ab])?/[xy-]{2}", "[12]{0,3}", 0..8),
        both in prop::collection::btree_map("[a-c]{3}(/[xy]{3}){0,3}z", "[12\n]{0,9}", 0..8),
    ) {
        let plain = |(path, text): (&String, &String)| (path.clone().into_bytes(), (PLAIN, text.clone().into_bytes()));
        let legal = |file: &(Vec<u8>, _)| !file.0.starts_with(b"./");
        let shared = |text: &str| both.iter().map(plain).map(|(path, (kind, _))| (path, (kind, text.as_bytes().to_vec()))).collect::<Vec<_>>();
        let good = good.iter().map(plain).filter(legal).chain(shared("1\n2\n3\n4\n")).collect();
        let bad: Files = bad.iter().map(plain).chain(both.iter().map(plain)).collect();
        assert_nested(&changes(&good, &bad));
        assert_nested(&line_changes(&good, &bad));
    }
}
