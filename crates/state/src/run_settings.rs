//! What all runs of the program have in common.

use crate::Address;
use crate::debug::Program;
use crate::tracee::{Invocation, Output, RANDOM_FUNCTIONS, RunLimits, TraceError, Tracee, Watchdog};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How far runs go from the place at which they were stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunGoal {
    /// To the end of the program.
    #[default]
    End,
    /// Until the function returns.
    Return,
    /// Until the call reaches the same statement again, or returns.
    Round,
}

/// What all runs have in common.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// The program with its debug information.
    pub program: Arc<Program>,
    /// What a run may use.
    pub limits: RunLimits,
    /// How long a run may take from its start to a place.
    pub time_to_place: Duration,
    /// How long a run may take that is followed to its end.
    pub time_to_follow: Duration,
    /// How long a run may take from a place to its end.
    pub time_to_end: Duration,
    /// How far runs go from a place.
    pub goal: RunGoal,
    /// Ends runs that take too long.
    pub watchdog: Watchdog,
    /// When the time of the whole question is up; `None` if it is not limited.
    pub deadline: Option<Instant>,
}

impl RunSettings {
    /// Starts a run. What depends on chance or time is the same in all runs.
    pub(crate) fn start(&self, invocation: &Invocation, output: &Output) -> Result<Tracee, TraceError> {
        let mut tracee = Tracee::start(invocation, self.limits, output)?;
        let functions: Vec<Address> =
            RANDOM_FUNCTIONS.iter().filter_map(|name| self.program.symbol(name)).collect();
        tracee.answer_functions(&functions)?;
        Ok(tracee)
    }

    /// Whether the time of the whole question is up.
    ///
    /// # Errors
    /// If it is.
    pub(crate) fn check_time(&self) -> Result<(), TraceError> {
        match self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            true => Err(TraceError::Broken("the time is up".to_owned())),
            false => Ok(()),
        }
    }
}
