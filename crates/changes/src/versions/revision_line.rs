//! Revisions one after the other.

use super::revision_id::RevisionId;
use super::source::VersionSource;
use crate::candidates::candidate::Base;
use howcome_run::Because;
use std::sync::Arc;

/// Revisions of a source in their order, the oldest first.
#[derive(Clone)]
pub struct RevisionLine {
    /// Where they come from.
    pub source: Arc<dyn VersionSource>,
    /// Their ids.
    pub revisions: Vec<RevisionId>,
}

impl RevisionLine {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.revisions.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.revisions.is_empty()
    }

    /// What people call a revision.
    #[must_use]
    pub fn name(&self, index: usize) -> String {
        self.revisions.get(index).map_or_else(String::new, RevisionId::short)
    }

    /// Its name, and the first line of its message if it is known.
    #[must_use]
    pub fn title(&self, index: usize) -> String {
        self.revisions.get(index).map_or_else(String::new, |revision| self.source.title(revision))
    }

    /// The id of a revision, if it is a commit.
    #[must_use]
    pub fn commit(&self, index: usize) -> Option<RevisionId> {
        self.revisions.get(index).filter(|_| self.source.has_history()).cloned()
    }

    /// The tree of a revision.
    ///
    /// # Errors
    /// As [`VersionSource::tree`] says.
    pub fn base(&self, index: usize) -> Result<Arc<Base>, Because> {
        let missing = || Because::Broken(format!("unknown revision {index}"));
        self.source.tree(self.revisions.get(index).ok_or_else(missing)?)
    }
}
