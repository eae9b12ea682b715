//! Documents on disk: the original, the best so far, the answer.

use crate::failure::Failure;
use howcome_input::{Document, File};
use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Writes all files of a document into a folder, which is made: at any moment it is there as a whole or not at all.
pub(crate) fn save(document: &Document, folder: &Path) -> Result<(), Failure> {
    replace(document, folder).map_err(|error| Failure::file(folder, &error))
}

/// At any moment the folder holds a whole document: the old one or the new one.
pub(crate) fn replace(document: &Document, folder: &Path) -> io::Result<()> {
    // A single file is replaced by a single step.
    if let [(name, File::Bytes(bytes, mode))] = document.files().as_slice()
        && folder.join(name).is_file()
        && fs::read_dir(folder)?.count() == 1
    {
        return replace_file(&folder.join(name), bytes, *mode);
    }
    let new = free_beside(folder);
    fs::create_dir(&new)?;
    document.write(&new).map_err(|(_, error)| error)?;
    exchange(&new, folder)
}

/// The best so far of a run, on disk: a single file at any moment. To write thousands of files takes longer than to test them,
/// so of many better folders in a short time not all are written; the last one is, by the answer.
pub(crate) struct Saved {
    folder: Option<PathBuf>,
    bytes: u64,
    took: Duration,
    written: Instant,
}

/// Writing takes at most one part in so many of the time.
const SHARE_OF_TIME: u32 = 10;

impl Saved {
    /// Where a document of so many bytes is.
    pub(crate) fn new(folder: Option<PathBuf>, bytes: u64) -> Self {
        Self { folder, bytes, took: Duration::ZERO, written: Instant::now() }
    }

    pub(crate) fn keep(&mut self, document: &Document) {
        let Some(folder) = &self.folder else { return };
        let is_folder = !matches!(document.files().as_slice(), [(_, File::Bytes(..))]);
        let is_too_soon = is_folder && self.written.elapsed() < self.took * SHARE_OF_TIME;
        if document.size() > self.bytes || is_too_soon {
            return;
        }
        let began = Instant::now();
        // The answer is written in any case, and says so if it cannot be.
        if replace(document, folder).is_ok() {
            self.bytes = document.size();
        }
        (self.took, self.written) = (began.elapsed(), Instant::now());
    }
}

/// Puts what is at `new` in the place of what is at `old`, if there is anything.
fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    if fs::symlink_metadata(old).is_err() {
        return fs::rename(new, old);
    }
    if renameat2(AT_FDCWD, new, AT_FDCWD, old, RenameFlags::RENAME_EXCHANGE).is_ok() {
        return remove(new);
    }
    // Some file systems cannot do it in one step.
    let aside = free_beside(old);
    fs::rename(old, &aside)?;
    fs::rename(new, old)?;
    remove(&aside)
}

fn replace_file(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let new = free_beside(path);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&new)?;
    file.write_all(bytes)?;
    file.set_permissions(fs::Permissions::from_mode(mode | 0o600))?;
    fs::rename(&new, path)
}

/// Removes a file or a folder, if there is one.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}

/// A path beside another one where nothing is: what is written there for a moment must not replace anything.
fn free_beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let names = (0..).map(|number| format!(".{name}.howcome-{}-{number}", std::process::id()));
    let mut paths = names.map(|name| path.with_file_name(name));
    paths.find(|path| fs::symlink_metadata(path).is_err()).unwrap_or_else(|| path.to_owned())
}

/// Writes the answer to a path: of one file, the file; of one folder, the folder; of several things, a folder of them.
pub(crate) fn write_answer(document: &Document, path: &Path) -> io::Result<()> {
    let files = document.files();
    if let [(_, File::Bytes(bytes, mode))] = files.as_slice() {
        // A link stays a link to what it leads to, and what is no file (a terminal, a pipe) is written to, not replaced.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if path.exists() && !path.is_file() {
            return fs::write(&path, bytes);
        }
        return replace_file(&path, bytes, *mode);
    }
    let new = free_beside(path);
    fs::create_dir(&new)?;
    document.write(&new).map_err(|(_, error)| error)?;
    // What was one folder is one folder under its new name.
    let tops: Vec<&PathBuf> =
        files.iter().map(|(path, _)| path).filter(|path| path.components().count() == 1).collect();
    match (tops.as_slice(), files.first()) {
        ([only], Some((_, File::Folder))) => {
            exchange(&new.join(only), path)?;
            remove(&new)
        }
        _ => exchange(&new, path),
    }
}
