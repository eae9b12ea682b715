//! What the exit code says: the contract with scripts.

use howcome_run::{Ending, ProblemKind};
use std::process::ExitCode;

/// What each exit code means, for the help and the manual.
pub(crate) const EXIT_CODES: [(&str, &str); 7] = [
    ("0", "found, or decided that there is nothing to find"),
    ("1", "nothing to explain: the baseline does not hold"),
    ("2", "the command line, a file named on it, or the test command itself is wrong"),
    ("3", "stopped early; the best so far is saved and the run can be resumed"),
    ("4", "the test contradicts itself, and what was seen is reported"),
    ("5", "undecided: only untestable candidates are left"),
    ("70", "a bug in howcome"),
];

/// The same as lines of the help.
pub(crate) fn exit_codes_in_help() -> String {
    let lines: Vec<String> =
        EXIT_CODES.iter().map(|(code, meaning)| format!("  {code:<2}  {meaning}")).collect();
    format!("Exit codes:\n{}", lines.join("\n"))
}

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
