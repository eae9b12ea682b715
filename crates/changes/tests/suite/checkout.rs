//! A candidate on disk is changed into the next one with the least that has to be written, whatever others have done there.

use crate::world::{Files, files, path, read, small_tree, tree};
use howcome_changes::{Base, Candidate, Checkout, EntryKind, LoadedEntry, Mix, TreeEntry};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::tempdir;

fn whole(files: &Files) -> Candidate {
    Candidate::of(Base::new(tree(files), format!("{files:?}").as_bytes()))
}

/// The same files as `files`, made from another base.
fn mixed(base: &Arc<Base>, files: &Files) -> Candidate {
    let gone = base.tree().iter().map(|(path, _)| (path.clone(), None));
    let come = files.iter().map(|(name, (kind, bytes))| {
        (path(name), Some(LoadedEntry { kind: *kind, bytes: bytes.clone().into() }))
    });
    let mix: Mix = gone.chain(come).collect();
    Candidate { base: Arc::clone(base), mix: mix.over(base.tree()).unwrap() }
}

/// What tells whether a file was written: where it is, when it was made.
fn marks(folder: &Path) -> BTreeMap<Vec<u8>, (u64, i64, i64)> {
    let mark = |name: &Vec<u8>| {
        let found = fs::symlink_metadata(folder.join(OsStr::from_bytes(name))).unwrap();
        (found.ino(), found.mtime(), found.mtime_nsec())
    };
    read(folder).keys().map(|name| (name.clone(), mark(name))).collect()
}

/// Everything in a folder, including folders, with modes, contents and targets.
fn everything(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(&inner).unwrap().map(Result::unwrap) {
            let found = entry.metadata().unwrap();
            let content = if found.is_symlink() {
                fs::read_link(entry.path()).unwrap().into_os_string().into_encoded_bytes()
            } else if found.is_dir() {
                open.push(entry.path());
                Vec::new()
            } else {
                fs::read(entry.path()).unwrap()
            };
            let path = entry.path().strip_prefix(folder).unwrap().to_owned();
            all.insert(path, (found.mode(), content));
        }
    }
    all
}

/// What a build or a test does to a tree.
#[derive(Clone, Debug)]
enum Mischief {
    Write(&'static str),
    Remove(&'static str),
    Link(&'static str),
    Directory(&'static str),
    Mode(&'static str),
    Lock(&'static str),
    Add(&'static str),
    HardLink(&'static str),
    SameSizeAndTime(&'static str),
}

fn mischief() -> impl Strategy<Value = Mischief> {
    let name = || prop::sample::select(vec!["a", "a/b", "a/b/c", "a/d", "a-b", "d", "d/e", "d/f", "x y"]);
    prop_oneof![
        name().prop_map(Mischief::Write),
        name().prop_map(Mischief::Remove),
        name().prop_map(Mischief::Link),
        name().prop_map(Mischief::Directory),
        name().prop_map(Mischief::Mode),
        name().prop_map(Mischief::Lock),
        name().prop_map(Mischief::Add),
        name().prop_map(Mischief::HardLink),
        name().prop_map(Mischief::SameSizeAndTime),
    ]
}

/// Does it to a file that is there, where there is one; `outside` is where links lead to.
fn spoil(folder: &Path, mischief: &Mischief, outside: &Path) {
    let remove = |place: &Path| {
        if fs::remove_file(place).is_err() {
            let _ = fs::remove_dir_all(place);
        }
    };
    // Never through a link that was planted before.
    let is_inside = |place: &Path| {
        place.ancestors().skip(1).take_while(|above| *above != folder).all(|above| !above.is_symlink())
    };
    let (Mischief::Write(name)
    | Mischief::Remove(name)
    | Mischief::Link(name)
    | Mischief::Directory(name)
    | Mischief::Mode(name)
    | Mischief::Lock(name)
    | Mischief::Add(name)
    | Mischief::HardLink(name)
    | Mischief::SameSizeAndTime(name)) = mischief;
    let place = folder.join(name);
    if !is_inside(&place) || fs::symlink_metadata(&place).is_err() {
        return;
    }
    match mischief {
        Mischief::Write(_) if place.is_file() && !place.is_symlink() => fs::write(&place, b"spoilt").unwrap(),
        Mischief::Mode(_) if place.is_file() && !place.is_symlink() => {
            let mode = place.metadata().unwrap().permissions().mode();
            fs::set_permissions(&place, PermissionsExt::from_mode(mode ^ 0o111)).unwrap();
        }
        Mischief::Link(_) => {
            remove(&place);
            symlink(outside, &place).unwrap();
        }
        Mischief::Directory(_) if !place.is_dir() => {
            remove(&place);
            fs::create_dir_all(place.join("deep")).unwrap();
        }
        Mischief::Remove(_) => remove(&place),
        Mischief::Lock(_) if place.is_dir() && !place.is_symlink() => {
            fs::set_permissions(&place, PermissionsExt::from_mode(0o500)).unwrap();
        }
        Mischief::Add(_) if place.is_dir() && !place.is_symlink() => {
            fs::create_dir_all(place.join("new/deep")).unwrap();
            fs::write(place.join("new/deep/file"), b"new").unwrap();
            fs::write(place.join("file"), b"new").unwrap();
        }
        // Written through another name, now and after the folder was restored.
        Mischief::HardLink(_) if place.is_file() && !place.is_symlink() => {
            let other = outside.with_extension("linked");
            let _ = fs::remove_file(&other);
            fs::hard_link(&place, other).unwrap();
        }
        Mischief::SameSizeAndTime(_) if place.is_file() && !place.is_symlink() => {
            let found = place.metadata().unwrap();
            let other: Vec<u8> = fs::read(&place).unwrap().iter().map(|byte| byte ^ 1).collect();
            fs::write(&place, other).unwrap();
            let file = fs::File::options().append(true).open(&place).unwrap();
            file.set_modified(found.modified().unwrap()).unwrap();
        }
        _ => {}
    }
}

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

#[test]
fn bytecode_of_a_file_that_is_written_is_forgotten_and_no_other() {
    let folder = tempdir().unwrap();
    let version = |text: &'static [u8]| {
        whole(&files(&[
            ("lib/part.py", EntryKind::PLAIN, text),
            ("lib/other.py", EntryKind::PLAIN, b"x = 1\n"),
        ]))
    };
    let mut checkout = Checkout::fresh(folder.path(), version(b"y = 1\n")).unwrap();
    let cache = folder.path().join("lib/__pycache__");
    fs::create_dir(&cache).unwrap();
    for name in ["part.cpython-311.pyc", "other.cpython-311.pyc", "part_two.cpython-311.pyc"] {
        fs::write(cache.join(name), "").unwrap();
    }
    // Python 2 writes it beside the file.
    for name in ["part.pyc", "part.pyo", "other.pyc"] {
        fs::write(folder.path().join("lib").join(name), "").unwrap();
    }
    checkout.switch(folder.path(), version(b"y = 2\n")).unwrap();
    let left = |name: &str| cache.join(name).exists();
    assert!(!left("part.cpython-311.pyc"));
    assert!(left("other.cpython-311.pyc") && left("part_two.cpython-311.pyc"));
    let left = |name: &str| folder.path().join("lib").join(name).exists();
    assert!(!left("part.pyc") && !left("part.pyo") && left("other.pyc"));
}

#[test]
fn bytecode_that_belongs_to_the_version_is_not_forgotten() {
    let folder = tempdir().unwrap();
    let version = |text: &'static [u8]| {
        whole(&files(&[("part.py", EntryKind::PLAIN, text), ("part.pyc", EntryKind::PLAIN, b"committed")]))
    };
    let mut checkout = Checkout::fresh(folder.path(), version(b"y = 1\n")).unwrap();
    checkout.switch(folder.path(), version(b"y = 2\n")).unwrap();
    assert!(folder.path().join("part.pyc").exists());
}
