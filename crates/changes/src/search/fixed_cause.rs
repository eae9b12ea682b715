//! A failure that was fixed before the bad version: its lines are gone, so the bad version fails for another reason.

use super::cause_part::CausePart;
use super::proof::Prover;
use super::traced_lines::TracedLines;
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::TreeStages;
use crate::versions::compared::{CommitsBetween, ComparedVersions};
use crate::versions::revision_id::RevisionId;
use howcome_dd::Outcome;
use howcome_run::{Halt, Round, RoundStep};
use std::sync::Arc;

/// The search for the revision that fixed what some changes broke.
pub(super) struct FixSearch<'a> {
    /// The versions between which the changes were found.
    pub(super) versions: &'a ComparedVersions,
    pub(super) prover: Prover<'a>,
    /// What is applied to every commit.
    pub(super) applied: &'a PatchSeries,
}

impl FixSearch<'_> {
    /// If the bad version does not have the lines of some changes any more: the first revision along the first parents that does not
    /// have them.
    pub(super) fn gone_since(&self, parts: &[CausePart], pair: &VersionPair) -> Option<RevisionId> {
        let between = self.versions.between.as_ref()?;
        let commit = pair.commit.as_ref().filter(|_| pair.suspects.len() < 2)?;
        let lines = TracedLines::of(parts, &pair.low, &pair.high)?;
        if !lines.are_gone_from(&self.versions.bad) {
            return None;
        }
        let revisions = &between.range.revisions;
        let line = revisions.first_parents();
        let line: Vec<&RevisionId> = line.iter().map(|revision| &revision.id).collect();
        let has_commit = |id: &RevisionId| revisions.up_to(id).delta(commit).is_some();
        let mut with = line.partition_point(|id| !has_commit(id));
        let mut gone = line.len();
        while gone.saturating_sub(with) > 1 {
            let middle = with + (gone - with) / 2;
            match lines.are_gone_from(&self.version(line[middle])?) {
                true => gone = middle,
                false => with = middle,
            }
        }
        // If no commit removed them, they were changed in the working tree.
        line.get(gone).map(|by| (*by).clone())
    }

    /// Whether a revision passes. The bad version is known to fail.
    pub(super) fn passes_at(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        by: &RevisionId,
    ) -> Result<bool, Halt> {
        let is_bad = self.versions.between.as_ref().is_some_and(|between| between.range.bad == *by);
        let version = self.version(by).and_then(|version| self.prover.undone.apply_to(&version).ok());
        let Some(version) = version.filter(|_| !is_bad) else { return Ok(false) };
        stages.now("the bad version no longer has these lines: testing the revision that removed them");
        Ok(self.prover.test(stages, round, RoundStep::Gone, Ok(version))?.is(Outcome::Pass))
    }

    fn version(&self, commit: &RevisionId) -> Option<Candidate> {
        let tree = self.versions.source.tree(commit).ok()?;
        self.applied.apply_to(&Candidate::of(tree)).ok()
    }

    /// The versions after a fix: from the revision that passes again to the bad version.
    pub(super) fn after(&self, by: &RevisionId) -> Option<ComparedVersions> {
        let between = self.versions.between.as_ref()?;
        let range = self.versions.source.range(std::slice::from_ref(by), &between.range.bad).ok()?;
        Some(ComparedVersions {
            good: self.version(by)?,
            good_commit: Some(by.clone()),
            bad: self.versions.bad.clone(),
            bad_commit: self.versions.bad_commit.clone(),
            between: Some(CommitsBetween { range, ends_uncommitted: between.ends_uncommitted }),
            source: Arc::clone(&self.versions.source),
            warnings: Vec::new(),
            uncommitted: Default::default(),
        })
    }
}
