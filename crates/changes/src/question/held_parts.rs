//! Which parts of what could be held are held. If the good version does not pass with all of it, less is held.

use howcome_run::FileReplacement;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// The parts that every version has as the bad version has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HeldParts {
    /// The code of the test.
    pub(super) tests: bool,
    /// What `--only` and `--except` exclude.
    pub(super) excluded: bool,
    /// The good version, if it is not the one that the user named.
    #[serde(default)]
    pub(super) good: Option<String>,
    /// Test files that no version has, because they have nothing to do with the tests that fail.
    #[serde(default)]
    pub(super) left_out: Vec<String>,
    /// Generated files that no version has, because the build makes them.
    #[serde(default)]
    pub(super) regenerated: Vec<String>,
}

/// The file of a run that says which parts are held.
const FILE: &str = "held.json";

impl HeldParts {
    /// Everything that can be held.
    pub(super) const ALL: Self =
        Self { tests: true, excluded: true, good: None, left_out: Vec::new(), regenerated: Vec::new() };

    /// The parts that an earlier session has decided to hold.
    pub(super) fn recall(run: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(run.join(FILE)).ok()?).ok()
    }

    /// Keeps the decision with the run, so that a resumed run holds the same.
    pub(super) fn keep(&self, run: &Path) {
        if let Ok(text) = serde_json::to_vec(self) {
            // If this cannot be kept, a resumed run decides again.
            let _ = FileReplacement::at(&run.join(FILE)).write_bytes(&text);
        }
    }
}
