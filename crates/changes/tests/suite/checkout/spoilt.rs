//! What a test has spoilt is restored, and nothing is written through what it left.

use super::mischief::{Mischief, mischief, spoil};
use super::{everything, marks, mixed, whole};
use crate::world::{files, read, small_tree, tree};
use howcome_changes::{Base, Candidate, Checkout, EntryKind};
use proptest::prelude::*;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use tempfile::tempdir;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// What a test does to the files of the tree is undone, and nothing is ever written through a link that it planted.
    #[test]
    fn what_others_have_spoilt_is_restored(
        one in small_tree(),
        other in small_tree(),
        deeds in prop::collection::vec(mischief(), 1..5),
    ) {
        let (folder, outside) = (tempdir().unwrap(), tempdir().unwrap());
        fs::write(outside.path().join("mine"), b"mine").unwrap();
        for name in ["b", "c", "d", "e", "f"] {
            fs::write(outside.path().join(name), b"not yours").unwrap();
        }
        let before = marks(outside.path());
        let mut checkout = Checkout::fresh(folder.path(), whole(&one)).unwrap();
        for deed in &deeds {
            spoil(folder.path(), deed, outside.path());
        }
        checkout.switch(folder.path(), whole(&other)).unwrap();
        let after = read(folder.path());
        for (name, entry) in &other {
            prop_assert_eq!(after.get(name), Some(entry), "{}", String::from_utf8_lossy(name));
        }
        for name in one.keys().filter(|name| !other.contains_key(*name)) {
            prop_assert!(!after.contains_key(name), "{} is gone", String::from_utf8_lossy(name));
        }
        prop_assert_eq!(marks(outside.path()), before);
        prop_assert_eq!(read(outside.path()).len(), 6);
    }

    /// Whatever a test does, the next one finds the folder as if it were written to an empty one. The other folder is the oracle.
    #[test]
    fn a_renewed_folder_is_like_a_fresh_one(
        versions in prop::collection::vec((small_tree(), any::<bool>(), prop::collection::vec(mischief(), 0..6)), 1..4),
        last in small_tree(),
    ) {
        let (around, fresh, outside) = (tempdir().unwrap(), tempdir().unwrap(), tempdir().unwrap());
        let folder = around.path().join("work");
        fs::create_dir(&folder).unwrap();
        let outside = outside.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("mine"), b"mine").unwrap();
        let before = marks(&outside);
        let mut checkout: Option<Checkout> = None;
        for (files, is_clean, deeds) in versions {
            match &mut checkout {
                None => checkout = Some(Checkout::fresh(&folder, whole(&files)).unwrap()),
                Some(checkout) if is_clean => checkout.renew(&folder, whole(&files)).unwrap(),
                // What a test has locked or replaced can be in the way.
                Some(checkout) => if checkout.switch(&folder, whole(&files)).is_err() {
                    checkout.renew(&folder, whole(&files)).unwrap();
                },
            }
            for deed in &deeds {
                spoil(&folder, deed, &outside);
            }
        }
        let mut checkout = checkout.unwrap();
        checkout.renew(&folder, whole(&last)).unwrap();
        Checkout::fresh(fresh.path(), whole(&last)).unwrap();
        // Nothing that a test has linked to is in the folder any more.
        let linked = outside.with_extension("linked");
        if linked.exists() {
            fs::write(&linked, b"later").unwrap();
        }
        prop_assert_eq!(everything(&folder), everything(fresh.path()));
        prop_assert_eq!(marks(&outside), before);
        let times: Vec<(i64, i64)> = marks(&folder).values().map(|mark| (mark.1, mark.2)).collect();
        let is_link = |name: &Vec<u8>| last[name].0 == EntryKind::Symlink;
        if !last.keys().any(is_link) {
            prop_assert!(times.iter().all(|time| *time == times[0]), "{times:?}");
        }
        // It goes on from there as from a fresh one.
        checkout.switch(&folder, whole(&last)).unwrap();
        prop_assert_eq!(everything(&folder), everything(fresh.path()));
    }

    /// After a test that was killed, nothing of what it added or changed stays.
    #[test]
    fn without_additions_a_folder_has_the_files_of_the_candidate_alone(
        one in small_tree(),
        other in small_tree(),
        deeds in prop::collection::vec(mischief(), 0..6),
    ) {
        let (folder, fresh, outside) = (tempdir().unwrap(), tempdir().unwrap(), tempdir().unwrap());
        let mut checkout = Checkout::fresh(folder.path(), whole(&one)).unwrap();
        fs::create_dir_all(folder.path().join("build/deep")).unwrap();
        fs::write(folder.path().join("build/deep/x.o"), b"object").unwrap();
        for deed in deeds.iter().filter(|deed| !matches!(deed, Mischief::Lock(_))) {
            spoil(folder.path(), deed, outside.path());
        }
        checkout.remove_additions(folder.path()).unwrap();
        checkout.switch(folder.path(), whole(&other)).unwrap();
        Checkout::fresh(fresh.path(), whole(&other)).unwrap();
        prop_assert_eq!(everything(folder.path()), everything(fresh.path()));
        let _ = fs::remove_file(outside.path().with_extension("linked"));
    }
}

#[test]
fn a_file_that_a_test_changes_each_time_is_restored_each_time() {
    let folder = tempdir().unwrap();
    let version = |n: u8| files(&[("log", EntryKind::PLAIN, b"empty"), ("code", EntryKind::PLAIN, &[n])]);
    let mut checkout = Checkout::fresh(folder.path(), whole(&version(0))).unwrap();
    for n in 1..5 {
        fs::write(folder.path().join("log"), [b'x', n]).unwrap();
        checkout.switch(folder.path(), whole(&version(n))).unwrap();
        assert_eq!(read(folder.path()), version(n));
    }
}

/// A file that is overwritten need not be removed and made again. Through another name, a test could see or change the next content.
#[test]
fn a_file_is_overwritten_unless_it_has_another_name_or_was_changed() {
    let (folder, outside) = (tempdir().unwrap(), tempdir().unwrap());
    let version = |text: &[u8]| {
        let names = ["changed", "linked", "plain"];
        files(&names.map(|name| (name, EntryKind::PLAIN, text)))
    };
    let steps: [fn(&mut Checkout, &Path, Candidate); 2] = [
        |checkout, folder, candidate| checkout.switch(folder, candidate).unwrap(),
        |checkout, folder, candidate| checkout.renew(folder, candidate).unwrap(),
    ];
    for (number, step) in steps.iter().enumerate() {
        let folder = folder.path().join(number.to_string());
        fs::create_dir(&folder).unwrap();
        let mut checkout = Checkout::fresh(&folder, whole(&version(b"a long first content"))).unwrap();
        let before = marks(&folder);
        let link = outside.path().join(number.to_string());
        fs::hard_link(folder.join("linked"), &link).unwrap();
        fs::write(folder.join("changed"), b"another").unwrap();
        step(&mut checkout, &folder, whole(&version(b"second")));
        assert_eq!(read(&folder), version(b"second"));
        assert_eq!(fs::read(&link).unwrap(), b"a long first content");
        let after = marks(&folder);
        let is_same_file = |name: &str| before[name.as_bytes()].0 == after[name.as_bytes()].0;
        assert!(is_same_file("plain"));
        assert!(!is_same_file("linked"));
    }
}

#[test]
fn a_varied_file_that_is_changed_for_the_first_time_later_is_restored() {
    let folder = tempdir().unwrap();
    let first = files(&[("code", EntryKind::PLAIN, b"0"), ("other", EntryKind::PLAIN, b"0")]);
    let base = Base::new(tree(&first), b"base");
    let version = |n: u8| files(&[("code", EntryKind::PLAIN, &[n]), ("other", EntryKind::PLAIN, b"0")]);
    let mut checkout = Checkout::fresh(folder.path(), Candidate::of(Arc::clone(&base))).unwrap();
    checkout.switch(folder.path(), mixed(&base, &version(1))).unwrap();
    fs::write(folder.path().join("code"), b"spoilt").unwrap();
    checkout.switch(folder.path(), mixed(&base, &version(1))).unwrap();
    assert_eq!(read(folder.path()), version(1));
}

#[test]
fn a_directory_that_became_a_link_to_elsewhere_is_not_followed() {
    let (folder, outside) = (tempdir().unwrap(), tempdir().unwrap());
    let version = |n: &[u8]| files(&[("src/code", EntryKind::PLAIN, n), ("src/gone", EntryKind::PLAIN, n)]);
    let mut checkout = Checkout::fresh(folder.path(), whole(&version(b"1"))).unwrap();
    fs::remove_dir_all(folder.path().join("src")).unwrap();
    fs::write(outside.path().join("code"), b"mine").unwrap();
    fs::write(outside.path().join("gone"), b"mine").unwrap();
    symlink(outside.path(), folder.path().join("src")).unwrap();
    let after = files(&[("src/code", EntryKind::PLAIN, b"2")]);
    checkout.switch(folder.path(), whole(&after)).unwrap();
    assert_eq!(read(folder.path()), after);
    assert_eq!(
        read(outside.path()),
        files(&[("code", EntryKind::PLAIN, b"mine"), ("gone", EntryKind::PLAIN, b"mine")])
    );
}
