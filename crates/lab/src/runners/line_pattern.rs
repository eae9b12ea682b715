//! Patterns for lines of output.

use regex::{Captures, Regex};
use std::sync::OnceLock;

/// A regular expression for a line, compiled when it is first needed.
pub(super) struct LinePattern {
    /// A part of every line that matches. Most lines do not have it, which is found out faster.
    part: &'static str,
    text: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl LinePattern {
    pub(super) const fn new(part: &'static str, text: &'static str) -> Self {
        Self { part, text, compiled: OnceLock::new() }
    }

    /// What the groups of the pattern contain, if the line matches.
    pub(super) fn captures<'a>(&self, line: &'a str) -> Option<Captures<'a>> {
        if !line.contains(self.part) {
            return None;
        }
        self.compiled.get_or_init(|| Regex::new(self.text).ok()).as_ref()?.captures(line)
    }
}
