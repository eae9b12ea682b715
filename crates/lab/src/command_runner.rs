//! Runs commands of the user that are not tests, each under a warden.

use crate::experiment::Prepare;
use crate::lab::{Lab, LookError};
use crate::local::Local;
use crate::options::LocalOptions;
use crate::workspace;
use crate::{Execution, TestEnding};
use howcome_dd::Configuration;
use howcome_run::Because;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Runs commands to their end, as many at a time as there are threads that call it. Whatever a command starts ends with it.
#[derive(Clone)]
pub struct CommandRunner {
    options: LocalOptions,
    /// Those that run nothing at the moment.
    idle: Arc<Mutex<Vec<Local>>>,
}

impl CommandRunner {
    /// Nothing is started before the first command.
    #[must_use]
    pub fn new(options: LocalOptions) -> Self {
        Self { options: LocalOptions { workers: 1, ..options }, idle: Arc::default() }
    }

    /// Runs a command in a new folder, which is removed afterwards.
    ///
    /// # Errors
    /// If the command could not be run.
    pub fn run(&self, command: Arc<dyn Prepare>) -> Result<Execution, Because> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle().pop();
        let mut local = match found {
            Some(local) => local,
            None => Local::new(self.options.clone()).map_err(|error| Because::Broken(error.to_string()))?,
        };
        let looked = local.look(&command, &Configuration::empty());
        if let Ok(seen) = &looked {
            // What cannot be removed now is removed at the end.
            let _ = workspace::remove(&seen.workspace);
        }
        idle().push(local);
        looked.map_err(|error| match error {
            LookError::Because(because) => because,
            LookError::Interrupted => Because::from(TestEnding::TimedOut),
        })
    }
}

impl fmt::Debug for CommandRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandRunner").finish_non_exhaustive()
    }
}
