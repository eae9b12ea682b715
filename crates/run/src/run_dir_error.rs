//! Why the folder of a run cannot be used.

use crate::Problem;
use std::io;
use std::path::PathBuf;

/// Why the folder of a run cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunDirError {
    /// The path already exists.
    #[error("{0} already exists")]
    Exists(PathBuf),
    /// It does not exist.
    #[error("{0}: no such folder")]
    Missing(PathBuf),
    /// It does not contain a run.
    #[error("{0} is not the folder of a run: it has no run.json")]
    NotARun(PathBuf),
    /// Another process is using it.
    #[error("{0} is in use by another howcome")]
    Locked(PathBuf),
    /// It was written by a newer howcome.
    #[error("{path} was written by howcome {howcome}, which is newer than this one")]
    Newer {
        /// The folder.
        path: PathBuf,
        /// The version that wrote it.
        howcome: String,
    },
    /// `run.json` cannot be read.
    #[error("{path} is damaged: {source}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// What it keeps of its input has changed.
    #[error("{0} is not what it was when the run began")]
    InputChanged(PathBuf),
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

impl RunDirError {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            RunDirError::Exists(path) if path.join("run.json").exists() => Some(format!(
                "choose another folder, or continue the run in it with `howcome resume {}`",
                path.display()
            )),
            RunDirError::Exists(_) => Some("choose a folder that does not exist yet".to_owned()),
            RunDirError::Missing(_) | RunDirError::NotARun(_) => {
                Some("`howcome runs` lists the runs in howcome.out".to_owned())
            }
            RunDirError::Locked(_) => {
                Some("wait until it has finished; `howcome show` works in the meantime".to_owned())
            }
            RunDirError::Newer { howcome, .. } => Some(format!("use howcome {howcome} or later")),
            RunDirError::Damaged { .. } => Some("start a new run".to_owned()),
            RunDirError::InputChanged(_) => {
                Some("the run is about the input as it was: restore the file, or start a new run".to_owned())
            }
            RunDirError::Io { .. } => None,
        }
    }
}

impl From<RunDirError> for Problem {
    fn from(error: RunDirError) -> Self {
        match &error {
            RunDirError::Io { path, source } => Self::with_file(path, source),
            other => Self::hinted(other, other.hint()),
        }
    }
}
