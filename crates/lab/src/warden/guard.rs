//! Removes folders if howcome is killed before they are complete.

use super::handle;
use super::wire::{self, WardenRequest};
use crate::workspace;
use nix::unistd::setsid;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Stdio};

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

/// Serves as a guard.
pub(super) fn guard(folders: &[PathBuf], mut control: &UnixStream) {
    // Signals from a terminal are for howcome.
    let _ = setsid();
    // There is nothing to read. The socket closes when howcome is done with the folders, or has died.
    let _ = io::copy(&mut control, &mut io::sink());
    if let Some((folder, parents)) = folders.split_first() {
        let _ = workspace::remove(folder);
        for parent in parents {
            let _ = fs::remove_dir(parent);
        }
    }
}
