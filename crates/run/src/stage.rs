//! A stage of a run: a search over the deltas of a subject, its budget, and why it stops.

use crate::{Algorithm, Observation, StageName, Subject, Unit};
use howcome_dd::Knowledge;
use std::time::Duration;

/// The limits of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// How many questions can be answered by tests.
    pub max_tests: Option<u64>,
    /// How long the run can take, including earlier sessions.
    pub max_time: Option<Duration>,
}

/// A search over the deltas of a subject.
pub struct Stage<'a> {
    /// What is varied.
    pub subject: &'a dyn Subject,
    /// Its name. Stages with the same name share their deltas, so outcomes carry over.
    pub name: &'a StageName,
    /// The algorithm.
    pub search: Algorithm,
    /// What one delta is: item, line, hunk.
    pub unit: Unit,
    /// What is known about the deltas beforehand.
    pub knowledge: Knowledge,
}

/// Why a run was stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// The limit on tests is reached.
    MaxTests(u64),
    /// The limit on time is reached.
    MaxTime(Duration),
    /// The user wants to stop.
    Interrupted,
    /// A test gave no verdict on its configuration, so the search cannot continue.
    NoVerdict(Box<Observation>),
}
