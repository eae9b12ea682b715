//! Where revisions come from.

use super::revision_id::RevisionId;
use super::revision_range::RevisionRange;
use crate::candidates::candidate::Base;
use crate::trees::tree_path::TreePath;
use howcome_run::words::{cut, printable};
use howcome_run::{Because, CommitInfo, Problem};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A longer first line of a message is cut where a revision is named.
const SUBJECT: usize = 60;

/// A source of versions: revisions by their ids, with a history if it has one.
///
/// Only the tree of a revision is needed. A source without a history is searched by hunks.
pub trait VersionSource: Send + Sync {
    /// The tree of a revision, with the files that are the same in every version. It is often asked for again, so the source
    /// should remember the last few.
    ///
    /// # Errors
    /// [`Because::DidNotApply`] if this revision is not available, which says nothing about others; a reason that is not a verdict
    /// if the search must not go on.
    fn tree(&self, revision: &RevisionId) -> Result<Arc<Base>, Because>;

    /// Whether the revisions are commits, with parents and authors.
    fn has_history(&self) -> bool {
        false
    }

    /// The revisions that lead to the bad revision and to no good one.
    ///
    /// # Errors
    /// If the source has no history, or nothing of it lies between good and bad.
    fn range(&self, good: &[RevisionId], bad: &RevisionId) -> Result<RevisionRange, Problem> {
        let _ = (good, bad);
        Err(Problem::new("these versions have no history"))
    }

    /// The revisions along the first parents that touch a path that `matters`, a merge with everything that it merged.
    ///
    /// # Errors
    /// If the source does not know.
    fn touching(
        &self,
        range: &RevisionRange,
        matters: &dyn Fn(&TreePath) -> bool,
    ) -> Result<HashSet<RevisionId>, Problem> {
        let _ = matters;
        Ok(range.revisions.iter().map(|revision| revision.id.clone()).collect())
    }

    /// The revision of a range that wrote each of some lines of a file of the bad revision. Lines of which the source knows
    /// nothing are left out.
    fn added_by(
        &self,
        range: &RevisionRange,
        path: &TreePath,
        lines: &[RangeInclusive<u32>],
    ) -> Vec<LineRevisions> {
        let _ = (range, path, lines);
        Vec::new()
    }

    /// The revisions of a range one of which removed each of some lines of a file of a good revision.
    fn removed_by(
        &self,
        range: &RevisionRange,
        good: &RevisionId,
        path: &TreePath,
        lines: &[RangeInclusive<u32>],
    ) -> Vec<LineRevisions> {
        let _ = (range, good, path, lines);
        Vec::new()
    }

    /// What people call a revision: the id, and the first line of its message if it is known.
    fn title(&self, revision: &RevisionId) -> String {
        let subject = self.commit_info(revision).map(|commit| commit.subject).unwrap_or_default();
        match subject.as_str() {
            "" => revision.short(),
            subject => format!("{} \"{}\"", revision.short(), cut(&printable(subject), SUBJECT)),
        }
    }

    /// Who made a revision, when and why, if that is known.
    fn commit_info(&self, revision: &RevisionId) -> Option<CommitInfo> {
        let _ = revision;
        None
    }
}

/// A line of a file, and the revisions that it comes from or was removed by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRevisions {
    /// Its number, from 1.
    pub line: u32,
    /// The revisions; none if the line is older than all of them.
    pub revisions: Vec<RevisionId>,
}
