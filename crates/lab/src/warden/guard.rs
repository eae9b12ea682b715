//! Removes folders if howcome is killed before they are complete.

use super::handle;
use super::wire::{self, WardenRequest};
use crate::workspace;
use nix::unistd::setsid;
use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::net::Shutdown;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

/// A process that waits for this one to end, and then removes folders that are still there.
///
/// When dropped, the folders are removed, too; those that were renamed stay.
#[derive(Debug)]
pub struct FolderGuard {
    process: Child,
    control: UnixStream,
}

impl FolderGuard {
    /// Starts the process. The first folder is removed with everything in it, the others if they are empty. None of them
    /// needs to exist yet.
    ///
    /// # Errors
    /// If no process can be started.
    pub fn start(warden: &[OsString], folders: &[PathBuf]) -> io::Result<Self> {
        let folders = folders.iter().map(std::path::absolute).collect::<io::Result<_>>()?;
        let (control, theirs) = UnixStream::pair()?;
        // The process reads this even if howcome is killed right after it was started.
        wire::send(&control, &WardenRequest::Guard(folders).encode())?;
        let process = handle::start(warden, theirs, Stdio::null(), Stdio::null())?;
        Ok(Self { process, control })
    }
}

impl Drop for FolderGuard {
    fn drop(&mut self) {
        let _ = self.control.shutdown(Shutdown::Both);
        drop(handle::wait_for_end(&mut self.process));
    }
}

/// A new, empty folder that is removed with everything in it when this value is dropped, or when howcome is killed.
#[derive(Debug)]
pub struct GuardedFolder {
    path: PathBuf,
    /// Removes the folder when it is dropped.
    _guard: FolderGuard,
}

impl GuardedFolder {
    /// A folder in the folder for temporary files, which other users cannot read.
    ///
    /// # Errors
    /// If no process can be started, or the folder cannot be created.
    pub fn new_in(temp: &Path, warden: &[OsString]) -> io::Result<Self> {
        let process = std::process::id();
        let number = RandomState::new().hash_one(process) as u32;
        let path = std::path::absolute(temp.join(format!("howcome-{process}-{number:010}")))?;
        // The guard comes first, so that there is always somebody who removes the folder.
        let guard = FolderGuard::start(warden, std::slice::from_ref(&path))?;
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self { path, _guard: guard })
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// How often a folder is removed if something is written to it meanwhile.
const MOST_TRIES: u32 = 20;

/// Serves as a guard.
pub(super) fn guard(folders: &[PathBuf], mut control: &UnixStream) {
    // Signals from a terminal are for howcome.
    let _ = setsid();
    // There is nothing to read. The socket closes when howcome is done with the folders, or has died.
    let _ = io::copy(&mut control, &mut io::sink());
    if let Some((folder, parents)) = folders.split_first() {
        // Processes that end together with howcome can write something once or twice.
        for _ in 0..MOST_TRIES {
            match workspace::remove(folder) {
                Ok(()) => break,
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
        for parent in parents {
            let _ = fs::remove_dir(parent);
        }
    }
}
