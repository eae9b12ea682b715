//! Mixes laid over trees, one after the other.

use crate::world::{Files, PLAIN, changes, contents, files, path, small_tree, subset, tree};
use howcome_changes::{EntryKind, LoadedEntry, Mix, mix};
use proptest::prelude::*;

fn plain(bytes: &[u8]) -> Option<LoadedEntry> {
    Some(LoadedEntry { kind: EntryKind::PLAIN, bytes: bytes.into() })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_mix_of_all_changes_makes_the_bad_tree_of_the_good_one(good in small_tree(), bad in small_tree()) {
        let changes = changes(&good, &bad);
        prop_assert_eq!(contents(&tree(&good).with(&mix(&changes, &changes.all()))), bad);
    }

    #[test]
    fn two_mixes_one_after_the_other_are_one(
        first in small_tree(), second in small_tree(), third in small_tree(), bits: (u64, u64)
    ) {
        let there = changes(&first, &second);
        let earlier = mix(&there, &subset(&there, bits.0));
        let between = tree(&first).with(&earlier);
        let on = changes(&contents(&between), &third);
        let later = mix(&on, &subset(&on, bits.1));
        let both = earlier.then(&later);
        prop_assert_eq!(contents(&tree(&first).with(&both)), contents(&between.with(&later)));
        let needed = both.over(&tree(&first)).unwrap();
        prop_assert_eq!(contents(&tree(&first).with(&needed)), contents(&between.with(&later)));
        for (path, version) in needed.iter() {
            let version = version.map(|version| (version.kind, version.bytes.to_vec()));
            prop_assert_ne!(first.get(path.as_bytes()), version.as_ref());
        }
    }
}

#[test]
fn what_stands_in_the_way_of_a_file_makes_way() {
    let base: Files = files(&[("a", PLAIN, b"1"), ("b/c/d", PLAIN, b"2"), ("b-c", PLAIN, b"3")]);
    let mix: Mix = [(path(b"a/x"), plain(b"4")), (path(b"b"), plain(b"5"))].into_iter().collect();
    let expected = files(&[("a/x", PLAIN, b"4"), ("b", PLAIN, b"5"), ("b-c", PLAIN, b"3")]);
    assert_eq!(contents(&tree(&base).with(&mix)), expected);
}

#[test]
fn what_is_there_already_needs_no_writing() {
    let base = tree(&files(&[("a", PLAIN, b"1"), ("b", PLAIN, b"2")]));
    let mix: Mix =
        [(path(b"a"), plain(b"1")), (path(b"b"), plain(b"3")), (path(b"c"), None)].into_iter().collect();
    assert_eq!(mix.over(&base).unwrap().iter().map(|(path, _)| path.to_string()).collect::<Vec<_>>(), ["b"]);
}
