//! Patterns for lines of output.

use regex::{Captures, Regex};
use std::sync::OnceLock;

/// A regular expression for a line, compiled when it is first needed.
pub(super) struct LinePattern {
    text: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl LinePattern {
    pub(super) const fn new(text: &'static str) -> Self {
        Self { text, compiled: OnceLock::new() }
    }

    /// What the groups of the pattern contain, if the line matches.
    pub(super) fn captures<'a>(&self, line: &'a str) -> Option<Captures<'a>> {
        self.compiled.get_or_init(|| Regex::new(self.text).ok()).as_ref()?.captures(line)
    }
}
