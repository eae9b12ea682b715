//! The interface of all searches: a search asks for tests, and a driver tells it the outcomes.

use crate::{Configuration, Hints, Outcome};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An algorithm that asks for the outcome of one configuration after another.
///
/// It is a value. A driver can clone it and tell the copies different outcomes, to run tests before the search asks for
/// them. So what a search asks must depend only on the answers it was told.
pub trait Search: Clone {
    /// What the search concludes.
    type Finding: Clone + PartialEq + fmt::Debug;

    /// Whether the search distinguishes a pass from an unresolved outcome. If it does not, a driver that looks ahead has
    /// only two futures to consider: the failure occurs or it does not.
    const SEES_UNRESOLVED: bool;

    /// Whether the search also keeps a passing configuration and adds deltas to it, as isolation does. A simplifier only
    /// removes deltas.
    const KEEPS_WHAT_PASSES: bool = false;

    /// The next question, or the finding. Asking twice returns the same.
    fn ask(&self) -> Ask<Self::Finding>;

    /// Takes the answer to the last question. A search that is done ignores it.
    fn tell(&mut self, answer: Answer);

    /// The smallest configuration known to fail, or whatever else is worth keeping if the search stops here.
    fn best_so_far(&self) -> &Configuration;

    /// The same as a difference, for a search that also has a passing side.
    fn best_difference(&self) -> Difference {
        Difference::from_nothing(self.best_so_far().clone())
    }

    /// How many deltas can still be part of the finding.
    fn left(&self) -> usize {
        self.best_so_far().len()
    }

    /// An estimate of how many questions are left, for progress displays. `None` if the search cannot tell.
    fn questions_left(&self) -> Option<f64> {
        None
    }
}

/// What a search asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask<F> {
    /// The outcome of a configuration.
    Test(Question),
    /// Nothing: this is the finding.
    Done(F),
}

/// A configuration to test, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The configuration to test.
    pub configuration: Configuration,
    /// The case of the algorithm that needs the outcome.
    pub step: Step,
    /// The search's own estimate that the test fails, from 0 to 1, if it has one.
    pub chance: Option<f64>,
    /// If the test is flaky: the number of the run, counted from 0. Each run of a configuration is a question of its own, so
    /// neither an earlier run nor another configuration with the same content answers it.
    pub repeat: Option<u32>,
}

impl Question {
    /// A question without an estimate.
    #[must_use]
    pub fn new(configuration: Configuration, step: Step) -> Self {
        Self { configuration, step, chance: None, repeat: None }
    }
}

/// The case of the algorithm that a question belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// One of the parts, together with the deltas that stay applied.
    Subset,
    /// All but one of the parts.
    Complement,
    /// All deltas that are left except a run of them.
    Removal,
    /// All deltas that are left except a single one.
    Single,
    /// A revision between good and bad.
    Midpoint,
    /// The finding on its own.
    Alone,
}

impl Step {
    /// All steps, for tables indexed by step.
    pub const ALL: [Step; 6] =
        [Step::Subset, Step::Complement, Step::Removal, Step::Single, Step::Midpoint, Step::Alone];

    /// The name in journals and reports.
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

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The outcome of the test.
    pub outcome: Outcome,
    /// What the domain learned from the test.
    pub hints: Hints,
    /// Whether the test was run. A configuration that cannot be applied or does not build is not run.
    pub was_run: bool,
    /// Whether the outcome was known without building or running anything.
    pub is_predicted: bool,
}

impl Answer {
    /// The answer for an outcome that follows from relations between deltas.
    #[must_use]
    pub fn predicted(outcome: Outcome) -> Self {
        Self { is_predicted: true, ..Self::from(outcome) }
    }

    /// The answer for a configuration that is not worth a test, and what to try instead.
    #[must_use]
    pub fn rejected(hints: Hints) -> Self {
        Self { hints, was_run: false, ..Self::predicted(Outcome::Unresolved) }
    }
}

impl From<Outcome> for Answer {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, hints: Hints::default(), was_run: true, is_predicted: false }
    }
}

/// A passing and a failing configuration. The deltas between them decide the outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The deltas that stay applied and pass. A simplifier has none.
    pub passing: Configuration,
    /// The deltas that fail.
    pub failing: Configuration,
}

impl Difference {
    /// The difference between nothing and a failing configuration, for a search without a passing side.
    #[must_use]
    pub fn from_nothing(failing: Configuration) -> Self {
        Self { passing: Configuration::empty(), failing }
    }

    /// The deltas that are only in the failing configuration: they decide.
    #[must_use]
    pub fn deltas(&self) -> Configuration {
        self.failing.without(&self.passing)
    }
}
