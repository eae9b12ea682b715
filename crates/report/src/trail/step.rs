//! The trail: the questions of a search and their answers, in order, the same for any number of workers.

use howcome_dd::{Configuration, Outcome, Step};
use howcome_run::{AnswerSource, Because, TestId};
use std::time::Duration;

/// One answered question.
#[derive(Clone, Debug, PartialEq)]
pub struct TrailStep {
    /// Its place among the different questions, from 1; what was only looked up has none.
    pub number: Option<u64>,
    /// The stage that it belongs to.
    pub stage: u32,
    /// Where the answer came from.
    pub how: AnswerSource,
    /// The test that gave the answer.
    pub test: Option<TestId>,
    /// The case of the algorithm.
    pub step: Step,
    /// The answer.
    pub outcome: Outcome,
    /// What was asked; `None` only where the journal is damaged.
    pub configuration: Option<Configuration>,
    /// What people call the candidate, if it has a name: a commit.
    pub name: Option<String>,
    /// How many deltas are still in question after it.
    pub left: u32,
    /// How large the best candidate is after it, where it is a better one than before and is measured in bytes.
    pub bytes: Option<u64>,
    /// What else the test showed that is worth a look.
    pub also: Vec<String>,
    /// The reason for the outcome, where a test gave it.
    pub because: Option<Because>,
    /// How long the test took. `None` if no test was run.
    pub took: Option<Duration>,
}

/// The steps told so far.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    steps: Vec<TrailStep>,
    asked: u64,
}

impl Trail {
    /// One more answer. Its number is given here.
    pub(crate) fn tell(&mut self, mut step: TrailStep) {
        if step.how != AnswerSource::Remembered {
            self.asked += 1;
            step.number = Some(self.asked);
        }
        self.steps.push(step);
    }

    pub(crate) fn into_steps(self) -> Vec<TrailStep> {
        self.steps
    }
}
