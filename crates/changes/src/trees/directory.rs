//! The tree that a folder holds.

use crate::trees::contents::OnDisk;
use crate::trees::entry::{EntryKind, TreeEntry};
use crate::trees::tree::Tree;
use crate::trees::tree_error::TreeError;
use crate::trees::tree_path::TreePath;
use std::fs::{self, DirEntry};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

/// Names that are never part of a version: the folder of the repository, and the folder in which howcome records runs.
const NEVER: [&[u8]; 2] = [b".git", b"howcome.out"];

/// Git's mode records only whether the owner may run a file.
const OWNER_MAY_RUN: u32 = 0o100;

impl Tree {
    /// The files below a folder, without `.git`, `howcome.out`, and the files and directories that `ignores` returns true for. No
    /// file is read yet.
    pub fn of_directory(root: &Path, ignores: impl Fn(&TreePath) -> bool) -> Result<Self, TreeError> {
        let root: Arc<Path> = root.into();
        let mut tree = Self::empty();
        // A stack of our own: a tree can be deeper than a thread's stack.
        let mut open: Vec<Option<TreePath>> = vec![None];
        while let Some(directory) = open.pop() {
            let folder = directory.as_ref().map_or(root.to_path_buf(), |path| root.join(path.as_path()));
            let unreadable = |source| TreeError::Unreadable { path: folder.clone(), source };
            for found in fs::read_dir(&folder).map_err(unreadable)? {
                let found = found.map_err(unreadable)?;
                if NEVER.contains(&found.file_name().as_bytes()) {
                    continue;
                }
                let path = child(directory.as_ref(), found.file_name().as_bytes())?;
                if ignores(&path) {
                    continue;
                }
                let unreadable = |source| TreeError::Unreadable { path: found.path(), source };
                if found.file_type().map_err(unreadable)?.is_dir() {
                    open.push(Some(path));
                } else {
                    let entry = entry(&root, &path, &found).map_err(unreadable)?;
                    tree.insert(path, entry.ok_or_else(|| TreeError::Special(found.path()))?)?;
                }
            }
        }
        Ok(tree)
    }
}

fn child(directory: Option<&TreePath>, name: &[u8]) -> Result<TreePath, TreeError> {
    let path = match directory {
        Some(directory) => TreePath::new(&[directory.as_bytes(), b"/", name].concat()),
        None => TreePath::new(name),
    };
    Ok(path?)
}

/// `None` if it is something that a source tree cannot hold.
fn entry(root: &Arc<Path>, path: &TreePath, found: &DirEntry) -> io::Result<Option<TreeEntry>> {
    let kind = found.file_type()?;
    if kind.is_symlink() {
        let target = fs::read_link(found.path())?;
        return Ok(Some(TreeEntry::of_bytes(EntryKind::Symlink, target.as_os_str().as_bytes())));
    }
    if !kind.is_file() {
        return Ok(None);
    }
    let metadata = found.metadata()?;
    let executable = metadata.permissions().mode() & OWNER_MAY_RUN != 0;
    let contents = OnDisk::new(root.clone(), path.clone(), metadata.len());
    Ok(Some(TreeEntry { kind: EntryKind::File { executable }, contents: Arc::new(contents) }))
}
