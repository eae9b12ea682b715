//! What is known about the failure rates of a flaky test.

use crate::Tally;
use howcome_dd::{FailureCount, Outcome};

/// How often a flaky test fails with the failure's cause and without it, and how sure an answer has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlakyRates {
    /// How sure the answer must be, from 0 to 1.
    pub confidence: f64,
    /// Runs of versions that do not have the cause.
    pub passing: FailureCount,
    /// Runs of versions that have the cause.
    pub failing: FailureCount,
    /// The probability that everything is right that was found so far.
    pub certainty: f64,
}

impl FlakyRates {
    /// What the runs of both sides show before any search.
    #[must_use]
    pub fn of_sides(confidence: f64, [failing, passing]: [Tally; 2]) -> Self {
        Self { confidence, passing: passing.into(), failing: failing.into(), certainty: 1.0 }
    }

    /// The same after a search that found something with this probability, and saw these runs.
    #[must_use]
    pub fn after(self, certainty: f64, passing: FailureCount, failing: FailureCount) -> Self {
        Self { certainty: self.certainty * certainty, passing, failing, ..self }
    }

    /// How sure one of several searches must be of what it finds, so that the answer is as sure as it must be. `share` is its share
    /// of the errors.
    #[must_use]
    pub fn confidence_of_search(&self, share: f64) -> f64 {
        1.0 - (1.0 - self.confidence) * share
    }
}

/// The runs of the candidates that a search was told to fail, and of those that it was told to pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToldRuns {
    /// The runs of the candidates that fail.
    pub failing: Tally,
    /// The runs of the candidates that pass.
    pub passing: Tally,
}

impl ToldRuns {
    /// Adds the runs of a candidate. One that cannot be judged belongs to neither side.
    pub fn add(&mut self, outcome: Outcome, runs: Tally) {
        match outcome {
            Outcome::Fail => self.failing += runs,
            Outcome::Pass => self.passing += runs,
            Outcome::Unresolved => {}
        }
    }
}

impl From<Tally> for FailureCount {
    /// A run that could not be judged says nothing about the rate.
    fn from(tally: Tally) -> Self {
        Self { fails: tally.fail, passes: tally.pass }
    }
}
