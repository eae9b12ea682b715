//! A folder becomes one candidate after the other.

use super::{marks, mixed, whole};
use crate::world::{files, path, read, small_tree, tree};
use howcome_changes::{Base, Candidate, Checkout, EntryKind, TreeEntry};
use proptest::prelude::*;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::tempdir;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// However candidates are made, and in whatever order they follow each other.
    #[test]
    fn switching_leaves_exactly_the_files_of_the_candidate(
        versions in prop::collection::vec((small_tree(), any::<bool>()), 2..6),
    ) {
        let folder = tempdir().unwrap();
        let base = Base::new(tree(&versions[0].0), b"first");
        let mut checkout = Checkout::fresh(folder.path(), Candidate::of(Arc::clone(&base))).unwrap();
        for (files, is_mixed) in versions {
            let candidate = if is_mixed { mixed(&base, &files) } else { whole(&files) };
            checkout.switch(folder.path(), candidate).unwrap();
            prop_assert_eq!(read(folder.path()), files);
        }
    }

    #[test]
    fn only_files_that_differ_are_written(one in small_tree(), other in small_tree()) {
        let folder = tempdir().unwrap();
        let mut checkout = Checkout::fresh(folder.path(), whole(&one)).unwrap();
        let before = marks(folder.path());
        checkout.switch(folder.path(), whole(&other)).unwrap();
        let after = marks(folder.path());
        for (name, entry) in &other {
            if one.get(name) == Some(entry) {
                prop_assert_eq!(before[name], after[name], "{} is as it was", String::from_utf8_lossy(name));
            } else if let Some(before) = before.get(name) {
                prop_assert_ne!(*before, after[name]);
            }
        }
    }

    #[test]
    fn what_others_have_made_stays(one in small_tree(), other in small_tree()) {
        let folder = tempdir().unwrap();
        let mut checkout = Checkout::fresh(folder.path(), whole(&one)).unwrap();
        fs::write(folder.path().join("made.o"), b"object").unwrap();
        fs::create_dir(folder.path().join("build")).unwrap();
        fs::write(folder.path().join("build/x.o"), b"object").unwrap();
        checkout.switch(folder.path(), whole(&other)).unwrap();
        let mut expected = other.clone();
        expected.extend(files(&[("made.o", EntryKind::PLAIN, b"object"), ("build/x.o", EntryKind::PLAIN, b"object")]));
        prop_assert_eq!(read(folder.path()), expected);
    }

    /// A build by time has to see that a file is newer than what was made of it.
    #[test]
    fn what_is_written_is_newer_than_what_was_there(one in small_tree(), other in small_tree()) {
        let folder = tempdir().unwrap();
        let mut checkout = Checkout::fresh(folder.path(), whole(&one)).unwrap();
        checkout.switch(folder.path(), whole(&one)).unwrap();
        let made = folder.path().join("made.o");
        fs::write(&made, b"object").unwrap();
        let old = SystemTime::now().checked_sub(Duration::from_secs(60)).unwrap();
        fs::File::options().append(true).open(&made).unwrap().set_modified(old).unwrap();
        checkout.switch(folder.path(), whole(&other)).unwrap();
        for (name, (kind, _)) in other.iter().filter(|(name, entry)| one.get(*name) != Some(entry)) {
            if *kind != EntryKind::Symlink {
                let place = folder.path().join(OsStr::from_bytes(name));
                prop_assert!(place.metadata().unwrap().modified().unwrap() > old);
            }
        }
    }
}

#[test]
fn all_files_of_a_fresh_tree_are_of_the_same_age() {
    let folder = tempdir().unwrap();
    let version = files(&[
        ("a", EntryKind::PLAIN, b"1"),
        ("d/b", EntryKind::PLAIN, b"2"),
        ("d/e/c", EntryKind::PLAIN, b"3"),
    ]);
    Checkout::fresh(folder.path(), whole(&version)).unwrap();
    let times: Vec<(i64, i64)> = marks(folder.path()).values().map(|mark| (mark.1, mark.2)).collect();
    assert_eq!(times.len(), 3);
    assert!(times.iter().all(|time| *time == times[0]), "{times:?}");
}

#[test]
fn files_and_directories_change_places() {
    let folder = tempdir().unwrap();
    let file = files(&[
        ("x", EntryKind::PLAIN, b"1"),
        ("y/a", EntryKind::PLAIN, b"1"),
        ("y/b/c", EntryKind::PLAIN, b"1"),
    ]);
    let directory = files(&[
        ("y", EntryKind::PLAIN, b"1"),
        ("x/a", EntryKind::PLAIN, b"1"),
        ("x/b/c", EntryKind::PLAIN, b"1"),
    ]);
    let mut checkout = Checkout::fresh(folder.path(), whole(&file)).unwrap();
    for files in [&directory, &file, &directory] {
        checkout.switch(folder.path(), whole(files)).unwrap();
        assert_eq!(&read(folder.path()), files);
    }
}

#[test]
fn a_file_comes_in_the_place_of_a_directory_in_which_others_left_something() {
    let folder = tempdir().unwrap();
    let directory = files(&[("x/a", EntryKind::PLAIN, b"1")]);
    let file = files(&[("x", EntryKind::PLAIN, b"1")]);
    let mut checkout = Checkout::fresh(folder.path(), whole(&directory)).unwrap();
    fs::write(folder.path().join("x/a.o"), b"object").unwrap();
    checkout.switch(folder.path(), whole(&file)).unwrap();
    assert_eq!(read(folder.path()), file);
}

#[test]
fn no_empty_directory_is_left_where_files_were() {
    let folder = tempdir().unwrap();
    let mut checkout = Checkout::fresh(
        folder.path(),
        whole(&files(&[("a/b/c/d", EntryKind::PLAIN, b"1"), ("e", EntryKind::PLAIN, b"")])),
    )
    .unwrap();
    checkout.switch(folder.path(), whole(&files(&[("e", EntryKind::PLAIN, b"")]))).unwrap();
    let left: Vec<PathBuf> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, [folder.path().join("e")]);
}

#[test]
fn a_switch_to_the_same_writes_nothing() {
    let folder = tempdir().unwrap();
    let version = files(&[
        ("a", EntryKind::PLAIN, b"1"),
        ("b/c", EntryKind::File { executable: true }, b"2"),
        ("l", EntryKind::Symlink, b"a"),
    ]);
    let mut checkout = Checkout::fresh(folder.path(), whole(&version)).unwrap();
    let before = marks(folder.path());
    checkout.switch(folder.path(), whole(&version)).unwrap();
    assert_eq!(marks(folder.path()), before);
    assert!(!checkout.is_rearranged());
    let entry = TreeEntry::of_bytes(EntryKind::PLAIN, b"new");
    let mut more = tree(&version);
    more.insert(path(b"new"), entry).unwrap();
    checkout.switch(folder.path(), Candidate::of(Base::new(more, b"more"))).unwrap();
    assert!(checkout.is_rearranged());
}
