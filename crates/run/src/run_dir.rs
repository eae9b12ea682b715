//! The folder of a run: the request, the journal, the logs, the best candidate so far, and the lock.

use crate::{Algorithms, Problem, QuestionName};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The version of `run.json`. A newer file is refused.
pub const RUN_VERSION: u32 = 1;

/// The content of `run.json`: everything on which a search depends, except the answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunFile {
    /// The version of howcome that began the run.
    pub howcome: String,
    /// The version of this file's format.
    pub version: u32,
    /// The question.
    pub question: QuestionName,
    /// The algorithms.
    pub algorithm: Algorithms,
    /// The number of tests that run at the same time.
    pub jobs: u32,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// The request, in the format of the question.
    pub request: serde_json::Value,
}

impl RunFile {
    /// A run that begins now.
    ///
    /// # Errors
    /// If the request cannot be written as JSON, which is a bug.
    pub fn new(
        question: QuestionName,
        algorithm: Algorithms,
        jobs: u32,
        request: &impl Serialize,
    ) -> Result<Self, Problem> {
        let request = serde_json::to_value(request).map_err(|error| Problem::bug(error.to_string()))?;
        let howcome = env!("CARGO_PKG_VERSION").to_owned();
        let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Ok(Self { howcome, version: RUN_VERSION, question, algorithm, jobs, started, request })
    }

    /// The question that the user asked, if howcome had to ask another one in order to answer it.
    #[must_use]
    pub fn asked_as(&self) -> Option<QuestionName> {
        QuestionName::deserialize(self.request.get("asked_as")?).ok()
    }

    /// The request.
    ///
    /// # Errors
    /// If `run.json` has another kind of request.
    pub fn request<R: DeserializeOwned>(&self) -> Result<R, Problem> {
        R::deserialize(&self.request)
            .map_err(|error| Problem::new(format!("the request in run.json cannot be read: {error}")))
    }
}

/// The folder of a run, locked while this value lives.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    file: RunFile,
    // Closing the file releases the lock.
    _lock: File,
}

/// Why the folder of a run cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunDirError {
    /// The path already exists.
    #[error("{0} already exists")]
    Exists(PathBuf),
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
            RunDirError::NotARun(_) => Some("`howcome runs` lists the runs in howcome.out".to_owned()),
            RunDirError::Locked(_) => {
                Some("wait until it has finished; `howcome show` works in the meantime".to_owned())
            }
            RunDirError::Newer { howcome, .. } => Some(format!("use howcome {howcome} or later")),
            RunDirError::Damaged { .. } => Some("start a new run".to_owned()),
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

impl RunDir {
    /// The folder with all runs, unless the user names another one.
    pub const RUNS: &str = "howcome.out";

    /// The folders of runs in a folder, the oldest first.
    #[must_use]
    pub fn all_in(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut runs: Vec<PathBuf> =
            entries.map(|entry| entry.path()).filter(|path| path.join("run.json").is_file()).collect();
        runs.sort();
        runs
    }

    /// Creates the folder of a new run and locks it.
    ///
    /// # Errors
    /// If the path already exists, or cannot be written.
    pub fn create(path: &Path, file: RunFile) -> Result<Self, RunDirError> {
        let io = |at: &Path| {
            let at = at.to_owned();
            move |source| RunDirError::Io { path: at, source }
        };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(io(parent))?;
        }
        match fs::create_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(RunDirError::Exists(path.to_owned()));
            }
            made => made.map_err(io(path))?,
        }
        let lock = lock(path)?;
        // Runs must not be committed to a repository.
        fs::write(path.join(".gitignore"), "*\n").map_err(io(path))?;
        fs::create_dir(path.join("log")).map_err(io(path))?;
        fs::create_dir(path.join("best")).map_err(io(path))?;
        let json = serde_json::to_vec_pretty(&file)
            .map_err(|source| RunDirError::Damaged { path: path.join("run.json"), source })?;
        fs::write(path.join("run.json"), json).map_err(io(path))?;
        Ok(Self { path: path.to_owned(), file, _lock: lock })
    }

    /// Opens the folder of a run to continue it, and locks it.
    ///
    /// # Errors
    /// If it is not the folder of a run, is in use, is damaged, or is of a newer version.
    pub fn open(path: &Path) -> Result<Self, RunDirError> {
        let file = read_run_file(path)?;
        let lock = lock(path)?;
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

/// Reads `run.json` without locking the run.
///
/// # Errors
/// If the file does not exist, cannot be read, or is of a newer version.
pub fn read_run_file(run: &Path) -> Result<RunFile, RunDirError> {
    #[derive(Deserialize)]
    struct FormatVersion {
        howcome: String,
        version: u32,
    }
    let path = run.join("run.json");
    let json = fs::read(&path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => RunDirError::NotARun(run.to_owned()),
        _ => RunDirError::Io { path: path.clone(), source },
    })?;
    let damaged = |source| RunDirError::Damaged { path: path.clone(), source };
    let version: FormatVersion = serde_json::from_slice(&json).map_err(damaged)?;
    if version.version > RUN_VERSION {
        return Err(RunDirError::Newer { path: run.to_owned(), howcome: version.howcome });
    }
    serde_json::from_slice(&json).map_err(damaged)
}

/// Whether a howcome is using the folder of a run.
#[must_use]
pub fn is_locked(run: &Path) -> bool {
    matches!(lock(run), Err(RunDirError::Locked(_)))
}

fn lock(run: &Path) -> Result<File, RunDirError> {
    let path = run.join("lock");
    let io = |source| RunDirError::Io { path: path.clone(), source };
    let file = File::create(&path).map_err(io)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RunDirError::Locked(run.to_owned())),
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}
