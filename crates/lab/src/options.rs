//! How tests are run on this machine, and why they cannot be.

use crate::{CaptureLimits, Confinement};
use howcome_run::Problem;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// How long the two tests of the baseline may take where the user gives no limit.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// How long a build may take before anything is known of it.
pub(crate) const BUILD_PATIENCE: Duration = Duration::from_secs(4 * 60 * 60);

/// How tests are run.
#[derive(Clone, Debug)]
pub struct LocalOptions {
    /// The program, and its arguments, that calls [`crate::warden::serve`].
    pub warden: Vec<OsString>,
    /// Tests at a time.
    pub workers: usize,
    /// Where the folder with the workspaces is made.
    pub temp: PathBuf,
    /// Where what tests print is written to, if anywhere.
    pub log: Option<PathBuf>,
    /// How tests are confined; `None` for the best that the machine allows.
    pub confinement: Option<Confinement>,
    /// What each test may use.
    pub limits: Limits,
}

impl LocalOptions {
    /// One worker, no logs, and the limits that hold before anything is known of the test.
    #[must_use]
    pub fn new(warden: Vec<OsString>, temp: impl Into<PathBuf>) -> Self {
        Self {
            warden,
            workers: 1,
            temp: temp.into(),
            log: None,
            confinement: None,
            limits: Limits::default(),
        }
    }
}

/// What each test may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long it may take; a build before it may take as long again.
    pub timeout: Duration,
    /// How long a build that comes before it may take.
    pub build_timeout: Duration,
    /// How many bytes of address space each of its processes may have (`RLIMIT_AS`). This is per process, not for all
    /// of them together, and programs that reserve much more than they use, such as those built with sanitizers or
    /// for a virtual machine, cannot run with it.
    pub memory: Option<u64>,
    /// How much of its output is kept.
    pub keep: CaptureLimits,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: PATIENCE,
            build_timeout: BUILD_PATIENCE,
            memory: None,
            keep: CaptureLimits::default(),
        }
    }
}

/// Why no test can be run on this machine.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// There is no place for the workspaces.
    #[error("no folder for workspaces can be made in {path}: {source}")]
    NoRoot {
        /// Where it was tried.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The process that watches over tests does not work.
    #[error("{0}")]
    NoWarden(String),
    /// The system has no threads or descriptors left.
    #[error("the workers cannot be started: {0}")]
    NoWorkers(io::Error),
}

impl LocalError {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            LocalError::NoRoot { .. } => Some(
                "set TMPDIR to a folder that can be written to and has room for the candidates".to_owned(),
            ),
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
