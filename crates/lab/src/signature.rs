//! How one side of the baseline ends: what all other runs are compared with.

use crate::message::essence;
use crate::{Ending, Seen};
use std::fmt;

/// An ending, and what was said with it if that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    ending: Ending,
    message: Option<String>,
}

impl Signature {
    /// The ending alone, whatever is said with it.
    #[must_use]
    pub fn ending(seen: &Seen) -> Self {
        Self { ending: seen.ending.plain(), message: None }
    }

    /// The ending, and the essence of the message of a crash where there is one.
    #[must_use]
    pub fn with_message(seen: &Seen) -> Self {
        Self { ending: seen.ending.plain(), message: essence(seen) }
    }

    /// Whether another run ends like this.
    #[must_use]
    pub fn matches(&self, seen: &Seen) -> bool {
        seen.ending.plain() == self.ending && (self.message.is_none() || self.message == essence(seen))
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

    fn crash(said: &str) -> Seen {
        Seen { stderr: Captured::whole(said), ..Seen::new(Ending::Signal(6)) }
    }

    #[test]
    fn another_message_is_another_failure_unless_messages_do_not_matter() {
        let (one, same, other) = (crash("panic: a 1"), crash("panic: a 2"), crash("panic: b"));
        let strict = Signature::with_message(&one);
        assert!(strict.matches(&same) && !strict.matches(&other));
        assert!(Signature::ending(&one).matches(&other));
        assert!(!strict.matches(&Seen { stderr: same.stderr, ..Seen::new(Ending::Exit(1)) }));
    }
}
