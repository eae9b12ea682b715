//! How a search goes: what the user allows and forbids, and what was learnt before it.

use crate::coverage::Coverage;
use crate::deltas::path_filter::PathFilter;
use crate::test_code::held_tests::HoldingRule;
use crate::test_code::test_names::TestNames;
use crate::trees::tree_path::TreePath;
use howcome_lab::inquiry::{RelationsRequest, SearchChoice};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A piece of knowledge about changes that saves tests. Each can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clue {
    /// Changes of one commit belong together.
    Commits,
    /// Changes of one directory or file belong together.
    Files,
    /// Changes of one function or type belong together.
    Functions,
    /// If there are many changes, whole functions, types and declarations are searched first.
    Items,
    /// Changes that share names belong together.
    Words,
    /// Changes in functions around those that the failing run names belong together. Only `--algorithm dd+` uses it.
    Calls,
    /// A change that uses what another one defines needs it.
    Needs,
    /// Messages of compilers and interpreters tell which changes are missing, or too many.
    Repairs,
    /// Changes whose text is in only one of the two outputs are tried first.
    Evidence,
    /// Files that neither build nor test reads are left out first.
    Unread,
    /// Code that the failing run never executes is left out first.
    Coverage,
    /// Compilers are asked for warnings of mixes that can pass or fail by accident.
    Warnings,
}

/// Where the search begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchWithin {
    /// Among the commits, then within the one that is found.
    #[default]
    Commit,
    /// Among all changes between the two versions, whatever commits they come from.
    Hunk,
}

/// How a search goes.
#[derive(Clone, Debug, Default)]
pub struct SearchPlan {
    /// Where it begins.
    pub within: SearchWithin,
    /// Whether all causes are wanted.
    pub all: bool,
    /// Whether searches go on to their end, however little they gain.
    pub is_thorough: bool,
    /// What may be varied.
    pub filter: PathFilter,
    /// Whether the filter leaves anything out.
    pub is_filtered: bool,
    /// Which files belong to the test, if every version has its own: they are varied, but never the cause.
    pub varied_tests: Option<HoldingRule>,
    /// The knowledge that is not used.
    pub without: Vec<Clue>,
    /// The algorithm below the commits, if the user wants another one.
    pub algorithm: Option<SearchChoice>,
    /// What the user knows of the changes.
    pub relations: RelationsRequest,
    /// What the two versions print, if that is known.
    pub outputs: Option<BaselineOutputs>,
    /// What the failing version prints, if the outputs of both are not known.
    pub failing_output: Vec<u8>,
    /// Paths that neither the build nor the test of either side has read, sorted.
    pub unread: Vec<TreePath>,
    /// What the failing run executes, if that was measured.
    pub executed: Option<Coverage>,
    /// Whether `history` tests every revision in turn.
    pub every_revision: bool,
    /// Whether `history` looks for the cause even in the only patch that it back-ports.
    pub suspects_patches: bool,
    /// Whether older revisions have other tests than their own, so that these can be why a revision does not build or run.
    pub holds_tests: bool,
    /// The names that the test of `history` uses. An older revision that lacks one of them fails for another reason.
    pub test_names: Option<TestNames>,
    /// The file in which the best candidate so far is kept as a patch.
    pub best_patch: Option<PathBuf>,
}

/// What the two versions print.
#[derive(Clone, Debug)]
pub struct BaselineOutputs {
    /// The good version.
    pub good: Vec<u8>,
    /// The bad version.
    pub bad: Vec<u8>,
}

impl SearchPlan {
    /// Whether the bad version crashes, as far as its output says so. Mixes of two versions crash for many reasons.
    #[must_use]
    pub fn fails_by_crash(&self) -> bool {
        let crashes = |printed: &[u8]| {
            let text = String::from_utf8_lossy(printed);
            ["Segmentation fault", "Aborted", "Bus error", "Illegal instruction"]
                .iter()
                .any(|crash| text.contains(crash))
        };
        crashes(self.printed_when_failing())
    }

    /// What the failing version prints, as far as that is known.
    #[must_use]
    pub fn printed_when_failing(&self) -> &[u8] {
        self.outputs.as_ref().map_or(&self.failing_output, |outputs| &outputs.bad)
    }

    /// Whether a piece of knowledge is used.
    #[must_use]
    pub fn uses(&self, clue: Clue) -> bool {
        !self.without.contains(&clue)
    }
}
