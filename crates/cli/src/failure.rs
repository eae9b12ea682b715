//! Why a command could not do its job: the message, what to do next, and the exit code.

use crate::exit::Exit;
use howcome_lab::LocalError;
use howcome_run::{JournalError, RunDirError};
use std::fmt;
use std::io;
use std::path::Path;

/// An error as a tired engineer wants to read it.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    hint: Option<String>,
    exit: Exit,
}

impl Failure {
    /// Something on the command line is wrong.
    pub(crate) fn wrong_use(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, exit: Exit::WrongUse }
    }

    /// A file cannot be read or written.
    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        Self::wrong_use(format!("{}: {}", path.display(), plain(error)))
    }

    /// What to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// With another exit code.
    pub(crate) fn exit(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self
    }

    pub(crate) fn code(&self) -> Exit {
        self.exit
    }

    fn with(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }
}

/// What the system said, without the number that nobody knows by heart.
pub(crate) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl From<RunDirError> for Failure {
    fn from(error: RunDirError) -> Self {
        match &error {
            RunDirError::Io { path, source } => Self::file(path, source),
            other => Self::wrong_use(other.to_string()).with(other.hint()),
        }
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        let hint = match &error {
            JournalError::Damaged { .. } => {
                Some("the lines before it are sound: cut the journal there, then resume")
            }
            JournalError::Newer { .. } => Some("use the howcome that wrote it"),
            JournalError::Diverged { .. } => {
                Some("start a new run: howcome, or the test, does not do what it did when this one began")
            }
            JournalError::Io { .. } => None,
        };
        Self::wrong_use(error.to_string()).with(hint.map(str::to_owned))
    }
}

impl From<LocalError> for Failure {
    fn from(error: LocalError) -> Self {
        Self::wrong_use(error.to_string()).with(error.hint())
    }
}
