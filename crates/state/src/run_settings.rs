//! What all runs of the program have in common.

use crate::debug::Program;
use crate::tracee::{RunLimits, Watchdog};
use std::sync::Arc;
use std::time::Duration;

/// What all runs have in common.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// The program with its debug information.
    pub program: Arc<Program>,
    /// What a run may use.
    pub limits: RunLimits,
    /// How long a run may take from its start to a place.
    pub time_to_place: Duration,
    /// How long a run may take from a place to its end.
    pub time_to_end: Duration,
    /// Whether runs end when the function returns in which they were stopped.
    pub until_return: bool,
    /// Ends runs that take too long.
    pub watchdog: Watchdog,
}
