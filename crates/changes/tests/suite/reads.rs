//! What is read of a folder, with real files. Where the file system does not note reads there is nothing to test.

use crate::world::{PLAIN, files, path, write};
use howcome_changes::TreePath;
use howcome_changes::reads::ReadTrace;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

fn folder(names: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let list: Vec<_> = names.iter().map(|name| (*name, PLAIN, &b"some bytes\n"[..])).collect();
    write(folder.path(), &files(&list));
    folder
}

fn paths(names: &[&str]) -> BTreeSet<TreePath> {
    names.iter().map(|name| path(name.as_bytes())).collect()
}

fn begin(root: &Path, names: &[&str]) -> Option<ReadTrace> {
    ReadTrace::begin(root, paths(names).iter()).unwrap()
}

#[test]
fn a_file_that_is_read_is_not_unread_and_the_others_are() {
    let names = ["a/b.c", "a/c.c", "copied", "d", "part", "run"];
    let folder = folder(&names);
    let at = |name: &str| folder.path().join(name);
    let Some(trace) = begin(folder.path(), &names) else { return };
    fs::read(at("a/b.c")).unwrap();
    fs::copy(at("copied"), at("copy")).unwrap();
    File::open(at("part")).unwrap().read_exact(&mut [0]).unwrap();
    assert!(Command::new("cat").arg(at("run")).output().unwrap().status.success());
    assert_eq!(trace.finish(), paths(&["a/c.c", "d"]));
}

#[test]
fn writing_and_looking_at_a_file_is_not_reading_it() {
    let names = ["appended", "written", "looked", "opened", "listed/x", "then-read"];
    let folder = folder(&names);
    let at = |name: &str| folder.path().join(name);
    let Some(trace) = begin(folder.path(), &names) else { return };
    File::options().append(true).open(at("appended")).unwrap().write_all(b"more\n").unwrap();
    fs::write(at("written"), "new\n").unwrap();
    fs::metadata(at("looked")).unwrap();
    File::open(at("opened")).unwrap();
    fs::read_dir(at("listed")).unwrap().count();
    fs::write(at("then-read"), "new\n").unwrap();
    fs::read(at("then-read")).unwrap();
    assert_eq!(trace.finish(), paths(&["appended", "listed/x", "looked", "opened", "written"]));
}

#[test]
fn times_of_modification_stay_to_the_nanosecond_and_nothing_is_left_in_the_folder() {
    let names = ["a/b.c", "d"];
    let folder = folder(&names);
    let seen = || {
        let time = |name: &str| {
            let metadata = fs::metadata(folder.path().join(name)).unwrap();
            (metadata.mtime(), metadata.mtime_nsec())
        };
        ["a/b.c", "a", "d", "."].map(time)
    };
    let before = seen();
    let Some(trace) = begin(folder.path(), &names) else { return };
    assert_eq!(seen(), before);
    assert_eq!(trace.finish(), paths(&names));
    assert_eq!(seen(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn what_was_replaced_or_removed_is_not_called_unread() {
    let names = ["kept", "removed", "replaced"];
    let folder = folder(&names);
    let at = |name: &str| folder.path().join(name);
    let Some(trace) = begin(folder.path(), &names) else { return };
    fs::remove_file(at("removed")).unwrap();
    fs::write(at("new"), "new\n").unwrap();
    fs::rename(at("new"), at("replaced")).unwrap();
    assert_eq!(trace.finish(), paths(&["kept"]));
}

#[test]
fn what_is_no_file_with_content_is_not_called_unread() {
    let folder = folder(&["file", "folder/x"]);
    fs::write(folder.path().join("empty"), "").unwrap();
    let Some(trace) = begin(folder.path(), &["empty", "file", "file/x", "folder", "nowhere", "no/where"])
    else {
        return;
    };
    assert_eq!(trace.finish(), paths(&["file"]));
}

#[test]
fn links_are_watched_themselves_and_lead_nowhere() {
    let outside = folder(&["target", "x"]);
    let folder = folder(&["file"]);
    symlink(outside.path().join("target"), folder.path().join("link")).unwrap();
    symlink(outside.path().join("target"), folder.path().join("followed")).unwrap();
    symlink(outside.path(), folder.path().join("out")).unwrap();
    let accessed = |name: &str| fs::metadata(outside.path().join(name)).unwrap().atime();
    let before = ["target", "x"].map(accessed);
    let Some(trace) = begin(folder.path(), &["file", "followed", "link", "out/x"]) else { return };
    assert_eq!(["target", "x"].map(accessed), before);
    fs::read(folder.path().join("followed")).unwrap();
    assert_eq!(trace.finish(), paths(&["file", "link"]));
}

#[test]
fn a_folder_without_files_can_not_be_watched() {
    let folder = TempDir::new().unwrap();
    assert!(begin(folder.path(), &["a"]).is_none());
    assert!(ReadTrace::begin(&folder.path().join("nowhere"), [].iter()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(30) })]

    #[test]
    fn unread_and_read_together_are_all(read in prop::collection::btree_set(0_usize..20, 0..20)) {
        let names: Vec<String> = (0..20).map(|nth| format!("{}/{nth}", nth % 3)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let folder = folder(&names);
        // The second time all access times are far back already.
        for _ in 0..2 {
            let Some(trace) = begin(folder.path(), &names) else { return Ok(()) };
            for &nth in &read {
                fs::read(folder.path().join(names[nth])).unwrap();
            }
            let unread: Vec<&str> = (0..20).filter(|nth| !read.contains(nth)).map(|nth| names[nth]).collect();
            prop_assert_eq!(trace.finish(), paths(&unread));
        }
    }
}
