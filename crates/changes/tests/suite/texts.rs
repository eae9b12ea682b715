//! Hunks of texts, without any process.

use crate::world::{PLAIN, changes, files, mixed, subset, texts};
use howcome_changes::{CONTEXT, ChangeKind, ChangeSet};
use howcome_dd::{Configuration, DeltaId};
use proptest::prelude::*;

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Applies hunks as they are described, from the last to the first, by nothing but their lines.
///
/// Slow and simple, and it knows nothing of how mixes are really made.
fn by_description(good: &[u8], bad: &[u8], changes: &ChangeSet, configuration: &Configuration) -> Vec<u8> {
    let (mut result, bad) = (lines(good), lines(bad));
    let mut deltas: Vec<DeltaId> = configuration.iter().collect();
    deltas.reverse();
    for delta in deltas {
        let change = changes.describe(delta).unwrap();
        // Unchanged lines within a hunk are on both sides, so they are found by walking the bad side.
        let (mut old, mut new) = (change.old_line as usize - 1, change.new_line as usize - 1);
        let (mut removed, mut added) = (change.removed.as_slice(), change.added.as_slice());
        let mut replacement = Vec::new();
        let start = old;
        while !removed.is_empty() || !added.is_empty() {
            let keeps = old < result.len() && new < bad.len() && result[old] == bad[new];
            if !removed.is_empty() && old < result.len() && result[old] == removed[0] && !keeps {
                (old, removed) = (old + 1, &removed[1..]);
            } else if !added.is_empty() && bad.get(new) == Some(&added[0]) && !keeps {
                replacement.push(added[0]);
                (new, added) = (new + 1, &added[1..]);
            } else {
                return Vec::from("not decidable from the lines alone");
            }
        }
        result.splice(start..old, replacement);
    }
    result.concat()
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
    fn a_mix_is_what_the_descriptions_of_its_hunks_say((good, bad) in texts(), bits: u64) {
        let trees = (files(&[("f", PLAIN, &good)]), files(&[("f", PLAIN, &bad)]));
        let changes = changes(&trees.0, &trees.1);
        let configuration = subset(&changes, bits);
        let expected = by_description(&good, &bad, &changes, &configuration);
        if expected != b"not decidable from the lines alone" {
            let mixed = mixed(&trees.0, &changes, &configuration);
            prop_assert_eq!(&mixed[&b"f"[..]].1, &expected);
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
