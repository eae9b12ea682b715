//! What `run.json` keeps of the command line: everything that the answer depends on.

use super::source::PLAIN;
use crate::failure::Failure;
use crate::options::{FailureOptions, conditions};
use crate::test_command::{TestCommand, words};
use howcome_input::{Given, Pass, Tier};
use howcome_lab::Condition;
use howcome_run::RunFile;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    /// Paths may be of any bytes.
    #[serde(with = "words")]
    files: Vec<OsString>,
    /// Only one path.
    #[serde(with = "words")]
    output: Vec<OsString>,
    /// Whether the user has named it.
    pub(crate) is_output_given: bool,
    pub(crate) stdin: bool,
    pub(crate) format: Option<String>,
    pub(crate) skip_pass: Vec<String>,
    pub(crate) readable: bool,
    pub(crate) also: Vec<String>,
    #[serde(default)]
    pub(crate) formatter: Option<String>,
    pub(crate) test: TestCommand,
    pub(crate) failure: FailureOptions,
}

impl Request {
    /// Asks for files to be made smaller by this test.
    pub(crate) fn new(
        files: &[PathBuf],
        output: PathBuf,
        test: TestCommand,
        failure: FailureOptions,
    ) -> Self {
        Self {
            files: files.iter().map(|path| path.clone().into_os_string()).collect(),
            output: vec![output.into_os_string()],
            is_output_given: false,
            stdin: false,
            format: None,
            skip_pass: Vec::new(),
            readable: false,
            also: Vec::new(),
            formatter: None,
            test,
            failure,
        }
    }

    /// That of a run.
    pub(crate) fn of(file: &RunFile) -> Result<Self, Failure> {
        let request: Self = serde_json::from_value(file.request.clone()).map_err(|error| {
            Failure::wrong_use(format!("run.json does not say what was asked for: {error}"))
        })?;
        match (request.files.is_empty(), request.output.is_empty()) {
            (false, false) => Ok(request),
            _ => Err(Failure::wrong_use("run.json names no input, or no output")),
        }
    }

    /// The input.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.files.iter().map(PathBuf::from).collect()
    }

    /// Where the answer goes.
    pub(crate) fn output(&self) -> &Path {
        Path::new(&self.output[0])
    }

    /// The passes that the user wants.
    pub(crate) fn passes(&self) -> Vec<Arc<dyn Pass>> {
        let mut passes = howcome_input::passes();
        passes.retain(|pass| !self.skip_pass.iter().any(|skip| skip == pass.name()));
        let is_plain = self.format.as_deref().is_some_and(|format| PLAIN.contains(&format));
        passes.retain(|pass| !is_plain || pass.name() != "unpack");
        // Single characters would go out of names, too.
        let is_readable = |pass: &Arc<dyn Pass>| pass.tier() < Tier::Names && pass.name() != "whitespace";
        passes.retain(|pass| !self.readable || is_readable(pass));
        passes
    }

    /// What is looked out for beside the failure.
    pub(crate) fn also_conditions(&self) -> Result<Vec<Condition>, Failure> {
        conditions(&self.also)
    }

    /// How a candidate is given to the test.
    pub(crate) fn given(&self) -> Given {
        Given {
            program: self.test.program.clone(),
            arguments: self.test.arguments.clone(),
            directory: self.test.directory.clone(),
            candidate: Path::new(&self.files[0]).file_name().unwrap_or_default().into(),
            stdin: self.stdin,
        }
    }
}
