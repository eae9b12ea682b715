//! The traits of an experiment: a subject prepares candidates, an oracle judges them.

use crate::{Command, Execution, WorkFolder};
use howcome_dd::{Configuration, Hints, Outcome};
use howcome_run::{Because, Subject};

/// A subject whose configurations can be turned into something to run.
pub trait Prepare: Subject + Send + Sync {
    /// Writes the candidate of a configuration into its own folder and returns the command to run. The folder is empty
    /// unless this subject [reuses](Prepare::reuses) the files of an earlier test.
    ///
    /// Several workers call this at the same time. A cancelled test ends only when this returns.
    ///
    /// # Errors
    /// [`Because::DidNotApply`] if the configuration makes no candidate. A reason that is not a verdict if the problem
    /// has nothing to do with the configuration.
    fn prepare(&self, configuration: &Configuration, folder: &mut WorkFolder<'_>)
    -> Result<Command, Because>;

    /// Whether it can turn the files that an earlier test of this subject left in the folder into a candidate.
    fn reuses(&self) -> bool {
        false
    }

    /// Writes any candidate into the folder, so that the next test only has to write what differs. It is called while tests of
    /// other workers run, and only if this subject [reuses](Prepare::reuses) files.
    ///
    /// # Errors
    /// If the candidate cannot be written.
    fn warm_up(&self, folder: &mut WorkFolder<'_>) -> Result<(), Because> {
        let _ = folder;
        Ok(())
    }

    /// Whether a build stopped in code of the test, and not in the candidate.
    fn stops_in_test(&self, build: &Execution) -> bool {
        let _ = build;
        false
    }

    /// A dangerous warning of the compiler in a run, if it makes the outcome worthless.
    fn new_warning(&self, configuration: &Configuration, execution: &Execution) -> Option<String> {
        let _ = (configuration, execution);
        None
    }

    /// The configurations whose warnings must be known before a warning of this one can be called new, and are not yet known.
    fn unknown_warnings(&self, configuration: &Configuration) -> Vec<Configuration> {
        let _ = configuration;
        Vec::new()
    }

    /// From now on, the warnings of this run are not new. `None` if the configuration cannot be run.
    fn learn_warnings(&self, configuration: &Configuration, execution: Option<&Execution>) {
        let _ = (configuration, execution);
    }

    /// What an unresolved run shows about the deltas.
    fn hints(&self, configuration: &Configuration, execution: &Execution) -> Hints {
        let _ = (configuration, execution);
        Hints::default()
    }
}

/// Judges executions.
pub trait Oracle: Send + Sync {
    /// The verdict on one run. The files that the run left in its workspace are still there.
    fn judge(&self, execution: &Execution) -> Verdict;

    /// Whether a run that fails prints other details than the failing side did.
    fn differs(&self, execution: &Execution) -> bool {
        let _ = execution;
        false
    }
}

/// The verdict of an oracle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The outcome for the search.
    pub outcome: Outcome,
    /// The reason.
    pub because: Because,
    /// What else the run showed: a failure other than the one in question, or something that was searched for in
    /// addition to it.
    pub also: Vec<String>,
}

impl Verdict {
    /// An outcome whose reason is the way the test ended.
    #[must_use]
    pub fn new(outcome: Outcome, execution: &Execution) -> Self {
        Self { outcome, because: execution.ending.plain().into(), also: Vec::new() }
    }
}
