//! What is asked, as `run.json` keeps it.

use howcome_lab::FolderCopy;
use howcome_lab::inquiry::{FailureRequest, SearchChoice, TestCommand, TestFolder};
use howcome_run::{Problem, RunFile};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything that the answer depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ItemsRequest {
    /// The list, as the user named it.
    pub list: PathBuf,
    /// The test.
    pub test: TestCommand,
    /// How to search.
    pub algorithm: SearchChoice,
    /// Where the answer goes, beside the folder of the run.
    pub output: Option<PathBuf>,
    /// What counts as the failure.
    pub failure: FailureRequest,
}

impl ItemsRequest {
    /// What was asked in a run.
    ///
    /// # Errors
    /// If `run.json` does not say so.
    pub fn of(file: &RunFile) -> Result<Self, Problem> {
        file.request()
    }

    /// A folder of its own for each test.
    pub(crate) fn own_folder(&self) -> TestFolder {
        TestFolder::with_candidate_only(&self.test, |_| false)
    }

    /// The copy of the user's folder in which tests can run. `None` if there is nothing to copy, or too much.
    pub(crate) fn folder_copy(&self, run: Option<&Path>) -> Option<Arc<FolderCopy>> {
        let directory = self.test.directory.canonicalize().ok()?;
        let left_out: Vec<PathBuf> = run.and_then(|run| run.canonicalize().ok()).into_iter().collect();
        FolderCopy::plan(&directory, &left_out).map(Arc::new)
    }
}
