//! Why work does not continue.

use crate::{JournalError, Problem, Stop};
use howcome_dd::Difference;

/// Why work does not continue. `?` passes it on, and callers can add what is worth keeping.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt<Best = ()> {
    /// The budget is used up, the user wanted to stop, or a test gave no verdict.
    Stopped {
        /// The reason.
        why: Stop,
        /// What is worth keeping.
        best: Best,
    },
    /// The baseline does not hold, so there is nothing to explain.
    Refused {
        /// The problem to report.
        problem: Problem,
        /// The same in a few words, for the record.
        why: String,
    },
    /// An error.
    Failed(Problem),
    /// A replay has reached the stage that it was looking for.
    Reached,
}

impl<Best> Halt<Best> {
    /// Replaces what is worth keeping with a function of it.
    #[must_use]
    pub fn map_best<Other>(self, map: impl FnOnce(Best) -> Other) -> Halt<Other> {
        match self {
            Halt::Stopped { why, best } => Halt::Stopped { why, best: map(best) },
            Halt::Refused { problem, why } => Halt::Refused { problem, why },
            Halt::Failed(problem) => Halt::Failed(problem),
            Halt::Reached => Halt::Reached,
        }
    }

    /// Replaces what is worth keeping.
    #[must_use]
    pub fn keeping<Other>(self, best: Other) -> Halt<Other> {
        self.map_best(|_| best)
    }
}

impl From<Stop> for Halt {
    fn from(why: Stop) -> Self {
        Halt::Stopped { why, best: () }
    }
}

impl<Best> From<Problem> for Halt<Best> {
    fn from(problem: Problem) -> Self {
        Halt::Failed(problem)
    }
}

impl<Best> From<JournalError> for Halt<Best> {
    fn from(error: JournalError) -> Self {
        Halt::Failed(error.into())
    }
}

/// For callers that do not need the best difference of the search.
impl From<Halt<Difference>> for Halt {
    fn from(halt: Halt<Difference>) -> Self {
        halt.keeping(())
    }
}
