//! The options of the local executor, and the errors that keep it from starting.

use crate::{Confinement, Launcher, Limits, TestSite};
use howcome_run::{Problem, plain_error};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long a launcher can take until a test begins: perhaps it has to wait for its turn.
pub(crate) const LAUNCH_PATIENCE: Duration = Duration::from_secs(4 * 60 * 60);

/// How tests are run.
#[derive(Clone, Debug)]
pub struct LocalOptions {
    /// The program, and its arguments, that calls [`crate::warden::serve`].
    pub warden: Vec<OsString>,
    /// The number of tests that run at the same time.
    pub workers: usize,
    /// The folder in which the folder with the workspaces is created.
    pub temp: PathBuf,
    /// The folder for the output of tests, if it is kept.
    pub log: Option<PathBuf>,
    /// How tests are confined; `None` for the best that the machine allows.
    pub confinement: Option<Confinement>,
    /// The limits of each test.
    pub limits: Limits,
    /// Where the prepared candidates run, if not on this machine.
    pub site: Option<Arc<dyn TestSite>>,
    /// The command that brings tests and builds to other machines, which must share [`LocalOptions::temp`].
    pub launcher: Option<Launcher>,
}

impl LocalOptions {
    /// One worker, no logs, and the limits for the first tests.
    #[must_use]
    pub fn new(warden: Vec<OsString>, temp: impl Into<PathBuf>) -> Self {
        Self {
            warden,
            workers: 1,
            temp: temp.into(),
            log: None,
            confinement: None,
            limits: Limits::default(),
            site: None,
            launcher: None,
        }
    }
}

/// Why no test can be run on this machine.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// There is no place for the workspaces.
    #[error("cannot create a folder for workspaces in {path}: {}", plain_error(source))]
    NoRoot {
        /// The parent folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The process that supervises the tests does not work.
    #[error("{0}")]
    NoWarden(String),
    /// The system has no threads or descriptors left.
    #[error("cannot start the workers: {0}")]
    NoWorkers(io::Error),
}

impl LocalError {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            LocalError::NoRoot { .. } => {
                Some("set TMPDIR to a writable folder with room for the candidates".to_owned())
            }
            LocalError::NoWorkers(_) => {
                Some("run fewer tests at a time (-j), or allow more open files (ulimit -n)".to_owned())
            }
            LocalError::NoWarden(_) => None,
        }
    }
}

impl From<LocalError> for Problem {
    fn from(error: LocalError) -> Self {
        Self::hinted(&error, error.hint())
    }
}
