//! What the command line can do with any question.

use crate::exit::Exit;
use crate::options::RunArgs;
use clap::ArgMatches;
use howcome_dd::Configuration;
use howcome_report::Summary;
use howcome_run::{Problem, QuestionName, RunDir, RunFile};
use std::path::Path;

/// What the command line can do with a question.
pub(crate) struct QuestionCommands {
    pub(crate) name: QuestionName,
    /// Its flags and its help.
    pub(crate) command: fn(clap::Command) -> clap::Command,
    /// Asks it.
    pub(crate) run: fn(&ArgMatches) -> Result<Exit, Problem>,
    /// Continues a run.
    pub(crate) resume: fn(RunDir, &RunArgs) -> Result<Exit, Problem>,
    /// What was tested, for people.
    pub(crate) describe: fn(&TestOfRun<'_>) -> Result<String, Problem>,
    /// Makes the candidate of a test again in a folder; the command that tries it by hand.
    pub(crate) rebuild: fn(&TestOfRun<'_>, &Path) -> Result<String, Problem>,
    /// How a step of its chain came about, if it finds chains.
    pub(crate) before: Option<StepBack>,
}

/// Looks for what comes before a step of a chain, counted from 1, and prints it, as JSON if that is wanted.
pub(crate) type StepBack = fn(&RunFile, &Summary, usize, bool) -> Result<Exit, Problem>;

/// One test of a recorded run.
pub(crate) struct TestOfRun<'a> {
    pub(crate) run: &'a Path,
    pub(crate) file: &'a RunFile,
    pub(crate) summary: &'a Summary,
    pub(crate) stage: u32,
    pub(crate) configuration: &'a Configuration,
}

/// Reads the arguments of a question that was asked.
pub(crate) fn arguments<A: clap::Args>(matches: &ArgMatches) -> Result<A, Problem> {
    A::from_arg_matches(matches).map_err(|error| Problem::bug(error.to_string()))
}
