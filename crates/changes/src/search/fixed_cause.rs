//! A failure that was fixed before the bad version, which then fails for another reason.

use super::cause_part::CausePart;
use super::proof::Prover;
use super::traced_lines::TracedLines;
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::TreeStages;
use crate::versions::compared::{CommitsBetween, ComparedVersions};
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Ancestry, Ask, Bisect, DeltaId, Outcome, Search};
use howcome_run::{Halt, Round, RoundStep};
use std::sync::Arc;

/// In fewer commits than this, it is improbable that something was fixed and broken again.
const FEWEST_COMMITS: usize = 16;

/// At most this many revisions are tested to find out whether the failure was fixed in between.
const MOST_REVISIONS: usize = 2;

/// The search for a revision at which was fixed what some changes broke.
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
        stages.now("confirming the answer: whether the failure was fixed before the bad version");
        Ok(self.prover.test(stages, round, RoundStep::Later, Ok(version))?.is(Outcome::Pass))
    }

    /// A revision after a commit that passes, if there is one among those in the middle of the longest ranges in which nothing was
    /// tested.
    pub(super) fn passing_after(
        &self,
        stages: &mut impl TreeStages,
        (cause, part): (u32, u32),
        commit: &RevisionId,
    ) -> Result<Option<RevisionId>, Halt> {
        let Some(between) = &self.versions.between else { return Ok(None) };
        let line = between.range.revisions.first_parents();
        let Some(first) = line.delta(commit) else { return Ok(None) };
        for (middle, part) in untested_middles(line.len() as u32, first).into_iter().zip(part..) {
            let Some(middle) = line.get(middle) else { continue };
            if self.passes_at(stages, Round { cause, part, leg: None }, &middle.id)? {
                return Ok(Some(middle.id.clone()));
            }
        }
        Ok(None)
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

/// If the search among some commits found that this one is the first that fails: the middles of the longest ranges after it in which
/// the search has tested nothing.
fn untested_middles(commits: u32, first: DeltaId) -> Vec<DeltaId> {
    let mut search = Bisect::new(Ancestry::Line(commits));
    let mut failing = vec![first.0, commits.saturating_sub(1)];
    while let Ask::Test(question) = search.ask() {
        let Some(tested) = question.configuration.last() else { break };
        let fails = tested >= first;
        failing.extend(fails.then_some(tested.0));
        search.tell(if fails { Outcome::Fail } else { Outcome::Pass }.into());
    }
    failing.sort_unstable();
    let ranges = failing.iter().zip(failing.iter().skip(1)).map(|(one, other)| (other - one, one));
    let mut ranges: Vec<_> = ranges.filter(|(length, _)| *length as usize >= FEWEST_COMMITS).collect();
    ranges.sort_by_key(|(length, start)| (std::cmp::Reverse(*length), **start));
    ranges.iter().take(MOST_REVISIONS).map(|(length, start)| DeltaId(**start + length / 2)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_untested_ranges_are_looked_into() {
        // Bisection has seen 516, 258 and 225 fail, among others.
        assert_eq!(untested_middles(1033, DeltaId(212)), [DeltaId(773), DeltaId(386)]);
        assert_eq!(untested_middles(1033, DeltaId(1030)), []);
        assert_eq!(untested_middles(12, DeltaId(2)), []);
        assert_eq!(untested_middles(1, DeltaId(0)), []);
    }
}
