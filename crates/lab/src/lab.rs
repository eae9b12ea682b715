//! The trait of a place where tests run.

use crate::{Execution, IndistinctSides, Limits, Noise, Oracle, Prepare, Repeat, SameAspect};
use howcome_dd::Configuration;
use howcome_run::{Because, Executor, Tally};
use std::sync::Arc;

/// Why a test has no execution to show.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookError {
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// The test could not be run, for this reason.
    #[error("the test {0}")]
    Because(Because),
}

/// A single run of a configuration that is returned as it was, unjudged.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// What makes the candidate.
    pub subject: &'a Arc<dyn Prepare>,
    /// The configuration.
    pub configuration: &'a Configuration,
    /// The workspace is kept only until the next test, which starts with its files if the subject reuses them.
    pub goes_on: bool,
    /// It belongs neither to the baseline nor to a proof, so an earlier run of somebody else is as good.
    pub is_probe: bool,
}

impl<'a> Look<'a> {
    /// A run whose workspace is kept.
    #[must_use]
    pub fn at(subject: &'a Arc<dyn Prepare>, configuration: &'a Configuration) -> Self {
        Self { subject, configuration, goes_on: false, is_probe: false }
    }
}

/// A place where tests run: an executor that can also show single executions. [`Local`](crate::Local) runs tests on
/// this machine.
pub trait Lab: Executor {
    /// Sets the subject of all further tests, the oracle that judges them, and how often each test is repeated.
    fn set_experiment(&mut self, subject: Arc<dyn Prepare>, oracle: Arc<dyn Oracle>, repeat: Repeat);

    /// Sets the limits of all further tests.
    fn set_limits(&mut self, limits: Limits);

    /// Sets the aspects that a failure must share with the failing side from now on. If an aspect needs a tool, each
    /// [`Lab::look`] runs the test once more under the tool, and so does each test that the oracle judges to fail,
    /// before it is judged again. The additional run starts in the workspace as the test left it, without a memory
    /// limit. If it takes too long, the test has timed out.
    fn set_same(&mut self, same: &[SameAspect]);

    /// Runs each of these once, at the same time if tests do not disturb each other.
    fn look_at_all(&mut self, looks: &[Look<'_>]) -> Vec<Result<Execution, LookError>>;

    /// Runs a configuration once and returns the execution, unjudged. Its workspace is kept until the lab ends or
    /// [releases](Lab::release_workspaces) it.
    ///
    /// # Errors
    /// If the test could not be run, or the user wants to stop.
    fn look(
        &mut self,
        subject: &Arc<dyn Prepare>,
        configuration: &Configuration,
    ) -> Result<Execution, LookError> {
        self.look_at_all(&[Look::at(subject, configuration)]).pop().unwrap_or(Err(LookError::Interrupted))
    }

    /// The same, but the workspace is kept only until the next test, which starts with its files if the subject reuses
    /// them.
    ///
    /// # Errors
    /// If the test could not be run, or the user wants to stop.
    fn look_and_go_on(
        &mut self,
        subject: &Arc<dyn Prepare>,
        configuration: &Configuration,
    ) -> Result<Execution, LookError> {
        let look = Look { goes_on: true, ..Look::at(subject, configuration) };
        self.look_at_all(&[look]).pop().unwrap_or(Err(LookError::Interrupted))
    }

    /// Nobody needs the workspaces of earlier looks any more, so other tests can use their files.
    fn release_workspaces(&mut self) {}

    /// Runs a configuration many times and counts the outcomes.
    ///
    /// # Errors
    /// If the test could not be run, or the user wants to stop.
    fn measure(
        &mut self,
        subject: &Arc<dyn Prepare>,
        oracle: &Arc<dyn Oracle>,
        configuration: &Configuration,
        runs: u32,
    ) -> Result<Tally, LookError>;
}

/// Why the noise of a test is unknown.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoiseUnknown {
    /// The test could not be run, or the user wants to stop.
    #[error(transparent)]
    NotRun(#[from] LookError),
    /// The two sides cannot be told apart.
    #[error(transparent)]
    Indistinct(#[from] IndistinctSides),
}

/// Runs both sides until their noise is known, or until it is clear that no number of runs can tell them apart. Also
/// returns the outcomes of the failing and of the passing side.
///
/// # Errors
/// If the sides could not be run or told apart, or the user wants to stop.
pub fn learn_noise(
    lab: &mut dyn Lab,
    subject: &Arc<dyn Prepare>,
    oracle: &Arc<dyn Oracle>,
    failing: &Configuration,
    passing: &Configuration,
) -> Result<(Noise, [Tally; 2]), NoiseUnknown> {
    let mut sides = [(failing, Tally::default()), (passing, Tally::default())];
    loop {
        for (side, tally) in &mut sides {
            let more = lab.measure(subject, oracle, side, Noise::RUNS_TO_MEASURE)?;
            *tally += more;
        }
        let [(_, failing), (_, passing)] = sides;
        match Noise::measure(failing, passing) {
            Err(_) if failing.runs() < Noise::MOST_RUNS_TO_MEASURE => {}
            learnt => return Ok((learnt?, [failing, passing])),
        }
    }
}
