//! Which lines a run has executed.

use std::collections::{BTreeMap, BTreeSet};

/// What is known of the lines of some files after a run. Lines without code are in neither set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By the paths of the report, which may be absolute.
    pub files: BTreeMap<Vec<u8>, LineCoverage>,
}

/// The lines of a file that have code, counted from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineCoverage {
    /// Those that were executed, at least in part.
    pub executed: BTreeSet<u32>,
    /// Those that were not.
    pub unexecuted: BTreeSet<u32>,
}

impl Coverage {
    /// Notes a line. One that was executed once was executed, whatever else is said of it: as of a header's in another
    /// program, or of a template's with another type.
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
