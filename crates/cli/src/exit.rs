//! What the exit code says: the contract with scripts.

use howcome_run::{Ending, ProblemKind};
use std::process::ExitCode;

/// The exit codes, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Found, or decided that there is nothing to find.
    Found = 0,
    /// Nothing to explain: the baseline does not hold.
    NothingToExplain = 1,
    /// The command line, a file named on it, or the test command itself is wrong.
    WrongUse = 2,
    /// Stopped early; the best so far is saved.
    Stopped = 3,
    /// The test contradicts itself.
    Flaky = 4,
    /// Only untestable candidates are left.
    Undecided = 5,
    /// A bug in howcome.
    Bug = 70,
}

impl From<Ending> for Exit {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Found | Ending::NeverWorked => Exit::Found,
            Ending::Refused => Exit::NothingToExplain,
            Ending::Stopped => Exit::Stopped,
            Ending::Flaky => Exit::Flaky,
            Ending::Undecided => Exit::Undecided,
        }
    }
}

impl From<ProblemKind> for Exit {
    fn from(kind: ProblemKind) -> Self {
        match kind {
            ProblemKind::WrongUse => Exit::WrongUse,
            ProblemKind::NothingToExplain
            | ProblemKind::BothPass
            | ProblemKind::CannotRunTest
            | ProblemKind::LacksFolder => Exit::NothingToExplain,
            ProblemKind::Stopped => Exit::Stopped,
            ProblemKind::Flaky => Exit::Flaky,
            ProblemKind::Bug => Exit::Bug,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
