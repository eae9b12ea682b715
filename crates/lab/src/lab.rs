//! Where tests run: what a question needs beside an executor.

use crate::{Execution, IndistinctSides, Limits, Noise, Oracle, Prepare, Repeat, SameAspect};
use howcome_dd::Configuration;
use howcome_run::{Because, Executor, Tally};
use std::sync::Arc;

/// Why nothing was seen of a test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookError {
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// For this reason.
    #[error("the test {0}")]
    Because(Because),
}

/// A place where tests run: an executor that can also be looked into. [`Local`](crate::Local) runs them on this machine.
pub trait Lab: Executor {
    /// What is tested from now on, who judges it, and how often it is repeated.
    fn set_experiment(&mut self, subject: Arc<dyn Prepare>, oracle: Arc<dyn Oracle>, repeat: Repeat);

    /// What each test may use from now on.
    fn set_limits(&mut self, limits: Limits);

    /// What must be the same in a failure from now on. If that takes a closer look, each [`Lab::look`] takes it, and so does
    /// each test that the oracle says to fail, before it is judged again: the test runs once more, in the workspace as it
    /// left it, under a tool and without a limit of memory. A test that takes too long there has timed out.
    fn set_same(&mut self, same: &[SameAspect]);

    /// Runs one configuration once and returns what was seen, unjudged. Its workspace stays until the lab ends.
    ///
    /// # Errors
    /// If it could not be run, or the user wanted to stop.
    fn look(
        &mut self,
        subject: &Arc<dyn Prepare>,
        configuration: &Configuration,
    ) -> Result<Execution, LookError>;

    /// The same, but its workspace stays only until the next test, which begins with what is there if it can.
    ///
    /// # Errors
    /// If it could not be run, or the user wanted to stop.
    fn look_and_go_on(
        &mut self,
        subject: &Arc<dyn Prepare>,
        configuration: &Configuration,
    ) -> Result<Execution, LookError>;

    /// Runs one configuration many times and counts the outcomes.
    ///
    /// # Errors
    /// If it could not be run, or the user wanted to stop.
    fn measure(
        &mut self,
        subject: &Arc<dyn Prepare>,
        oracle: &Arc<dyn Oracle>,
        configuration: &Configuration,
        runs: u32,
    ) -> Result<Tally, LookError>;
}

/// Why it is not known how noisy a test is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoiseUnknown {
    /// It could not be run, or the user wanted to stop.
    #[error(transparent)]
    NotRun(#[from] LookError),
    /// The two sides cannot be told apart.
    #[error(transparent)]
    Indistinct(#[from] IndistinctSides),
}

/// Runs both sides until it is clear how noisy the test is, or that no number of runs will tell them apart. Also returns what
/// the runs of the failing and of the passing side said.
///
/// # Errors
/// If they could not be run or told apart, or the user wanted to stop.
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
