//! A stage of a run: a search over the deltas of a subject, how far it may go, and why it is stopped.

use crate::{Algorithm, Observation, StageName, Subject, Unit};
use howcome_dd::Knowledge;
use std::time::Duration;

/// When a run ends although its search would go on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// So many questions may be answered by tests.
    pub max_tests: Option<u64>,
    /// So much time may pass, that of earlier sessions included.
    pub max_time: Option<Duration>,
}

/// A search over the deltas of a subject.
pub struct Stage<'a> {
    /// What is varied.
    pub subject: &'a dyn Subject,
    /// Its name. Stages of one name share their deltas, so outcomes carry over from one to the next.
    pub name: &'a StageName,
    /// What searches.
    pub search: Algorithm,
    /// What one delta is: item, line, hunk.
    pub unit: Unit,
    /// What is known of the deltas beforehand.
    pub knowledge: Knowledge,
}

/// Why a run was stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// So many tests were allowed.
    MaxTests(u64),
    /// So much time was allowed.
    MaxTime(Duration),
    /// The user wanted it.
    Interrupted,
    /// A test said nothing about its configuration, so the search cannot go on.
    NoVerdict(Box<Observation>),
}
