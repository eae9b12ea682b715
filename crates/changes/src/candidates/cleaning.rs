//! Removes whatever a test has left in a folder, and whatever it has changed there.

use crate::candidates::file_writer::can_be_overwritten;
use crate::trees::tree_path::TreePath;
use howcome_lab::FileStamp;
use nix::fcntl::AT_FDCWD;
use nix::sys::stat::{UtimensatFlags, utimensat};
use nix::sys::time::TimeSpec;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// How a folder and the folders in it were made.
#[derive(Debug)]
pub(super) struct FolderModes {
    /// The device and the inode of the folder itself.
    identity: (u64, u64),
    top: u32,
    /// All folders inside are made in the same way.
    inner: Option<u32>,
}

impl FolderModes {
    pub(super) fn of(folder: &Path, files: &BTreeMap<TreePath, FileStamp>) -> io::Result<Self> {
        let top = fs::symlink_metadata(folder)?;
        let mut modes = Self { identity: identity(&top), top: mode(&top), inner: None };
        modes.learn(folder, files)?;
        Ok(modes)
    }

    /// Looks at a folder of these files, which have just been written.
    pub(super) fn learn(&mut self, folder: &Path, files: &BTreeMap<TreePath, FileStamp>) -> io::Result<()> {
        let inner = files.keys().find_map(|path| path.directories().next());
        if let Some(inner) = inner.filter(|_| self.inner.is_none()) {
            self.inner = Some(mode(&fs::symlink_metadata(folder.join(OsStr::from_bytes(inner)))?));
        }
        Ok(())
    }

    /// Makes sure that the folder is still the same one, and accessible.
    pub(super) fn restore_top(&self, folder: &Path) -> io::Result<()> {
        let found = fs::symlink_metadata(folder)?;
        if !found.is_dir() || identity(&found) != self.identity {
            return Err(io::Error::other("the test has put something else in the place of its folder"));
        }
        restore_mode(folder, &found, self.top)
    }
}

fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

fn mode(metadata: &Metadata) -> u32 {
    metadata.mode() & 0o7777
}

fn restore_mode(folder: &Path, found: &Metadata, wanted: u32) -> io::Result<()> {
    if mode(found) == wanted {
        return Ok(());
    }
    fs::set_permissions(folder, Permissions::from_mode(wanted))
}

/// The files that stay in a folder.
pub(super) struct RemainingFiles {
    /// Those that are as they should be.
    pub(super) kept: HashSet<TreePath>,
    /// Those that get another content.
    pub(super) overwritten: HashSet<TreePath>,
}

/// Removes everything but the files that have these stamps, the files that can be overwritten because they have their stamps, and the
/// folders that files of these paths are in.
pub(super) fn remove_all_but<'a>(
    folder: &Path,
    modes: &FolderModes,
    paths: impl Iterator<Item = &'a TreePath>,
    stamps: &BTreeMap<TreePath, FileStamp>,
    overwritable: &BTreeMap<TreePath, FileStamp>,
) -> io::Result<RemainingFiles> {
    let folders: HashSet<&[u8]> = paths.flat_map(TreePath::directories).collect();
    let mut kept = HashSet::with_capacity(stamps.len());
    let mut overwritten = HashSet::new();
    let mut open: Vec<Vec<u8>> = vec![Vec::new()];
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(folder.join(OsStr::from_bytes(&inner)))? {
            let entry = entry?;
            let path = below(&inner, entry.file_name().as_bytes());
            let place = entry.path();
            if entry.file_type()?.is_dir() {
                match modes.inner.filter(|_| folders.contains(&path[..])) {
                    Some(mode) => {
                        restore_mode(&place, &entry.metadata()?, mode)?;
                        open.push(path);
                    }
                    None => howcome_lab::remove(&place)?,
                }
                continue;
            }
            let known = stamps.get_key_value(&path[..]);
            if let Some((path, stamp)) = known.or_else(|| overwritable.get_key_value(&path[..])) {
                let found = entry.metadata()?;
                if known.is_some() && FileStamp::of(&found) == *stamp {
                    kept.insert(path.clone());
                    continue;
                }
                if known.is_none() && can_be_overwritten(&found, stamp) {
                    overwritten.insert(path.clone());
                    continue;
                }
            }
            fs::remove_file(&place)?;
        }
    }
    Ok(RemainingFiles { kept, overwritten })
}

/// Removes everything that is neither at the path of one of these files nor one of the folders that they are in.
pub(super) fn remove_others(folder: &Path, files: &BTreeMap<TreePath, FileStamp>) -> io::Result<()> {
    let folders: HashSet<&[u8]> = files.keys().flat_map(TreePath::directories).collect();
    let mut open: Vec<Vec<u8>> = vec![Vec::new()];
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(folder.join(OsStr::from_bytes(&inner)))? {
            let entry = entry?;
            let path = below(&inner, entry.file_name().as_bytes());
            if entry.file_type()?.is_dir() && folders.contains(&path[..]) {
                open.push(path);
            } else if entry.file_type()?.is_dir() || !files.contains_key(&path[..]) {
                howcome_lab::remove(&entry.path())?;
            }
        }
    }
    Ok(())
}

fn below(folder: &[u8], name: &[u8]) -> Vec<u8> {
    if folder.is_empty() { name.to_vec() } else { [folder, b"/", name].concat() }
}

/// Gives a file a time, and returns its stamp.
pub(super) fn set_times(place: &Path, time: SystemTime) -> io::Result<FileStamp> {
    let since = time.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
    let time = TimeSpec::from_duration(since);
    utimensat(AT_FDCWD, place, &time, &time, UtimensatFlags::NoFollowSymlink)?;
    Ok(FileStamp::of(&fs::symlink_metadata(place)?))
}
