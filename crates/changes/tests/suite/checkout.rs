//! A candidate on disk is changed into the next one with the least that has to be written, whatever others have done there.

mod bytecode;
mod mischief;
mod spoilt;
mod switching;

use crate::world::{Files, path, read, tree};
use howcome_changes::{Base, Candidate, LoadedEntry, Mix};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
