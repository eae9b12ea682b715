//! The trait of an executor: the driver starts and cancels tests, and waits for their results.

use crate::Observation;
use howcome_dd::Configuration;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

/// The number of a test. Tests are numbered in the order in which they start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TestId(pub u64);

/// What an executor needs to know of a test of another stage than the present one. Only the executor knows what it is.
pub type LaterExperiment = Arc<dyn Any + Send + Sync>;

/// An order to run a test.
#[derive(Clone, Debug)]
pub struct TestOrder {
    /// The number under which its result is reported.
    pub id: TestId,
    /// The configuration to test.
    pub configuration: Configuration,
    /// No other test runs at the same time; the driver makes sure of that.
    pub alone: bool,
    /// It must not use files that an earlier test has left.
    pub from_scratch: bool,
    /// The number of the run, if the search asks for each run of a configuration on its own. Then the test is run once, however noisy
    /// it is.
    pub repeat: Option<u32>,
    /// It is a guess: nobody waits for its result yet.
    pub ahead: bool,
    /// If it is a test of another stage than the present one: its subject, and how it is judged.
    pub experiment: Option<LaterExperiment>,
}

/// An event that an executor reports.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A test has ended.
    Finished(TestId, Box<Observation>),
    /// The user wants to stop.
    Interrupted,
    /// The time given to [`Executor::wait`] is over.
    TimeIsUp,
}

/// Runs tests somewhere.
pub trait Executor {
    /// How many tests it can run at the same time.
    fn workers(&self) -> usize;

    /// How many more tests it takes, which wait until a worker is free. A worker that ends a quick test then gets the next one
    /// at once.
    fn can_wait(&self) -> usize {
        0
    }

    /// Whether each test has a machine, or a part of one, for itself, so that tests at the same time do not disturb each other.
    fn runs_apart(&self) -> bool {
        false
    }

    /// Starts a test. When the driver waits, it has started at most as many tests as [`Executor::workers`] and
    /// [`Executor::can_wait`] together, not counting those that have ended or were cancelled. It starts the test that it needs
    /// next before it cancels others, so there can be more for a moment.
    fn start(&mut self, order: TestOrder);

    /// From now on, somebody waits for the result of a test that was a guess.
    fn expect(&mut self, _id: TestId) {}

    /// Cancels a test whose result is no longer needed. If an event for it follows, the driver ignores it.
    fn cancel(&mut self, id: TestId);

    /// Waits for the next event, until the given time at most.
    fn wait(&mut self, until: Option<Instant>) -> Event;

    /// An event that has happened already, without waiting for one. With many workers, tests end while the driver plans; then it
    /// plans once for all of them.
    fn next_ready(&mut self) -> Option<Event> {
        None
    }
}
