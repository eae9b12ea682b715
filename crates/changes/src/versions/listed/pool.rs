//! The files of all revisions in one folder, each content once.

use super::pool_record::{PoolRecord, PooledFile};
use crate::trees::contents::Contents;
use crate::trees::entry::{LoadedEntry, TreeEntry};
use crate::trees::tree::Tree;
use crate::trees::tree_error::TreeError;
use crate::trees::tree_path::TreePath;
use howcome_run::{Content, FileReplacement};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::{fs, io};

/// Keeps revisions in a folder: their files in `files/`, by the hashes of their bytes, and a record of each in `revisions/`.
///
/// A record is written after all of its files, and in one step, so a revision is there as a whole or not at all.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Shared by all clones, so that they move together.
    folder: Arc<RwLock<PathBuf>>,
}

/// Folders in which version control systems keep their own files. Git's is never part of a tree.
const VERSION_CONTROL_FOLDERS: [&[u8]; 5] = [b".svn", b"CVS", b".hg", b".bzr", b"_darcs"];

/// Why the files of a folder were not added.
#[derive(Debug)]
pub(super) enum NotAdded {
    Unreadable(TreeError),
    NotWritten(io::Error),
}

impl Pool {
    /// A pool in this folder, which is made when the first file is added.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self { folder: Arc::new(RwLock::new(folder.to_owned())) }
    }

    /// Moves all files to another folder, which is the pool's from now on even if that fails. Files that are not there then are
    /// fetched again.
    ///
    /// # Errors
    /// If a file cannot be written there.
    pub fn move_to(&self, folder: &Path) -> io::Result<()> {
        let mut place = self.folder.write().unwrap_or_else(PoisonError::into_inner);
        let from = std::mem::replace(&mut *place, folder.to_owned());
        if from == folder {
            return Ok(());
        }
        let mut open = vec![PathBuf::new()];
        while let Some(inside) = open.pop() {
            let entries = match fs::read_dir(from.join(&inside)) {
                // The pool is still empty.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries?,
            };
            fs::create_dir_all(folder.join(&inside))?;
            for entry in entries {
                let entry = entry?;
                let inside = inside.join(entry.file_name());
                match entry.file_type()?.is_dir() {
                    true => open.push(inside),
                    // The two folders can be on different file systems, so files are copied.
                    false => drop(fs::copy(entry.path(), folder.join(inside))?),
                }
            }
        }
        howcome_lab::remove(&from)
    }

    fn folder(&self) -> PathBuf {
        self.folder.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The record of a revision, if all of its files are here.
    pub(super) fn complete_record(&self, name: &str) -> Option<PoolRecord> {
        let record = self.record(name)?;
        let is_complete = match &record {
            PoolRecord::Absent(_) => true,
            PoolRecord::Files(files) => files.iter().all(|file| self.has(&file.hash, file.size)),
        };
        is_complete.then_some(record)
    }

    /// The record of a revision, whether its files are here or not.
    pub(super) fn record(&self, name: &str) -> Option<PoolRecord> {
        PoolRecord::decode(name, &fs::read(self.place_of_record(name)).ok()?)
    }

    /// Writes the record of a revision.
    pub(super) fn write_record(&self, name: &str, record: &PoolRecord) -> io::Result<()> {
        self.write(&self.place_of_record(name), &record.encode(name))
    }

    /// Adds all files of a folder, except those of version control systems, and returns their record.
    pub(super) fn add_folder(&self, folder: &Path) -> Result<PoolRecord, NotAdded> {
        let tree = Tree::of_directory(folder, |path| is_version_control(folder, path));
        let tree = tree.map_err(NotAdded::Unreadable)?;
        let mut files = Vec::with_capacity(tree.len());
        for (path, entry) in tree.iter() {
            let LoadedEntry { kind, bytes } = LoadedEntry::read(path, entry).map_err(NotAdded::Unreadable)?;
            let (hash, size) = (Content::of([&*bytes]).to_string(), bytes.len() as u64);
            if !self.has(&hash, size) {
                self.write(&self.place(&hash), &bytes).map_err(NotAdded::NotWritten)?;
            }
            files.push(PooledFile { path: path.clone(), kind, hash, size });
        }
        Ok(PoolRecord::Files(files))
    }

    /// The tree of a record's files. No file is read yet.
    pub(super) fn tree(&self, files: &[PooledFile]) -> Result<Tree, TreeError> {
        let mut tree = Tree::empty();
        for PooledFile { path, kind, hash, size } in files {
            let contents = PooledContents { pool: self.clone(), hash: hash.clone(), size: *size };
            tree.insert(path.clone(), TreeEntry { kind: *kind, contents: Arc::new(contents) })?;
        }
        Ok(tree)
    }

    /// Whether a content is here, by its hash. After a crash a file can be too short.
    fn has(&self, hash: &str, size: u64) -> bool {
        fs::symlink_metadata(self.place(hash)).is_ok_and(|found| found.is_file() && found.len() == size)
    }

    fn place(&self, hash: &str) -> PathBuf {
        // Folders with very many files are slow on some file systems.
        let (start, rest) = hash.split_at_checked(2).unwrap_or(("", hash));
        self.folder().join("files").join(start).join(rest)
    }

    fn place_of_record(&self, name: &str) -> PathBuf {
        // The name of a revision can hold slashes.
        self.folder().join("revisions").join(Content::of([name.as_bytes()]).to_string())
    }

    /// Writes a file that is there as a whole or not at all.
    fn write(&self, place: &Path, bytes: &[u8]) -> io::Result<()> {
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        FileReplacement::at(place).without_flush().write_bytes(bytes)
    }
}

fn is_version_control(folder: &Path, path: &TreePath) -> bool {
    let name = path.as_path().file_name().map(OsStr::as_bytes);
    name.is_some_and(|name| VERSION_CONTROL_FOLDERS.contains(&name)) && folder.join(path.as_path()).is_dir()
}

/// The contents of a file of the pool.
#[derive(Debug)]
struct PooledContents {
    pool: Pool,
    hash: String,
    size: u64,
}

impl Contents for PooledContents {
    fn read(&self) -> io::Result<Arc<[u8]>> {
        let place = self.pool.place(&self.hash);
        let bytes = fs::read(&place)?;
        if Content::of([bytes.as_slice()]).to_string() == self.hash {
            return Ok(bytes.into());
        }
        // The next session fetches it again.
        let _ = fs::remove_file(&place);
        let why = format!("{} is damaged", place.display());
        Err(io::Error::new(io::ErrorKind::InvalidData, why))
    }

    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    fn identity(&self) -> Option<&[u8]> {
        Some(self.hash.as_bytes())
    }
}
