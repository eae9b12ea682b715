//! Colours of a terminal. Everything can be read without them.

use howcome_dd::Outcome;

/// Paints text, if there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint(pub bool);

impl Paint {
    /// For headings.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    /// For failures, errors, removed lines.
    #[must_use]
    pub fn red(self, text: &str) -> String {
        self.with("31", text)
    }

    /// For passes, added lines.
    #[must_use]
    pub fn green(self, text: &str) -> String {
        self.with("32", text)
    }

    /// For what is not known, warnings.
    #[must_use]
    pub fn yellow(self, text: &str) -> String {
        self.with("33", text)
    }

    /// For places, hints.
    #[must_use]
    pub fn cyan(self, text: &str) -> String {
        self.with("36", text)
    }

    /// Text about a test, by its outcome.
    #[must_use]
    pub fn outcome(self, outcome: Outcome, text: &str) -> String {
        match outcome {
            Outcome::Pass => self.green(text),
            Outcome::Fail => self.red(text),
            Outcome::Unresolved => self.yellow(text),
        }
    }

    fn with(self, code: &str, text: &str) -> String {
        // A coloured space is nothing to see, and `less -R` and grep work by line.
        match self.0 && !text.trim().is_empty() {
            true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            false => text.to_owned(),
        }
    }
}
