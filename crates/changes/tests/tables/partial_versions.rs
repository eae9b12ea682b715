//! Versions of which some are not available.

use crate::memory_versions::MemoryVersions;
use howcome_changes::Base;
use howcome_changes::versions::revision_id::RevisionId;
use howcome_changes::versions::revision_range::RevisionRange;
use howcome_changes::versions::source::VersionSource;
use howcome_run::{Because, Problem};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Versions in memory without some of them.
pub(crate) struct PartialVersions {
    pub(crate) versions: MemoryVersions,
    /// The revisions that are not available.
    pub(crate) absent: BTreeSet<String>,
    /// Whether the revisions are commits.
    pub(crate) has_history: bool,
}

impl VersionSource for PartialVersions {
    fn tree(&self, revision: &RevisionId) -> Result<Arc<Base>, Because> {
        match self.absent.contains(revision.as_str()) {
            true => Err(Because::DidNotApply(format!("{revision} is not available"))),
            false => self.versions.tree(revision),
        }
    }

    fn has_history(&self) -> bool {
        self.has_history
    }

    fn range(&self, good: &[RevisionId], bad: &RevisionId) -> Result<RevisionRange, Problem> {
        self.versions.range(good, bad)
    }
}
