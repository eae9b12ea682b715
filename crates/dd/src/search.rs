//! Searches ask, the driver tells: the one interface that every algorithm of this crate has.

use crate::{Configuration, Hints, Outcome};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An algorithm that says what it would like to know next, and is told.
///
/// It is a value: a driver may clone it and ask the copies "and if that fails? and if it passes?" in order to run
/// tests before they are asked for. So what a search asks may depend on nothing but the answers told so far.
pub trait Search: Clone {
    /// What the search concludes.
    type Finding: Clone + PartialEq + fmt::Debug;

    /// Whether the search makes a difference between passing and unresolved. Where all that counts is whether the failure
    /// occurs, there are only two futures to look ahead to.
    const SEES_UNRESOLVED: bool;

    /// Whether it narrows a failing configuration from the side of one that passes too, as isolation does. A simplifier
    /// takes away only.
    const KEEPS_WHAT_PASSES: bool = false;

    /// The next question, or the end. Asking twice gives the same.
    fn ask(&self) -> Ask<Self::Finding>;

    /// The answer to the question last asked. Telling a search that is done changes nothing.
    fn tell(&mut self, answer: Answer);

    /// The smallest configuration known to fail, or what else is worth keeping if the search ends here.
    fn best_so_far(&self) -> &Configuration;

    /// The same as a difference, for a search that has a passing side too.
    fn best_difference(&self) -> Difference {
        Difference::from_nothing(self.best_so_far().clone())
    }

    /// How many deltas are still in question.
    fn left(&self) -> usize {
        self.best_so_far().len()
    }

    /// About how many questions are still to come, where the search has a notion of that. For people who wait.
    fn questions_left(&self) -> Option<f64> {
        None
    }
}

/// What a search wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask<F> {
    /// To know the outcome of a configuration.
    Test(Question),
    /// Nothing more.
    Done(F),
}

/// A configuration whose outcome is wanted, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// What is to be tested.
    pub configuration: Configuration,
    /// The case of the algorithm that it serves.
    pub step: Step,
    /// How probable the search itself thinks a failure is, from 0 to 1, where it has a notion of that.
    pub chance: Option<f64>,
}

impl Question {
    /// A question for which the search has no odds of its own.
    #[must_use]
    pub fn new(configuration: Configuration, step: Step) -> Self {
        Self { configuration, step, chance: None }
    }
}

/// The case of the algorithm that a question serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// One of the parts, with what remains applied.
    Subset,
    /// All but one of the parts.
    Complement,
    /// All that is left but a run of deltas.
    Removal,
    /// All that is left but a single delta.
    Single,
    /// A revision between good and bad.
    Midpoint,
    /// The finding itself, once more and for its own sake.
    Alone,
}

impl Step {
    /// All steps, for tables indexed by step.
    pub const ALL: [Step; 6] =
        [Step::Subset, Step::Complement, Step::Removal, Step::Single, Step::Midpoint, Step::Alone];

    /// Its name in journals and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Step::Subset => "subset",
            Step::Complement => "complement",
            Step::Removal => "removal",
            Step::Single => "single",
            Step::Midpoint => "midpoint",
            Step::Alone => "alone",
        }
    }
}

/// What a search is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What the test said.
    pub outcome: Outcome,
    /// What the domain read out of the observation.
    pub hints: Hints,
    /// Whether there was anything to run: what cannot be made, or does not build, is not.
    pub was_run: bool,
}

impl From<Outcome> for Answer {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, hints: Hints::default(), was_run: true }
    }
}

/// Two configurations, and between them the deltas that decide. The finding of every search but [`crate::Bisect`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What stays applied and passes: for a simplifier nothing.
    pub passing: Configuration,
    /// What fails.
    pub failing: Configuration,
}

impl Difference {
    /// The failing configuration of a search that has no passing side.
    #[must_use]
    pub fn from_nothing(failing: Configuration) -> Self {
        Self { passing: Configuration::empty(), failing }
    }

    /// The deltas that decide.
    #[must_use]
    pub fn deltas(&self) -> Configuration {
        self.failing.without(&self.passing)
    }
}
