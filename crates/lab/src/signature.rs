//! How one side of the baseline ends: what all other runs are compared with.

use crate::message::essence;
use crate::{Execution, TestEnding};
use std::fmt;

/// An ending, and what was said with it if that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    ending: TestEnding,
    message: Option<String>,
}

impl Signature {
    /// The ending alone, whatever is said with it.
    #[must_use]
    pub fn ending(execution: &Execution) -> Self {
        Self { ending: execution.ending.plain(), message: None }
    }

    /// The ending, and the essence of the message of a crash where there is one.
    #[must_use]
    pub fn with_message(execution: &Execution) -> Self {
        // A script that exits with 0 has itself found what it looks for, whatever else the crash that it saw said.
        let message = if execution.ending == TestEnding::Exit(0) { None } else { essence(execution) };
        Self { ending: execution.ending.plain(), message }
    }

    /// Whether another run ends like this, but says something else.
    #[must_use]
    pub fn matches_but_for_the_message(&self, execution: &Execution) -> bool {
        // A timeout has to be known as such, since it may be due to other tests.
        execution.ending != TestEnding::TimedOut
            && execution.ending.plain() == self.ending
            && !self.matches(execution)
    }

    /// Whether another run ends like this.
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
    fn another_message_is_another_failure_unless_messages_do_not_matter() {
        let (one, same, other) = (crash("panic: a 1"), crash("panic: a 2"), crash("panic: b"));
        let strict = Signature::with_message(&one);
        assert!(strict.matches(&same) && !strict.matches(&other));
        assert!(Signature::ending(&one).matches(&other));
        assert!(!strict.matches(&Execution { stderr: same.stderr, ..Execution::new(TestEnding::Exit(1)) }));
    }

    #[test]
    fn a_script_that_calls_a_candidate_interesting_is_believed_whatever_was_printed() {
        let script = |said: &str| Execution { ending: TestEnding::Exit(0), ..crash(said) };
        assert!(Signature::with_message(&script("panic: a")).matches(&script("panic: b")));
    }
}
