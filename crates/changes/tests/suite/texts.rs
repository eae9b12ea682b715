//! Hunks of texts, without any process.

use crate::world::{PLAIN, changes, files, line_changes, mixed, subset, texts};
use howcome_changes::{CONTEXT, ChangeKind, patch_of_good};
use howcome_dd::Configuration;
use proptest::prelude::*;

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

/// The lines of a patch of one file, each with its mark, the ranges left out.
fn patch_lines(patch: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let mut marked: Vec<(u8, Vec<u8>)> = Vec::new();
    for line in lines(patch).into_iter().skip_while(|line| line[0] != b'@') {
        match line[0] {
            // The line before has no newline after all.
            b'\\' => drop(marked.last_mut().unwrap().1.pop()),
            mark => marked.push((mark, line[1..].to_vec())),
        }
    }
    marked
}

/// Applies a patch of one file line by line. It knows nothing of how mixes are really made.
fn patched(good: &[u8], patch: &[u8]) -> Vec<u8> {
    let (good, mut at, mut result) = (lines(good), 0, Vec::new());
    for (mark, line) in patch_lines(patch) {
        match mark {
            b'@' => {
                let range = String::from_utf8(line).unwrap();
                let (first, count) = range[3..].split(' ').next().unwrap().split_once(',').unwrap();
                let before = first.parse::<usize>().unwrap() - usize::from(count != "0");
                result.extend(good[at..before].concat());
                at = before;
            }
            b'+' => result.extend(line),
            _ => {
                assert_eq!(good[at], line);
                at += 1;
                result.extend(if mark == b' ' { line } else { Vec::new() });
            }
        }
    }
    result.extend(good[at..].concat());
    result
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn nothing_gives_the_good_bytes_and_all_give_the_bad((good, bad) in texts()) {
        let (good, bad) = (files(&[("f", PLAIN, &good)]), files(&[("f", PLAIN, &bad)]));
        let changes = changes(&good, &bad);
        prop_assert_eq!(changes.is_empty(), good == bad);
        prop_assert_eq!(mixed(&good, &changes, &Configuration::empty()), good.clone());
        prop_assert_eq!(mixed(&good, &changes, &changes.all()), bad);
    }

    #[test]
    fn a_mix_is_what_its_patch_makes_of_the_good_bytes((good, bad) in texts(), bits: u64) {
        let trees = (files(&[("f", PLAIN, &good)]), files(&[("f", PLAIN, &bad)]));
        for changes in [changes(&trees.0, &trees.1), line_changes(&trees.0, &trees.1)] {
            let configuration = subset(&changes, bits);
            let mixed = mixed(&trees.0, &changes, &configuration);
            prop_assert_eq!(&mixed[&b"f"[..]].1, &patched(&good, &patch_of_good(&changes, &configuration)));
        }
    }

    #[test]
    fn a_hunk_is_described_by_the_lines_of_its_patch((good, bad) in texts()) {
        let changes = changes(&files(&[("f", PLAIN, &good)]), &files(&[("f", PLAIN, &bad)]));
        for delta in changes.all().iter() {
            let patch = patch_lines(&patch_of_good(&changes, &Configuration::empty().with_delta(delta)));
            // A patch that changes nothing, because the lines around it are alike, is not written.
            if !patch.is_empty() {
                let marked = |mark| patch.iter().filter(|line| line.0 == mark).map(|line| &line.1[..]).collect::<Vec<_>>();
                let change = changes.describe(delta).unwrap();
                prop_assert_eq!(change.removed, marked(b'-'));
                prop_assert_eq!(change.added, marked(b'+'));
            }
        }
    }

    #[test]
    fn hunks_are_kept_apart_by_unchanged_lines((good, bad) in texts()) {
        let changes = changes(&files(&[("f", PLAIN, &good)]), &files(&[("f", PLAIN, &bad)]));
        let (good, bad) = (lines(&good), lines(&bad));
        let hunks: Vec<_> = changes.all().iter().map(|delta| changes.describe(delta).unwrap()).collect();
        for pair in hunks.windows(2) {
            prop_assert_eq!(pair[0].what, ChangeKind::Lines);
            let (old, new) = (pair[1].old_line as usize - 1, pair[1].new_line as usize - 1);
            for back in 1..=CONTEXT as usize {
                prop_assert_eq!(good[old - back], bad[new - back]);
            }
            prop_assert!(pair[0].old_line as usize + pair[0].removed.len() + CONTEXT as usize <= old + 1);
        }
    }
}
