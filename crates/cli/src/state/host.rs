//! What runs of the program get from this process.

use crate::session::lab_options;
use howcome_lab::warden::FolderGuard;
use howcome_run::Problem;
use howcome_state::question::RunHost;
use std::fs::DirBuilder;
use std::ops::Deref;
use std::os::unix::fs::DirBuilderExt;
use std::sync::{Mutex, PoisonError};

/// Removes the folder with copies of files if howcome is killed.
static GUARD: Mutex<Option<FolderGuard>> = Mutex::new(None);

/// What runs get, with a folder for copies of the files that they write. The folder is removed with this value, or when
/// howcome is killed.
pub(super) struct GuardedHost(RunHost);

impl GuardedHost {
    pub(super) fn new() -> Result<Self, Problem> {
        let tests = lab_options()?;
        let temp_folder = tests.temp.join(format!("howcome-{}-copies", std::process::id()));
        // Without a guard, only a killed howcome leaves something behind.
        let guard = FolderGuard::start(&tests.warden, std::slice::from_ref(&temp_folder)).ok();
        *GUARD.lock().unwrap_or_else(PoisonError::into_inner) = guard;
        // Files can be secret, and so are their copies.
        DirBuilder::new()
            .mode(0o700)
            .create(&temp_folder)
            .map_err(|error| Problem::with_file(&temp_folder, &error))?;
        Ok(Self(RunHost { environment: std::env::vars_os().collect(), temp_folder, tests }))
    }
}

impl Deref for GuardedHost {
    type Target = RunHost;
    fn deref(&self) -> &RunHost {
        &self.0
    }
}

impl Drop for GuardedHost {
    fn drop(&mut self) {
        remove_folder();
    }
}

/// Removes the folder, for a process that is about to exit.
pub(super) fn remove_folder() {
    drop(GUARD.lock().unwrap_or_else(PoisonError::into_inner).take());
}
