//! The command to run for one candidate.

use std::ffi::OsString;
use std::path::PathBuf;

/// A command to run in a workspace. There is no shell: arguments arrive unchanged, UTF-8 or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program: a path, or a name to look up in `PATH`. A relative path starts at [`Command::directory`].
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Variables that are added to howcome's own environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The working directory.
    pub directory: PathBuf,
    /// The file to use as standard input. If there is none, standard input is empty.
    pub standard_input: Option<PathBuf>,
    /// Commands that must exit with 0 first, in this order. Otherwise the candidate did not build.
    pub builds: Vec<Command>,
    /// The files and folders that make the candidate, relative to [`Command::directory`]. Lines move in them from test to test, so
    /// a place in them does not tell one error from another.
    pub varied: Vec<PathBuf>,
    /// The folders of the user whose files are in the workspace, too.
    pub copy_of: Vec<PathBuf>,
    /// Whether files of an earlier test might break the build. If so, a failing build is only believed from an empty
    /// folder.
    pub is_doubtful: bool,
    /// Whether the folder was made from that of the previous candidate in such a way that a build can go on from what the previous
    /// build has made.
    pub continues: bool,
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
            varied: Vec::new(),
            copy_of: Vec::new(),
            is_doubtful: false,
            continues: false,
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

    /// Sets the file to use as standard input.
    #[must_use]
    pub fn standard_input(mut self, file: impl Into<PathBuf>) -> Self {
        self.standard_input = Some(file.into());
        self
    }

    /// Names a file or folder that makes the candidate.
    #[must_use]
    pub fn varies(mut self, path: impl Into<PathBuf>) -> Self {
        self.varied.push(path.into());
        self
    }

    /// Adds a build command that must succeed first.
    #[must_use]
    pub fn after(mut self, build: Command) -> Self {
        self.builds.push(build);
        self
    }
}
