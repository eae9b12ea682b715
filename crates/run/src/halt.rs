//! Why work does not go on.

use crate::{JournalError, Problem, Stop};
use howcome_dd::Difference;

/// Why work does not go on. `?` passes it on; whoever knows something that is worth keeping adds it on the way.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt<Best = ()> {
    /// The budget is used up, the user wanted to stop, or a test gave no verdict.
    Stopped {
        /// Which of these.
        why: Stop,
        /// What is worth keeping.
        best: Best,
    },
    /// The baseline does not hold, so there is nothing to explain.
    Refused {
        /// What to tell the user.
        problem: Problem,
        /// The same in a few words, for the record.
        why: String,
    },
    /// Something is wrong.
    Failed(Problem),
    /// A replay has come to the stage that it was looking for.
    Reached,
}

impl<Best> Halt<Best> {
    /// The same with something else that is worth keeping.
    #[must_use]
    pub fn map_best<Other>(self, map: impl FnOnce(Best) -> Other) -> Halt<Other> {
        match self {
            Halt::Stopped { why, best } => Halt::Stopped { why, best: map(best) },
            Halt::Refused { problem, why } => Halt::Refused { problem, why },
            Halt::Failed(problem) => Halt::Failed(problem),
            Halt::Reached => Halt::Reached,
        }
    }

    /// The same with this as what is worth keeping.
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

/// Where nobody wants to know what a search had come to.
impl From<Halt<Difference>> for Halt {
    fn from(halt: Halt<Difference>) -> Self {
        halt.keeping(())
    }
}
