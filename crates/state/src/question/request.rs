//! What is asked, as `run.json` keeps it.

use super::command_line::{RunHost, read_command};
use crate::tracee::{Invocation, RunLimits};
use crate::{FailureTerms, PlaceName, RunGoal, TraceOptions, UserTest};
use howcome_lab::inquiry::{conditions, words};
use howcome_run::{Problem, RunFile};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Everything that the answer depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StateRequest {
    /// The run that fails, as the user writes it.
    pub fail: String,
    /// The run that passes. `None` if two calls of the failing run are compared.
    pub pass: Option<String>,
    /// The places to look at.
    pub at: Vec<String>,
    /// Whether to look at the first call of every function.
    pub every_function: bool,
    /// Two calls of the failing run: one that passes, one that fails.
    pub between: Option<Vec<String>>,
    /// Whether to follow the cause back to the start of the run.
    pub transitions: bool,
    /// Further runs that pass.
    #[serde(default)]
    pub more_passing: Vec<String>,
    /// Further runs that fail.
    #[serde(default)]
    pub more_failing: Vec<String>,
    /// The folders with debug information that is not in the program; if there are none, the usual one.
    pub debug_dir: Vec<PathBuf>,
    /// What counts as the failure.
    pub judged: JudgingRequest,
    /// The memory graph to be written.
    #[serde(default)]
    pub graph: GraphRequest,
    /// The user's own test; empty if there is none.
    #[serde(with = "words")]
    pub test: Vec<OsString>,
    /// The folder in which the user asked.
    pub directory: PathBuf,
}

/// What counts as the failure, and what a run may use.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JudgingRequest {
    /// Conditions that must all hold in a failure; if there are none, it is what the failing run does.
    pub fails_when: Vec<String>,
    /// Conditions that must all hold in a pass.
    pub passes_when: Vec<String>,
    /// How long an altered run may take; if not given, it follows from the two runs.
    pub timeout: Option<Duration>,
    /// How many bytes of memory a run may use.
    pub memory: u64,
}

/// The memory graph to be written.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GraphRequest {
    /// The file to write to; `None` if no graph is wanted.
    pub graph: Option<PathBuf>,
    /// The variables to draw with the vertices around them; if there are none, the differences.
    pub around: Vec<String>,
    /// Whether to draw everything.
    pub whole_graph: bool,
}

/// The places to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceChoice {
    /// `main`, and 50, 75 and 90 % of the functions that the failing run covers.
    Usual,
    /// The first call of every function.
    EveryFunction,
    /// The places with these names.
    Named(Vec<PlaceName>),
    /// Two calls of one run: one that passes, one that fails.
    Between(PlaceName, PlaceName),
}

impl StateRequest {
    /// Compares two runs at the usual places. The failure is what the failing run does. The user asks in `directory`.
    #[must_use]
    pub fn new(fail: &str, pass: &str, directory: &Path) -> Self {
        Self {
            fail: fail.to_owned(),
            pass: Some(pass.to_owned()),
            at: Vec::new(),
            every_function: false,
            between: None,
            transitions: false,
            more_passing: Vec::new(),
            more_failing: Vec::new(),
            debug_dir: Vec::new(),
            judged: JudgingRequest {
                fails_when: Vec::new(),
                passes_when: Vec::new(),
                timeout: None,
                memory: RunLimits::default().memory,
            },
            graph: GraphRequest::default(),
            test: Vec::new(),
            directory: directory.to_owned(),
        }
    }

    /// What was asked in a run.
    ///
    /// # Errors
    /// If `run.json` does not say so.
    pub fn of(file: &RunFile) -> Result<Self, Problem> {
        file.request()
    }

    /// How the failing run is started.
    ///
    /// # Errors
    /// If the command does not name a program.
    pub fn failing(&self, host: &RunHost) -> Result<Invocation, Problem> {
        read_command(&self.fail, "--fail", &self.directory, host)
    }

    /// How the passing run is started; like the failing one, if two of its calls are compared.
    ///
    /// # Errors
    /// If the command does not name a program.
    pub fn passing(&self, host: &RunHost) -> Result<Invocation, Problem> {
        match &self.pass {
            Some(pass) => read_command(pass, "--pass", &self.directory, host),
            None => self.failing(host),
        }
    }

    /// What counts as the failure.
    ///
    /// # Errors
    /// If a condition cannot be understood.
    pub fn terms(&self, host: &RunHost) -> Result<FailureTerms, Problem> {
        let test = (!self.test.is_empty())
            .then(|| UserTest::new(self.test.clone(), self.directory.clone(), host.tests.clone()));
        Ok(FailureTerms { test, ..self.terms_without_test()? })
    }

    /// What counts as the failure, except by the user's own test.
    ///
    /// # Errors
    /// If a condition cannot be understood.
    pub fn terms_without_test(&self) -> Result<FailureTerms, Problem> {
        Ok(FailureTerms {
            fails_when: conditions(&self.judged.fails_when)?,
            passes_when: conditions(&self.judged.passes_when)?,
            test: None,
        })
    }

    /// The places to look at.
    ///
    /// # Errors
    /// If a text does not name a place.
    pub fn places(&self) -> Result<PlaceChoice, Problem> {
        let name = |text: &String| text.parse::<PlaceName>().map_err(|error| Problem::new(error.to_string()));
        if let Some([passing, failing]) = self.between.as_deref() {
            return Ok(PlaceChoice::Between(name(passing)?, name(failing)?));
        }
        if self.every_function {
            return Ok(PlaceChoice::EveryFunction);
        }
        match self.at.as_slice() {
            [] => Ok(PlaceChoice::Usual),
            named => Ok(PlaceChoice::Named(named.iter().map(name).collect::<Result<_, _>>()?)),
        }
    }

    /// Two calls of a function are compared up to its return, two rounds of a loop up to the next round.
    fn goal(&self) -> RunGoal {
        match self.places() {
            Ok(PlaceChoice::Between(one, other)) if one.is_line() && other.is_line() => RunGoal::Round,
            Ok(PlaceChoice::Between(..)) => RunGoal::Return,
            _ => RunGoal::End,
        }
    }

    /// How runs are traced.
    pub(super) fn options(&self) -> TraceOptions {
        let debug_folders = match self.debug_dir.as_slice() {
            [] => vec![PathBuf::from("/usr/lib/debug")],
            folders => folders.to_vec(),
        };
        TraceOptions {
            limits: RunLimits { memory: self.judged.memory, ..RunLimits::default() },
            timeout: self.judged.timeout,
            debug_folders,
            goal: self.goal(),
        }
    }
}
