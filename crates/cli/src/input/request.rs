//! What `run.json` keeps of the command line: everything that the answer depends on.

use crate::failure::Failure;
use crate::options::FailureOptions;
use crate::test_command::TestCommand;
use howcome_input::Given;
use howcome_run::RunFile;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) stdin: bool,
    pub(crate) skip_pass: Vec<String>,
    pub(crate) readable: bool,
    pub(crate) output: PathBuf,
    pub(crate) test: TestCommand,
    pub(crate) failure: FailureOptions,
}

impl Request {
    /// That of a run.
    pub(crate) fn of(file: &RunFile) -> Result<Self, Failure> {
        serde_json::from_value(file.request.clone())
            .map_err(|error| Failure::wrong_use(format!("run.json does not say what was asked for: {error}")))
    }

    /// How a candidate is given to the test.
    pub(crate) fn given(&self) -> Given {
        Given {
            program: self.test.program.clone(),
            arguments: self.test.arguments.clone(),
            directory: self.test.directory.clone(),
            candidate: self.files[0].file_name().unwrap_or_default().into(),
            stdin: self.stdin,
        }
    }
}
