//! What is asked, as `run.json` keeps it.

use super::format::InputFormat;
use crate::{InputTest, Pass, Tier, passes};
use howcome_lab::Condition;
use howcome_lab::inquiry::{FailureRequest, TestCommand, TestFolder, conditions, words};
use howcome_run::{Problem, RunFile};
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Everything that the answer depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InputRequest {
    /// The failing input: at least one file or folder. Paths can be of any bytes.
    #[serde(with = "words")]
    files: Vec<OsString>,
    /// Where the answer goes: one path.
    #[serde(with = "words")]
    output: Vec<OsString>,
    /// Whether the user named the output.
    pub is_output_given: bool,
    /// Whether the candidate is the standard input of the test.
    pub stdin: bool,
    /// What the user says the input is.
    pub format: Option<String>,
    /// Passes that are left out.
    pub skip_pass: Vec<String>,
    /// Whether the answer must stay readable.
    pub readable: bool,
    /// Conditions whose smallest candidates are kept, too.
    pub also: Vec<String>,
    /// The command that formats the answer.
    #[serde(default)]
    pub formatter: Option<String>,
    /// The size in bytes that is small enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_size: Option<u64>,
    /// The test.
    pub test: TestCommand,
    /// What counts as the failure.
    pub failure: FailureRequest,
    /// What the passing input is, if the smallest difference between two inputs is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passing_side: Option<String>,
}

impl InputRequest {
    /// Asks for files to be made as small as possible. All paths are absolute.
    #[must_use]
    pub fn new(files: &[PathBuf], output: PathBuf, test: TestCommand, failure: FailureRequest) -> Self {
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
            until_size: None,
            test,
            failure,
            passing_side: None,
        }
    }

    /// What was asked in a run.
    ///
    /// # Errors
    /// If `run.json` does not say so.
    pub fn of(file: &RunFile) -> Result<Self, Problem> {
        let request: Self = file.request()?;
        match (request.files.is_empty(), request.output.is_empty()) {
            (false, false) => Ok(request),
            _ => Err(Problem::new("run.json names no input, or no output")),
        }
    }

    /// The failing input.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        self.files.iter().map(PathBuf::from).collect()
    }

    /// Where the answer goes.
    #[must_use]
    pub fn output(&self) -> &Path {
        self.output.first().map_or(Path::new(""), Path::new)
    }

    /// Whether the smallest difference between two inputs is asked for.
    #[must_use]
    pub fn is_isolation(&self) -> bool {
        self.passing_side.is_some()
    }

    /// The passes that the user wants.
    pub(crate) fn passes(&self) -> Vec<Arc<dyn Pass>> {
        let mut passes = passes();
        passes.retain(|pass| !self.skip_pass.iter().any(|skip| skip == pass.name()));
        let is_plain = self.format.as_deref().is_some_and(InputFormat::is_never_opened);
        passes.retain(|pass| !is_plain || pass.name() != "unpack");
        // Single characters would be removed from names, too.
        let is_readable = |pass: &Arc<dyn Pass>| pass.tier() < Tier::Names && pass.name() != "whitespace";
        passes.retain(|pass| !self.readable || is_readable(pass));
        passes
    }

    /// What the user says the input is.
    pub(crate) fn format(&self) -> Result<Option<InputFormat>, Problem> {
        self.format.as_deref().map(InputFormat::of).transpose()
    }

    /// The conditions whose smallest candidates are kept, too.
    pub(crate) fn also_conditions(&self) -> Result<Vec<Condition>, Problem> {
        conditions(&self.also)
    }

    /// Whether the test names the candidate, or gets it as its standard input. A script can also find it by its name.
    pub(crate) fn names_the_candidate(&self) -> bool {
        let files = self.files();
        let names: Vec<&str> = files.iter().filter_map(|file| file.file_name()?.to_str()).collect();
        let is_named = |word: &OsString| {
            let word = word.to_string_lossy();
            word.contains("{}")
                || word.contains("HOWCOME_INPUT")
                || names.iter().any(|name| word.contains(name))
        };
        self.stdin || self.test.arguments.iter().any(is_named)
    }

    /// How a candidate is given to the test in a folder of its own.
    pub(crate) fn input_test(&self) -> InputTest {
        let files = self.files();
        // A path into a folder that is varied begins with the name of that folder.
        let is_there = |word: &OsStr| {
            let first = Path::new(word).components().next();
            files.iter().any(|file| file.file_name() == first.map(Component::as_os_str))
        };
        InputTest::new(TestFolder::with_candidate_only(&self.test, is_there), &files, self.stdin)
    }
}
