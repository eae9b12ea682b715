//! What is asked, as `run.json` keeps it.

use howcome_lab::inquiry::{FailureRequest, SearchChoice, TestCommand};
use howcome_run::{Problem, RunFile};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

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
}
