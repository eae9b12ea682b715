//! What is to be run for one candidate.

use std::ffi::OsString;
use std::path::PathBuf;

/// A command to run in a workspace. No shell is involved: arguments arrive as they are, UTF-8 or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program: a path, or a name to be looked up in `PATH`. A relative path starts at [`Command::directory`].
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// What is added to the environment of howcome.
    pub environment: Vec<(OsString, OsString)>,
    /// Where it runs.
    pub directory: PathBuf,
    /// The file that is its standard input. Nothing, where there is none.
    pub standard_input: Option<PathBuf>,
    /// What must have exited with 0 before, in this order; otherwise the candidate did not build.
    pub builds: Vec<Command>,
    /// Whether what an earlier test left may be what keeps it from building, so that this is believed of an empty folder only.
    pub is_doubtful: bool,
}

impl Command {
    /// A program without arguments.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>, directory: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            standard_input: None,
            directory: directory.into(),
            builds: Vec::new(),
            is_doubtful: false,
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn arguments<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Adds a variable to the environment.
    #[must_use]
    pub fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Makes a file its standard input.
    #[must_use]
    pub fn standard_input(mut self, file: impl Into<PathBuf>) -> Self {
        self.standard_input = Some(file.into());
        self
    }

    /// Adds a command that must succeed before.
    #[must_use]
    pub fn after(mut self, build: Command) -> Self {
        self.builds.push(build);
        self
    }
}
