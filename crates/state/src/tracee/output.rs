//! What a traced process prints: memory of ours.

use super::TraceError;
use nix::sys::memfd::{MFdFlags, memfd_create};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;

/// The name of standard output, by which its descriptor is recognised.
pub(super) const STDOUT: &std::ffi::CStr = c"howcome-stdout";
/// The name of standard error.
pub(super) const STDERR: &std::ffi::CStr = c"howcome-stderr";

/// Standard output and standard error of a process.
#[derive(Debug)]
pub struct Output {
    /// Standard output.
    pub(super) stdout: File,
    /// Standard error.
    pub(super) stderr: File,
}

impl Output {
    /// Empty.
    pub fn new() -> Result<Self, TraceError> {
        let file = |name| {
            let file = memfd_create(name, MFdFlags::MFD_CLOEXEC);
            file.map(File::from).map_err(|error| TraceError::system("memfd_create", error))
        };
        Ok(Self { stdout: file(STDOUT)?, stderr: file(STDERR)? })
    }

    /// What was printed to standard output and to standard error.
    pub fn printed(&self) -> Result<[Vec<u8>; 2], TraceError> {
        Ok([content(&self.stdout)?, content(&self.stderr)?])
    }

    /// The number of bytes that were printed to each.
    pub fn lengths(&self) -> Result<[u64; 2], TraceError> {
        Ok([length(&self.stdout)?, length(&self.stderr)?])
    }

    /// Clears both for the next process.
    pub fn clear(&self) -> Result<(), TraceError> {
        let clear = |file: &File| file.set_len(0).map_err(|error| TraceError::Broken(error.to_string()));
        clear(&self.stdout).and_then(|()| clear(&self.stderr))
    }

    /// The paths with which another process opens them.
    pub(super) fn paths(&self) -> [String; 2] {
        let pid = std::process::id();
        [&self.stdout, &self.stderr].map(|file| format!("/proc/{pid}/fd/{}", file.as_raw_fd()))
    }
}

fn length(file: &File) -> Result<u64, TraceError> {
    Ok(file.metadata().map_err(|error| TraceError::Broken(error.to_string()))?.len())
}

fn content(file: &File) -> Result<Vec<u8>, TraceError> {
    let mut bytes = vec![0; length(file)? as usize];
    file.read_exact_at(&mut bytes, 0).map_err(|error| TraceError::Broken(error.to_string()))?;
    Ok(bytes)
}
