//! The folder of a run: the request, the journal, the logs, the best candidate so far, and the lock.

use crate::run_dir_error::RunDirError;
use crate::run_file::{RunFile, read_run_file, write_run_file};
use crate::run_inputs::{RunInputs, check_inputs};
use crate::run_lock::lock;
use crate::staged_run::StagedRun;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The folder of a run, locked while this value lives.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    file: RunFile,
    // Closing the file releases the lock.
    _lock: File,
}

impl RunDir {
    /// The folder with all runs, unless the user names another one.
    pub const RUNS: &str = "howcome.out";

    /// The folders of runs in a folder, the oldest first.
    #[must_use]
    pub fn all_in(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        // A run that is not complete yet is hidden.
        let is_hidden =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let paths = entries.map(|entry| entry.path()).filter(|path| !is_hidden(path));
        let mut runs: Vec<PathBuf> = paths.filter(|path| path.join("run.json").is_file()).collect();
        runs.sort();
        runs
    }

    /// Whether this is the folder of a run.
    #[must_use]
    pub fn is_run(folder: &Path) -> bool {
        folder.join("run.json").is_file() && journal_path(folder).is_file()
    }

    /// Creates the folder of a new run, with its input, in the first of these places where nothing is, and locks it. The
    /// folder appears there when it is complete. Before anything is created, `guard` is told which folders to remove if
    /// howcome is killed meanwhile: the first one with everything in it, the others if they are empty.
    ///
    /// # Errors
    /// If there is something in all of these places, or the folder cannot be written.
    pub fn create(
        places: impl IntoIterator<Item = PathBuf>,
        mut file: RunFile,
        inputs: &dyn RunInputs,
        guard: impl FnOnce(&[PathBuf]),
    ) -> Result<Self, RunDirError> {
        let mut taken = PathBuf::new();
        let mut places = places.into_iter();
        let free = places.find(|place| {
            let is_taken = fs::symlink_metadata(place).is_ok();
            if is_taken {
                taken.clone_from(place);
            }
            !is_taken
        });
        let Some(place) = free else { return Err(RunDirError::Exists(taken)) };
        let staged = StagedRun::beside(&place);
        guard(&staged.folders());
        let lock = staged.fill(&mut file, inputs)?;
        let path = staged.move_to(std::iter::once(place).chain(places))?;
        Ok(Self { path, file, _lock: lock })
    }

    /// Opens the folder of a run to continue it, and locks it.
    ///
    /// # Errors
    /// If it is not the folder of a run, is in use, is damaged, or is of a newer version; or if what it keeps of its input
    /// has changed.
    pub fn open(path: &Path) -> Result<Self, RunDirError> {
        let file = read_run_file(path)?;
        let lock = lock(path)?;
        check_inputs(path, &file)?;
        Ok(Self { path: path.to_owned(), file, _lock: lock })
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The content of `run.json`.
    #[must_use]
    pub fn file(&self) -> &RunFile {
        &self.file
    }

    /// Replaces a part of the request, for a run that continues with another setting.
    ///
    /// # Errors
    /// If `run.json` cannot be written.
    pub fn set_in_request(&mut self, name: &str, value: serde_json::Value) -> Result<(), RunDirError> {
        self.file.request[name] = value;
        write_run_file(&self.path, &self.file)
    }

    /// The path of the journal.
    #[must_use]
    pub fn journal(&self) -> PathBuf {
        journal_path(&self.path)
    }

    /// The folder for the output of tests.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.path.join("log")
    }

    /// The folder with the best candidate so far.
    #[must_use]
    pub fn best(&self) -> PathBuf {
        self.path.join("best")
    }
}

/// The path of the journal in the folder of a run.
#[must_use]
pub fn journal_path(run: &Path) -> PathBuf {
    run.join("journal.jsonl")
}
