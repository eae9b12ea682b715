//! Who runs experiments: the driver starts and cancels tests here and waits for what they say.

use crate::Observation;
use howcome_dd::Configuration;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// One test of a run, by the order in which tests were started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TestId(pub u64);

/// A test that is to be run.
#[derive(Clone, Debug)]
pub struct TestOrder {
    /// What the answer will be known by.
    pub id: TestId,
    /// What is to be tested.
    pub configuration: Configuration,
    /// Nothing else runs until this one is done: the driver has seen to it.
    pub alone: bool,
    /// Nothing that an earlier test has left may be used for it.
    pub from_scratch: bool,
}

/// What an executor has to say.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A test has ended.
    Finished(TestId, Box<Observation>),
    /// The user wants to stop.
    Interrupted,
    /// The time given to [`Executor::wait`] has come.
    TimeIsUp,
}

/// Runs experiments somewhere.
pub trait Executor {
    /// How many tests it can run at a time.
    fn workers(&self) -> usize;

    /// Starts a test. Never more than [`Executor::workers`] at a time, the cancelled ones not counted.
    fn start(&mut self, order: TestOrder);

    /// Ends a test that nobody wants to know about any more. No event follows, or one that is ignored.
    fn cancel(&mut self, id: TestId);

    /// Waits for the next event, at the longest until the given time.
    fn wait(&mut self, until: Option<Instant>) -> Event;
}
