//! The commits that the lines of an answer come from, by the history of the lines.

use crate::candidates::candidate::Candidate;
use crate::deltas::change::DescribedChange;
use crate::deltas::hunk::{LineEdit, edits};
use crate::deltas::text::Text;
use crate::trees::tree_path::TreePath;
use crate::versions::compared::ComparedVersions;
use crate::versions::revision_id::RevisionId;
use std::collections::BTreeSet;
use std::ops::Range;

/// What is known of the lines of an answer.
pub(super) struct LineOrigins<'a> {
    pub(super) versions: &'a ComparedVersions,
    /// The bad version without the answer.
    pub(super) fixed: Option<&'a Candidate>,
    pub(super) bad: &'a Candidate,
}

impl LineOrigins<'_> {
    /// The commit that a change of the bad version comes from. `None` if it has lines of several commits, or if another commit removed
    /// what it replaces: that one can be the cause, too.
    pub(super) fn commit_of(&self, change: &DescribedChange<'_>) -> Option<RevisionId> {
        let between = self.versions.between.as_ref()?;
        if change.added.is_empty() {
            return None;
        }
        let lines = numbered(change.new_line, change.added.len())?;
        let lines = self.lines_in(&between.range.bad, change.path, self.bad, lines)?;
        let blamed =
            self.versions.source.added_by(&between.range, change.path, &[lines.start + 1..=lines.end]);
        let commits: BTreeSet<RevisionId> =
            blamed.into_iter().filter_map(|line| line.revisions.into_iter().next()).collect();
        let commit = commits.first().filter(|_| commits.len() == 1)?;
        self.removed_all(commit, change).unwrap_or(true).then(|| commit.clone())
    }

    /// Whether a commit removed all lines that a change replaces, as far as that is known.
    fn removed_all(&self, commit: &RevisionId, change: &DescribedChange<'_>) -> Option<bool> {
        let between = self.versions.between.as_ref()?;
        let good = between.range.good.first()?;
        let lines = numbered(change.old_line, change.removed.len()).filter(|lines| !lines.is_empty())?;
        let lines = self.lines_in(good, change.path, self.fixed?, lines)?;
        let lines = lines.start + 1..=lines.end;
        let removed = self.versions.source.removed_by(&between.range, good, change.path, &[lines]);
        Some(removed.iter().all(|line| line.revisions.is_empty() || line.revisions.contains(commit)))
    }

    /// Where lines of a file of a version are in the commit that it was made of; `None` if they are not there. Lines are counted from 0.
    /// A back-ported patch moves them.
    fn lines_in(
        &self,
        commit: &RevisionId,
        path: &TreePath,
        version: &Candidate,
        lines: Range<u32>,
    ) -> Option<Range<u32>> {
        let committed = self.versions.source.tree(commit).ok()?;
        let committed = Text::new(committed.tree().get(path)?.contents.read().ok()?);
        let own = Text::new(version.at(path)?.bytes().ok()?);
        let edits = edits(&committed, &own);
        let is_apart = |edit: &LineEdit| edit.bad.end <= lines.start || edit.bad.start >= lines.end;
        if !edits.iter().all(is_apart) {
            return None;
        }
        let before = edits.iter().take_while(|edit| edit.bad.end <= lines.start);
        let (removed, added) = before.fold((0, 0), |(removed, added), edit| {
            (removed + edit.good.len() as u32, added + edit.bad.len() as u32)
        });
        Some(lines.start + removed - added..lines.end + removed - added)
    }
}

/// Lines counted from 0. The first is given as it is counted from 1.
fn numbered(first: u32, count: usize) -> Option<Range<u32>> {
    let first = first.checked_sub(1)?;
    Some(first..first + count as u32)
}
