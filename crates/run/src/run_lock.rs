//! The lock of a run: only one howcome at a time continues it.

use crate::run_dir_error::RunDirError;
use std::fs::{File, TryLockError};
use std::path::Path;

/// Whether a howcome is using the folder of a run.
#[must_use]
pub fn is_locked(run: &Path) -> bool {
    matches!(lock(run), Err(RunDirError::Locked(_)))
}

pub(crate) fn lock(run: &Path) -> Result<File, RunDirError> {
    let path = run.join("lock");
    let io = |source| RunDirError::Io { path: path.clone(), source };
    let file = File::create(&path).map_err(io)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RunDirError::Locked(run.to_owned())),
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}
