//! The signature of one side of the baseline, with which other runs are compared.

use crate::message::essence;
use crate::{Execution, TestEnding};
use std::fmt;

/// An ending, and its message if that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    ending: TestEnding,
    message: Option<String>,
}

impl Signature {
    /// The ending alone, with any message.
    #[must_use]
    pub fn ending(execution: &Execution) -> Self {
        Self { ending: execution.ending.plain(), message: None }
    }

    /// The ending, and the essence of the crash message if there is one.
    #[must_use]
    pub fn with_message(execution: &Execution) -> Self {
        // A script that exits with 0 has found what it looks for itself, so the messages do not matter.
        let message = if execution.ending == TestEnding::Exit(0) { None } else { essence(execution) };
        Self { ending: execution.ending.plain(), message }
    }

    /// Whether a run ends like this, but with another message.
    #[must_use]
    pub fn matches_but_for_the_message(&self, execution: &Execution) -> bool {
        // A timeout must stay recognisable, because other tests can cause it.
        execution.ending != TestEnding::TimedOut
            && execution.ending.plain() == self.ending
            && !self.matches(execution)
    }

    /// Whether a run ends like this.
    #[must_use]
    pub fn matches(&self, execution: &Execution) -> bool {
        execution.ending.plain() == self.ending
            && (self.message.is_none() || self.message == essence(execution))
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Some(message) => write!(f, "{}, saying `{message}`", self.ending),
            None => self.ending.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Captured;

    fn crash(said: &str) -> Execution {
        Execution { stderr: Captured::whole(said), ..Execution::new(TestEnding::Signal(6)) }
    }

    #[test]
    fn another_message_is_another_failure_unless_only_the_ending_counts() {
        let (one, same, other) = (crash("panic: a 1"), crash("panic: a 2"), crash("panic: b"));
        let strict = Signature::with_message(&one);
        assert!(strict.matches(&same) && !strict.matches(&other));
        assert!(Signature::ending(&one).matches(&other));
        assert!(!strict.matches(&Execution { stderr: same.stderr, ..Execution::new(TestEnding::Exit(1)) }));
    }

    #[test]
    fn the_message_does_not_matter_if_a_script_exits_with_0() {
        let script = |said: &str| Execution { ending: TestEnding::Exit(0), ..crash(said) };
        assert!(Signature::with_message(&script("panic: a")).matches(&script("panic: b")));
    }
}
