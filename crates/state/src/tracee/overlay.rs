//! Files as a traced program sees them: it writes to copies, which are thrown away.

use super::clock::FixedClock;
use super::folder::Folder;
use super::randomness::FixedNumbers;
use super::{TraceError, Unsupported};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Larger files are not copied for each test.
const LARGEST_COPY: u64 = 256 << 20;

/// The files that a program has changed.
#[derive(Clone, Debug)]
pub(super) struct Overlay {
    /// Where the folder for copies is made.
    temp_folder: PathBuf,
    /// The folder for copies; made with the first copy.
    folder: Arc<OnceLock<Folder>>,
    /// Copies are named by numbers, so no two processes share one.
    next: Arc<AtomicU64>,
    changed: HashMap<PathBuf, Changed>,
    /// The random numbers that the program gets.
    pub(super) numbers: FixedNumbers,
    /// How often it has opened a device that gives random numbers.
    pub(super) random_devices: usize,
    /// The time that the program sees.
    pub(super) clock: FixedClock,
}

/// What has become of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Changed {
    /// It was replaced by this copy.
    Copy(PathBuf),
    /// It has been removed.
    Removed,
}

impl Overlay {
    /// Nothing has been written yet.
    pub(super) fn new(temp_folder: PathBuf) -> Self {
        Self {
            temp_folder,
            folder: Arc::default(),
            next: Arc::default(),
            changed: HashMap::new(),
            numbers: FixedNumbers::default(),
            random_devices: 0,
            clock: FixedClock::default(),
        }
    }

    /// Whether no file has been changed.
    pub(super) fn is_unchanged(&self) -> bool {
        self.changed.is_empty()
    }

    /// What has become of a file.
    pub(super) fn look_up(&self, path: &Path) -> Option<&Changed> {
        self.changed.get(path)
    }

    /// The copy of a file that the program opens for writing with these flags, or the error that it gets.
    pub(super) fn open(&mut self, path: &Path, flags: i32) -> Result<PathBuf, Denied> {
        let creates = flags & libc::O_CREAT != 0;
        let must_be_new = creates && flags & libc::O_EXCL != 0;
        match self.changed.get(path) {
            Some(Changed::Copy(_)) if must_be_new => Err(Denied::Error(libc::EEXIST)),
            Some(Changed::Copy(copy)) => Ok(copy.clone()),
            Some(Changed::Removed) if !creates => Err(Denied::Error(libc::ENOENT)),
            Some(Changed::Removed) => self.fresh(path),
            None => match fs::metadata(path) {
                Ok(_) if must_be_new => Err(Denied::Error(libc::EEXIST)),
                Ok(found) if found.is_dir() => Err(Denied::Error(libc::EISDIR)),
                Ok(found) if found.is_file() => self.copy(path, found.len(), flags & libc::O_TRUNC != 0),
                Ok(_) => Err(Denied::Error(libc::EACCES)),
                Err(_) if !creates => Err(Denied::Error(libc::ENOENT)),
                Err(_) => self.fresh(path),
            },
        }
    }

    /// Removes a file. If there is none, returns the error that the program gets.
    pub(super) fn remove(&mut self, path: &Path) -> Result<(), Denied> {
        match self.changed.get(path) {
            Some(Changed::Removed) => return Err(Denied::Error(libc::ENOENT)),
            Some(Changed::Copy(_)) => {}
            None if fs::symlink_metadata(path).is_err() => return Err(Denied::Error(libc::ENOENT)),
            None => {}
        }
        self.changed.insert(path.to_owned(), Changed::Removed);
        Ok(())
    }

    /// Renames a file.
    pub(super) fn rename(&mut self, from: &Path, to: &Path) -> Result<(), Denied> {
        let copy = self.open(from, libc::O_RDWR)?;
        self.changed.insert(from.to_owned(), Changed::Removed);
        self.changed.insert(to.to_owned(), Changed::Copy(copy));
        Ok(())
    }

    /// Copies a copy for another process, which continues to write to it.
    pub(super) fn copy_again(&mut self, copy: &Path) -> Result<PathBuf, TraceError> {
        let again =
            self.name().map_err(|error| TraceError::Broken(format!("no temporary folder: {error}")))?;
        fs::copy(copy, &again).map_err(|error| {
            TraceError::Broken(format!("{} could not be copied: {error}", copy.display()))
        })?;
        for changed in self.changed.values_mut() {
            if matches!(changed, Changed::Copy(known) if known == copy) {
                *changed = Changed::Copy(again.clone());
            }
        }
        Ok(again)
    }

    /// Whether a file is one of our copies.
    pub(super) fn holds(&self, path: &Path) -> bool {
        self.folder.get().is_some_and(|folder| path.starts_with(folder.path()))
    }

    fn name(&self) -> io::Result<PathBuf> {
        if self.folder.get().is_none() {
            // If two processes need it at the same time, one folder is enough.
            let _ = self.folder.set(Folder::new_in(&self.temp_folder)?);
        }
        let folder = self.folder.get().ok_or(io::ErrorKind::NotFound)?;
        Ok(folder.path().join(self.next.fetch_add(1, Ordering::Relaxed).to_string()))
    }

    fn fresh(&mut self, path: &Path) -> Result<PathBuf, Denied> {
        let name = self.name().map_err(|_| Denied::Error(libc::EIO))?;
        self.changed.insert(path.to_owned(), Changed::Copy(name.clone()));
        Ok(name)
    }

    fn copy(&mut self, path: &Path, size: u64, truncated: bool) -> Result<PathBuf, Denied> {
        let is_writable = nix::unistd::access(path, nix::unistd::AccessFlags::W_OK).is_ok();
        if !is_writable {
            return Err(Denied::Error(libc::EACCES));
        }
        if size > LARGEST_COPY && !truncated {
            return Err(Denied::Refused(Unsupported::TooLarge(path.to_owned())));
        }
        let name = self.fresh(path)?;
        let made = if truncated { fs::write(&name, "") } else { fs::copy(path, &name).map(|_| ()) };
        made.map(|()| name).map_err(|_| Denied::Error(libc::EIO))
    }
}

/// Why a program cannot open a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Denied {
    /// The system call fails with this error.
    Error(i32),
    /// The program cannot be traced.
    Refused(Unsupported),
}

/// A path without `.` and `..`, with the symbolic links of its folder followed, so that a file has one name.
pub(super) fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                tidy.pop();
            }
            Component::CurDir => {}
            other => tidy.push(other),
        }
    }
    match (tidy.parent().and_then(|parent| parent.canonicalize().ok()), tidy.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => tidy,
    }
}
