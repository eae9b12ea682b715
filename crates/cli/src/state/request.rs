//! What `run.json` keeps of the command line: everything that the answer depends on.

use super::graph::GraphOptions;
use super::{JudgedBy, StateArgs, started};
use crate::failure::Failure;
use crate::options::conditions;
use crate::test_command::{TestCommand, words};
use howcome_run::RunFile;
use howcome_state::tracee::{Invocation, RunLimits};
use howcome_state::{FailureTerms, PlaceName, TraceOptions, UserTest};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) fail: String,
    pub(crate) pass: Option<String>,
    at: Vec<String>,
    pub(crate) every_function: bool,
    between: Option<Vec<String>>,
    pub(crate) transitions: bool,
    debug_dir: Vec<PathBuf>,
    judged: JudgedBy,
    #[serde(default)]
    pub(crate) graph: GraphOptions,
    #[serde(with = "words")]
    test: Vec<OsString>,
    /// Where the user stood.
    directory: PathBuf,
}

/// Which places are to be looked at.
pub(crate) enum Places {
    /// The usual ones.
    Usual,
    /// Every function.
    EveryFunction,
    /// These.
    Named(Vec<PlaceName>),
    /// Two calls of one run.
    Between(PlaceName, PlaceName),
}

impl Request {
    pub(crate) fn new(args: &StateArgs, directory: &Path) -> Result<Self, Failure> {
        let test = match args.test.as_slice() {
            [] => Vec::new(),
            // It must be there, and executable.
            words => {
                let test = TestCommand::parse(words, false)?;
                [vec![test.program.into_os_string()], test.arguments].concat()
            }
        };
        Ok(Self {
            fail: args.fail.clone(),
            pass: args.pass.clone(),
            at: args.at.clone(),
            every_function: args.every_function,
            between: args.between.clone(),
            transitions: args.transitions,
            debug_dir: args.debug_dir.iter().map(|folder| directory.join(folder)).collect(),
            judged: args.judged.clone(),
            graph: args.graph.from(directory),
            test,
            directory: directory.to_owned(),
        })
    }

    /// That of a run.
    pub(crate) fn of(file: &RunFile) -> Result<Self, Failure> {
        serde_json::from_value(file.request.clone())
            .map_err(|error| Failure::wrong_use(format!("run.json does not say what was asked for: {error}")))
    }

    pub(crate) fn failing(&self) -> Result<Invocation, Failure> {
        started::invocation(&self.fail, "--fail", &self.directory)
    }

    /// The passing run; the failing one itself, where two of its calls are compared.
    pub(crate) fn passing(&self) -> Result<Invocation, Failure> {
        match &self.pass {
            Some(pass) => started::invocation(pass, "--pass", &self.directory),
            None => self.failing(),
        }
    }

    pub(crate) fn terms(&self) -> Result<FailureTerms, Failure> {
        let test = match self.test.is_empty() {
            true => None,
            false => Some(UserTest { words: self.test.clone(), directory: self.directory.clone() }),
        };
        Ok(FailureTerms {
            fails_when: conditions(&self.judged.fails_when)?,
            passes_when: conditions(&self.judged.passes_when)?,
            test,
        })
    }

    pub(crate) fn places(&self) -> Result<Places, Failure> {
        let location =
            |text: &String| text.parse::<PlaceName>().map_err(|error| Failure::wrong_use(error.to_string()));
        if let Some([passing, failing]) = self.between.as_deref() {
            return Ok(Places::Between(location(passing)?, location(failing)?));
        }
        if self.every_function {
            return Ok(Places::EveryFunction);
        }
        match self.at.as_slice() {
            [] => Ok(Places::Usual),
            named => Ok(Places::Named(named.iter().map(location).collect::<Result<_, _>>()?)),
        }
    }

    pub(crate) fn options(&self) -> TraceOptions {
        let debug_folders = match self.debug_dir.as_slice() {
            [] => vec![PathBuf::from("/usr/lib/debug")],
            folders => folders.to_vec(),
        };
        TraceOptions {
            limits: RunLimits { memory: self.judged.memory, ..RunLimits::default() },
            timeout: self.judged.timeout,
            debug_folders,
            until_return: self.between.is_some(),
        }
    }
}
