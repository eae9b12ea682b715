//! Writes the files of a candidate, and reads many of them at once.

use crate::candidates::candidate::At;
use crate::trees::entry::{EntryKind, TreeEntry};
use crate::trees::reading::read_each;
use crate::trees::tree_path::TreePath;
use howcome_lab::{FileStamp, writing_a_program};
use nix::fcntl::OFlag;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, Metadata};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Writes files with this time: over the contents of the old files at these paths, and to places where nothing is. Everything above
/// them is a folder or missing.
pub(super) fn write_files(
    folder: &Path,
    files: &[(&TreePath, At<'_>)],
    overwritten: &HashSet<TreePath>,
    now: SystemTime,
) -> io::Result<Vec<(TreePath, FileStamp)>> {
    let mut made = HashSet::new();
    for (path, _) in files {
        let above = path.directories().last().unwrap_or_default();
        if made.insert(above) {
            fs::create_dir_all(folder.join(OsStr::from_bytes(above)))?;
        }
    }
    let mut stamps = Vec::with_capacity(files.len());
    let mut write_one = |path: &TreePath, kind, bytes: &[u8]| -> io::Result<()> {
        let place = folder.join(path.as_path());
        let is_overwritten = overwritten.contains(path) && overwrite(&place, kind, bytes, now)?;
        if !is_overwritten {
            write(&place, kind, bytes, now)?;
        }
        stamps.push((path.clone(), FileStamp::of(&fs::symlink_metadata(&place)?)));
        Ok(())
    };
    let mut unread = Vec::new();
    for (path, at) in files {
        match at {
            At::Base(entry) => unread.push((*path, *entry)),
            At::Mix(version) => write_one(path, version.kind, &version.bytes)?,
        }
    }
    let entries: Vec<&TreeEntry> = unread.iter().map(|(_, entry)| *entry).collect();
    read_each(&entries, |number, bytes| {
        let (path, entry) = unread[number];
        write_one(path, entry.kind, bytes)
    })?;
    Ok(stamps)
}

fn write(place: &Path, kind: EntryKind, bytes: &[u8], now: SystemTime) -> io::Result<()> {
    match kind {
        EntryKind::Symlink => symlink(OsStr::from_bytes(bytes), place),
        // The files of a submodule are not part of this repository.
        EntryKind::Submodule => fs::create_dir_all(place),
        EntryKind::File { executable } => {
            let mode = if executable { 0o777 } else { 0o666 };
            let written = || {
                let mut file = File::options().write(true).create_new(true).mode(mode).open(place)?;
                file.write_all(bytes)?;
                file.set_times(FileTimes::new().set_modified(now).set_accessed(now))
            };
            if executable { writing_a_program(written) } else { written() }
        }
    }
}

/// Writes over the contents of a file. Some file systems take much longer to remove a file and to make another one. Returns `false`,
/// with nothing in the place, if the file cannot be opened.
fn overwrite(place: &Path, kind: EntryKind, bytes: &[u8], now: SystemTime) -> io::Result<bool> {
    let written = || {
        let opened = File::options().write(true).custom_flags(OFlag::O_NOFOLLOW.bits()).open(place);
        let Ok(mut file) = opened else { return fs::remove_file(place).map(|()| false) };
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)?;
        file.set_times(FileTimes::new().set_modified(now).set_accessed(now))?;
        Ok(true)
    };
    match kind {
        EntryKind::File { executable: true } => writing_a_program(written),
        _ => written(),
    }
}

/// Whether a file is as it was written, and has no other name through which the next content could be seen or changed.
pub(super) fn can_be_overwritten(found: &Metadata, written: &FileStamp) -> bool {
    found.is_file() && found.nlink() == 1 && FileStamp::of(found) == *written
}

/// Makes sure that all directories above a path are directories inside the folder, whatever a test has put there. Returns the place of
/// the path.
pub(super) fn make_way(folder: &Path, path: &TreePath) -> io::Result<PathBuf> {
    for directory in path.directories() {
        let place = folder.join(OsStr::from_bytes(directory));
        match fs::symlink_metadata(&place) {
            Ok(found) if found.is_dir() => continue,
            Ok(_) => fs::remove_file(&place)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        fs::create_dir(&place)?;
    }
    Ok(folder.join(path.as_path()))
}
