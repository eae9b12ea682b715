//! The folder in which each test of `input` and `items` runs: one of its own with nothing but the candidate, or a copy of the
//! user's folder.

use super::TestCommand;
use crate::{Command, CopyStamps, FolderCopy, WorkFolder};
use howcome_run::{Because, plain_error};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A test command, and the folder in which it runs.
#[derive(Clone, Debug, Default)]
pub struct TestFolder {
    program: PathBuf,
    arguments: Vec<OsString>,
    /// The folder in which the user asked.
    directory: PathBuf,
    copy: Option<Arc<FolderCopy>>,
}

impl TestFolder {
    /// A folder that contains nothing but the candidate. Words of the command that name files of the user become full paths;
    /// `is_there` says whether the candidate has a file.
    #[must_use]
    pub fn with_candidate_only(test: &TestCommand, is_there: impl Fn(&OsStr) -> bool) -> Self {
        let TestCommand { arguments, program, directory, .. } = test.clone().with_full_paths(is_there);
        Self { program, arguments, directory, copy: None }
    }

    /// A copy of the user's folder.
    #[must_use]
    pub fn with_copy(test: &TestCommand, copy: Arc<FolderCopy>) -> Self {
        let TestCommand { arguments, program, directory, is_path } = test.clone();
        // A script of the user finds the files beside it in the copy, too.
        let program = match program.strip_prefix(copy.root()) {
            Ok(place) if is_path => Path::new(".").join(place),
            _ => program,
        };
        Self { program, arguments, directory, copy: Some(copy) }
    }

    /// Whether it is a copy of the user's folder.
    #[must_use]
    pub fn is_copy(&self) -> bool {
        self.copy.is_some()
    }

    /// Where a file of the user belongs, relative to the top of the folder.
    #[must_use]
    pub fn place_of(&self, file: &Path) -> PathBuf {
        match &self.copy {
            Some(copy) => copy.place_of(file),
            None => file.file_name().unwrap_or_default().into(),
        }
    }

    /// Makes the folder of a test, without its candidate.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn make(&self, folder: &mut WorkFolder<'_>) -> Result<(), Because> {
        let Some(copy) = &self.copy else { return Ok(()) };
        let made = folder.take_left::<CopyStamps>().and_then(|left| copy.write(folder.path(), left));
        folder.keep(made.map_err(|error| could_not_be_written("the copy of the current folder", &error))?);
        Ok(())
    }

    /// Makes the folder in an empty one, for people.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn make_in(&self, folder: &Path) -> io::Result<()> {
        self.copy.as_ref().map_or(Ok(()), |copy| copy.write(folder, None).map(drop))
    }

    /// The working directory of a test whose folder is this one.
    #[must_use]
    pub fn working_directory(&self, folder: &Path) -> PathBuf {
        match &self.copy {
            Some(copy) if !copy.inside().as_os_str().is_empty() => folder.join(copy.inside()),
            _ => folder.to_owned(),
        }
    }

    /// The command in the folder of a test. The paths that vary are relative to this folder.
    #[must_use]
    pub fn command(&self, folder: &Path, varied: &[PathBuf]) -> Command {
        let program =
            if self.program.starts_with(".") { folder.join(&self.program) } else { self.program.clone() };
        let mut command = Command::new(program, self.working_directory(folder))
            .arguments(self.arguments.iter().cloned())
            .variable("HOWCOME_DIR", &self.directory);
        command.varied = varied.to_vec();
        if let Some(copy) = &self.copy {
            // Messages name files from where the test runs.
            let seen = varied.iter().filter_map(|path| path.strip_prefix(copy.inside()).ok());
            command.varied.extend(seen.map(Path::to_owned));
            command.copy_of = vec![copy.root().to_owned(), copy.root().join(copy.inside())];
        }
        command
    }
}

/// The reason if a part of a test's folder cannot be written.
#[must_use]
pub fn could_not_be_written(what: &str, error: &io::Error) -> Because {
    Because::not_written(format!("{what} could not be written: {}", plain_error(error)), error)
}
