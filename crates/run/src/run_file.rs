//! `run.json`: everything on which a search depends, except the answers.

use crate::run_dir_error::RunDirError;
use crate::{Algorithms, Content, FileReplacement, Problem, QuestionName};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The version of `run.json`. A newer file is refused.
pub const RUN_VERSION: u32 = 1;

/// The hashes of the files and folders that a run keeps of its input, by their names.
pub type InputHashes = BTreeMap<String, Content>;

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
    /// The hashes of what the run keeps of its input.
    #[serde(default, skip_serializing_if = "InputHashes::is_empty")]
    pub inputs: InputHashes,
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
        Ok(Self {
            howcome,
            version: RUN_VERSION,
            question,
            algorithm,
            jobs,
            started,
            request,
            inputs: InputHashes::new(),
        })
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

/// Writes `run.json`.
pub(crate) fn write_run_file(run: &Path, file: &RunFile) -> Result<(), RunDirError> {
    let path = run.join("run.json");
    let json = serde_json::to_vec_pretty(file)
        .map_err(|source| RunDirError::Damaged { path: path.clone(), source })?;
    FileReplacement::at(&path).write_bytes(&json).map_err(|source| RunDirError::Io { path, source })
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
        io::ErrorKind::NotFound if !run.exists() => RunDirError::Missing(run.to_owned()),
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
