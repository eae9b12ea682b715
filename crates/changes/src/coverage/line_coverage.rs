//! Which lines a run has executed.

use std::collections::{BTreeMap, BTreeSet};

/// What is known of the lines of some files after a run. Lines without code are in neither set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By the paths of the report, which can be absolute.
    pub files: BTreeMap<Vec<u8>, LineCoverage>,
}

/// The lines of a file that have code, counted from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineCoverage {
    /// Lines that were executed, at least in part.
    pub executed: BTreeSet<u32>,
    /// Lines that were not executed.
    pub unexecuted: BTreeSet<u32>,
}

impl Coverage {
    /// Adds a line. A line that was executed once counts as executed, even if the report also lists it as not executed: a header is
    /// part of several programs, and a template is compiled for several types.
    pub(super) fn note(&mut self, path: &[u8], line: u32, is_executed: bool) {
        if !self.files.contains_key(path) {
            self.files.insert(path.to_vec(), LineCoverage::default());
        }
        let Some(lines) = self.files.get_mut(path) else { return };
        if is_executed {
            lines.unexecuted.remove(&line);
            lines.executed.insert(line);
        } else if !lines.executed.contains(&line) {
            lines.unexecuted.insert(line);
        }
    }
}
