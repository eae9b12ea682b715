//! Errors for the user: what is wrong, and what to do next.

use std::fmt;
use std::io;
use std::path::Path;

/// An error for the user: a message, a hint, and the kind of error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    message: String,
    hint: Option<String>,
    kind: ProblemKind,
}

/// The kind of a problem, which decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The command line, a file named on it, or the test command itself is wrong.
    WrongUse,
    /// The baseline does not hold, so there is nothing to explain.
    NothingToExplain,
    /// The test passes on both sides, so there is nothing to explain.
    BothPass,
    /// The good version cannot run the test, so there is nothing to compare with.
    CannotRunTest,
    /// The test needs a folder that no version has, so it cannot be run at all.
    LacksFolder,
    /// The run cannot continue now; it can be resumed.
    Stopped,
    /// The test contradicts itself.
    Flaky,
    /// A bug in howcome.
    Bug,
}

impl Problem {
    /// A mistake in the request.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, kind: ProblemKind::WrongUse }
    }

    /// A file cannot be read or written.
    #[must_use]
    pub fn with_file(path: &Path, error: &io::Error) -> Self {
        Self::new(format!("{}: {}", path.display(), plain_error(error)))
    }

    /// An error with its own hint.
    #[must_use]
    pub fn hinted(error: &dyn fmt::Display, hint: Option<String>) -> Self {
        Self { hint, ..Self::new(error.to_string()) }
    }

    /// A bug in howcome.
    #[must_use]
    pub fn bug(message: impl Into<String>) -> Self {
        Self::new(message).of_kind(ProblemKind::Bug)
    }

    /// Adds a hint: what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a hint before the others.
    #[must_use]
    pub fn first_hint(mut self, hint: &str) -> Self {
        self.hint = Some(match self.hint {
            Some(others) => format!("{hint}\nhint: {others}"),
            None => hint.to_owned(),
        });
        self
    }

    /// Sets the kind of the problem.
    #[must_use]
    pub fn of_kind(mut self, kind: ProblemKind) -> Self {
        self.kind = kind;
        self
    }

    /// The kind of the problem.
    #[must_use]
    pub fn kind(&self) -> ProblemKind {
        self.kind
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {}

/// The message of a system error, without the error number.
#[must_use]
pub fn plain_error(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
