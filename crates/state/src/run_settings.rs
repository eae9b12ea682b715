//! What all runs of the program have in common.

use crate::debug::Program;
use crate::tracee::{RunLimits, Watchdog};
use std::sync::Arc;
use std::time::Duration;

/// What all runs have in common.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// What is known of the program.
    pub program: Arc<Program>,
    /// What a run may use.
    pub limits: RunLimits,
    /// How long a run may take from its start to a place,
    pub time_to_place: Duration,
    /// and from there to its end.
    pub time_to_end: Duration,
    /// Only the call of the function where it was stopped is of interest.
    pub until_return: bool,
    /// Who sees to it.
    pub watchdog: Watchdog,
}
