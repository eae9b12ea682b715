//! What runs of the program get from this process.

use crate::lab_setup::lab_options;
use howcome_lab::warden::GuardedFolder;
use howcome_run::Problem;
use howcome_state::question::RunHost;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

/// The folder for copies of the files that runs write.
static COPIES: Mutex<Option<GuardedFolder>> = Mutex::new(None);

/// What runs get. The folder for copies of files is removed with this value, or when howcome is killed.
pub(super) struct GuardedHost(RunHost);

impl GuardedHost {
    pub(super) fn new() -> Result<Self, Problem> {
        let tests = lab_options()?;
        let copies = GuardedFolder::new_in(&tests.temp, &tests.warden)
            .map_err(|error| Problem::with_file(&tests.temp, &error))?;
        let temp_folder = copies.path().to_owned();
        *COPIES.lock().unwrap_or_else(PoisonError::into_inner) = Some(copies);
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
    drop(COPIES.lock().unwrap_or_else(PoisonError::into_inner).take());
}
