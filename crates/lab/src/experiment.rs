//! Subject and oracle: what is varied, and who judges.

use crate::{Command, Execution, WorkFolder};
use howcome_dd::{Configuration, Hints, Outcome};
use howcome_run::{Because, Subject};

/// A subject that can be turned into something to run.
pub trait Prepare: Subject + Send + Sync {
    /// Makes the candidate of a configuration in a folder of its own, and says what to run. The folder is empty, unless
    /// this subject [reuses](Prepare::reuses) what an earlier test left.
    ///
    /// Several workers call this at a time. A test that is cancelled meanwhile ends when this returns.
    ///
    /// # Errors
    /// [`Because::DidNotApply`] where the configuration makes no candidate; a reason that is no verdict where
    /// something is wrong that has nothing to do with the configuration.
    fn prepare(&self, configuration: &Configuration, folder: &mut WorkFolder<'_>)
    -> Result<Command, Because>;

    /// Whether it can make a candidate of what another one of its kind has left in the folder.
    fn reuses(&self) -> bool {
        false
    }

    /// What can be learnt about the deltas from a run that could not be resolved.
    fn hints(&self, configuration: &Configuration, execution: &Execution) -> Hints {
        let _ = (configuration, execution);
        Hints::default()
    }
}

/// Judges what was seen.
pub trait Oracle: Send + Sync {
    /// The verdict on one run. What the run left in its workspace is still there.
    fn judge(&self, execution: &Execution) -> Verdict;
}

/// What an oracle says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What the search is told.
    pub outcome: Outcome,
    /// Why.
    pub because: Because,
    /// What else was to be seen: another failure than the one in question, or what was asked for beside it.
    pub also: Vec<String>,
}

impl Verdict {
    /// An outcome because of how the test ended.
    #[must_use]
    pub fn new(outcome: Outcome, execution: &Execution) -> Self {
        Self { outcome, because: execution.ending.plain().into(), also: Vec::new() }
    }
}
