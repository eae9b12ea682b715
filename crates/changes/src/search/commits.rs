//! The commits: along the first parents, then inside the branch that the culprit merged.

use super::cause_part::CausePart;
use super::commit_likelihood::{commit_weights, reading_weights};
use super::culprit_search::CulpritSearch;
use super::plan::{SearchPlan, SearchWithin};
use super::version_pair::VersionPair;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::revision_space::{RevisionSpace, TestedRevision};
use crate::candidates::space::{Space, TreeStages};
use crate::deltas::change_set::ChangeSet;
use crate::trees::tree_path::TreePath;
use crate::versions::compared::{CommitsBetween, ComparedVersions};
use crate::versions::revision_graph::{Revision, RevisionGraph};
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Ancestry, Bisect, Configuration, Culprit, DeltaId, Difference, Outcome};
use howcome_lab::inquiry::explain_no_verdict;
use howcome_run::{
    Algorithm, Because, Halt, Problem, ProblemKind, Round, RoundStep, StageLabel, StageName, Unit,
};
use std::sync::Arc;

/// The search for the first commit that fails.
#[derive(Clone, Copy)]
pub(crate) struct CommitSearch<'a> {
    pub(crate) versions: &'a ComparedVersions,
    pub(crate) plan: &'a SearchPlan,
    /// The causes that were found before.
    pub(crate) undone: &'a PatchSeries,
    /// What is applied to every commit. The good and the bad version have it already.
    pub(crate) applied: &'a PatchSeries,
    /// What the good version prints with the parts that were found, if it cannot be judged with them.
    pub(crate) complaint: &'a [u8],
}

/// The nearest pair; if the run is stopped, the nearest so far.
type PairResult = Result<VersionPair, Halt<Option<Box<VersionPair>>>>;

impl CommitSearch<'_> {
    /// Where the failure begins, with some parts applied too. With these, the commit `end` is known to fail; without `end`,
    /// the bad version is.
    ///
    /// # Errors
    /// If the run is stopped, with the nearest pair so far, or something is wrong.
    pub(crate) fn first_bad(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        parts: &[CausePart],
        end: Option<&RevisionId>,
    ) -> PairResult {
        let own = parts.iter().map(|part| part.patch(false));
        let all = PatchSeries(self.undone.0.iter().cloned().chain(own).collect());
        let Some((between, revisions)) = self.line(end)? else { return Ok(self.whole(&all)?) };
        let space = self.space(revisions, &all);
        let weights = parts.last().zip(end).and_then(|(part, end)| {
            commit_weights(self.versions, self.plan, (between, &space), (part, self.complaint), end)
        });
        // What a cause needs can be in any commit.
        let is_first = parts.is_empty() && end.is_none();
        let weights = weights.or_else(|| reading_weights(self.plan, between, &space).filter(|_| is_first));
        let pair = self.along(stages, round, between, space, weights)?;
        // Nothing of this commit may be varied; but together with it, something earlier can decide.
        if self.plan.is_filtered && !self.is_varied(&pair) {
            return Ok(self.whole(&all)?);
        }
        Ok(pair)
    }

    /// The search along the commits with which the search for a cause begins, unless the test is flaky.
    pub(super) fn first_stage(&self, round: Round) -> Option<(StageLabel, Arc<dyn Space>, Bisect)> {
        let (between, revisions) = self.line(None).ok()??;
        let count = revisions.len() as u32;
        let space = self.space(revisions, self.undone);
        let weights = reading_weights(self.plan, between, &space);
        let search = culprit_search(between, &space, weights).bisect();
        (count > 1).then(|| (label(round, RoundStep::Commits), Arc::new(space) as Arc<dyn Space>, search))
    }

    fn space(&self, revisions: Vec<TestedRevision>, applied: &PatchSeries) -> RevisionSpace {
        RevisionSpace {
            source: Arc::clone(&self.versions.source),
            good: self.versions.good.clone(),
            revisions,
            first: self.applied.clone(),
            applied: applied.clone(),
        }
    }

    /// Whether anything between two versions may be varied.
    fn is_varied(&self, pair: &VersionPair) -> bool {
        ChangeSet::between(&pair.low.tree(), &pair.high.tree())
            .is_ok_and(|changes| !changes.split_by(&self.plan.filter).0.is_empty())
    }

    /// The two versions as they were given.
    fn whole(&self, applied: &PatchSeries) -> Result<VersionPair, Problem> {
        Ok(VersionPair {
            low: applied.apply_to(&self.versions.good).map_err(unmade)?,
            low_commit: self.versions.good_commit.clone(),
            high: applied.apply_to(&self.versions.bad).map_err(unmade)?,
            commit: None,
            suspects: Vec::new(),
            merged: Vec::new(),
            fails_like_bad: applied.0.is_empty(),
        })
    }

    /// Whether a commit lies between the good version and the bad one.
    pub(crate) fn lies_between(&self, commit: &RevisionId) -> bool {
        let between = self.versions.between.as_ref();
        between.is_some_and(|between| between.range.revisions.delta(commit).is_some())
    }

    /// The commits from the good version to the end along the first parents, and the working tree if it is the bad version.
    fn line(
        &self,
        end: Option<&RevisionId>,
    ) -> Result<Option<(&CommitsBetween, Vec<TestedRevision>)>, Problem> {
        let is_by_commits = self.plan.within == SearchWithin::Commit;
        let Some(between) = self.versions.between.as_ref().filter(|_| is_by_commits) else {
            return Ok(None);
        };
        let revisions = &between.range.revisions;
        let line = end.map_or_else(|| revisions.first_parents(), |end| revisions.up_to(end).first_parents());
        let mut line: Vec<RevisionId> = line.iter().map(|revision| revision.id.clone()).collect();
        if self.plan.is_filtered {
            let matters = |path: &TreePath| self.plan.filter.keeps(path);
            let touching = self.versions.source.touching(&between.range, &matters)?;
            // The last commit is known to fail.
            let last = line.last().cloned();
            line.retain(|commit| touching.contains(commit) || Some(commit) == last.as_ref());
        }
        // If the good version is on another branch, nobody has tested the commit where the two branches part. It comes first.
        let parted = match between.range.untested_bases.as_slice() {
            [base] => Some(base.clone()),
            _ => None,
        };
        let mut tested: Vec<TestedRevision> =
            parted.into_iter().chain(line).map(TestedRevision::Commit).collect();
        if between.ends_uncommitted && end.is_none() {
            tested.push(TestedRevision::WorkingTree(self.versions.bad.clone()));
        }
        Ok(Some((between, tested)))
    }

    fn along(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        between: &CommitsBetween,
        space: RevisionSpace,
        weights: Option<Arc<[u32]>>,
    ) -> PairResult {
        let space = Arc::new(space);
        let count = space.revisions.len() as u32;
        let last = DeltaId(count.saturating_sub(1));
        let mut culprit =
            Culprit { bad: last, good: Vec::new(), suspects: Configuration::empty().with_delta(last) };
        // Of a flaky test it is not known yet that the only commit makes a difference.
        if count > 1 || count == 1 && stages.rates().is_some() {
            let search = culprit_search(between, &space, weights);
            let shared: Arc<dyn Space> = space.clone();
            culprit = match search.run(stages, &label(round, RoundStep::Commits), &shared) {
                Ok(culprit) => culprit,
                Err(Halt::Stopped { why, best }) => {
                    let best = Some(Box::new(self.stopped_at(&space, &best)?));
                    return Err(Halt::Stopped { why, best });
                }
                Err(halt) => return Err(halt.keeping(None)),
            };
        }
        let is_bad = culprit.bad == last && space.applied.0.is_empty();
        let stage = label(round, RoundStep::Commits).name;
        let like_bad = is_bad || fails_like_bad(stages, &stage, &Configuration::all(culprit.bad.0 + 1));
        let pair = VersionPair { fails_like_bad: like_bad, ..self.pair(&space, &culprit)? };
        // With changes applied, or undone, it is another version that fails.
        let is_as_it_is = space.applied.0.is_empty();
        let base = pair.commit.as_ref().filter(|commit| between.range.untested_bases.contains(commit));
        if let Some(base) = base.filter(|_| is_as_it_is) {
            return Err(fails_before(base).into());
        }
        match (pair.commit.clone(), culprit.decided()) {
            (Some(merge), Some(_)) => self.inside(stages, round, between, &space, pair, merge),
            _ => Ok(pair),
        }
    }

    /// If the culprit is a merge: which commit of the branch that it merged.
    fn inside(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        between: &CommitsBetween,
        space: &RevisionSpace,
        mut pair: VersionPair,
        mut merge: RevisionId,
    ) -> PairResult {
        loop {
            let brought = between.range.revisions.merged_by(&merge);
            if brought.len() < 2 {
                return Ok(pair);
            }
            let branch = with_forks(&brought, pair.low_commit.as_ref(), &between.range.good);
            let revisions =
                branch.iter().map(|revision| TestedRevision::Commit(revision.id.clone())).collect();
            let inner = Arc::new(RevisionSpace {
                source: Arc::clone(&space.source),
                good: space.good.clone(),
                revisions,
                first: space.first.clone(),
                applied: space.applied.clone(),
            });
            let last = DeltaId(branch.len() as u32 - 1);
            // The merge itself is as probable as all commits of the branch together, so the tip of the branch is tested first.
            let count = branch.len() as u32;
            let weights = (0..count).map(|revision| if revision == last.0 { count } else { 1 }).collect();
            let search = CulpritSearch {
                ancestry: branch.history(),
                last,
                weights: Some(weights),
                share_of_errors: 0.4,
            };
            let shared: Arc<dyn Space> = inner.clone();
            let stage = label(round, RoundStep::Branch(merge.short()));
            let culprit = match search.run(stages, &stage, &shared) {
                Ok(culprit) => culprit,
                Err(halt) => return Err(halt.keeping(Some(Box::new(pair)))),
            };
            let found = branch.get(culprit.bad).cloned();
            let Some(found) = found.filter(|found| brought.delta(&found.id).is_some()) else {
                return Ok(pair);
            };
            if found.id == merge {
                // The branch alone does not fail, so the merge is the culprit.
                return Ok(pair);
            }
            let suspects: Vec<RevisionId> = culprit
                .suspects
                .iter()
                .filter_map(|delta| branch.get(delta))
                .map(|revision| revision.id.clone())
                .collect();
            let low = culprit
                .good
                .iter()
                .max()
                .and_then(|good| branch.get(*good))
                .map(|revision| revision.id.clone());
            let parent = found.parents.first().cloned();
            let low = if suspects.len() > 1 { low.or(parent) } else { parent };
            let Some(low) = low else { return Ok(pair) };
            pair = VersionPair {
                low: inner.at(&TestedRevision::Commit(low.clone())).map_err(unmade)?,
                low_commit: Some(low),
                high: inner.at(&TestedRevision::Commit(found.id.clone())).map_err(unmade)?,
                commit: Some(found.id.clone()),
                suspects,
                merged: found.parents.get(1..).unwrap_or_default().to_vec(),
                fails_like_bad: fails_like_bad(stages, &stage.name, &branch.history().up_to(culprit.bad)),
            };
            if pair.suspects.len() > 1 || found.parents.len() < 2 {
                return Ok(pair);
            }
            merge = found.id;
        }
    }

    /// The versions around the first bad revision of the line.
    fn pair(&self, space: &RevisionSpace, culprit: &Culprit) -> Result<VersionPair, Problem> {
        let first = culprit.suspects.get(0).unwrap_or(culprit.bad).index();
        let low = first.checked_sub(1).map(|low| space.revisions.get(low));
        let low_commit = match low {
            Some(low) => low.and_then(TestedRevision::commit),
            None => self.versions.good_commit.clone(),
        };
        let low = match low.flatten() {
            Some(revision) => space.at(revision),
            None => space.candidate(&Configuration::empty()),
        };
        let low = low.map_err(unmade)?;
        let high = space.revisions.get(culprit.bad.index());
        let commit = high.and_then(TestedRevision::commit);
        let all = self.versions.between.as_ref().map(|between| &between.range.revisions);
        let revision = all.zip(commit.as_ref()).and_then(|(all, commit)| all.get(all.delta(commit)?));
        let merged = revision.and_then(|revision| revision.parents.get(1..)).unwrap_or_default();
        let suspect = |delta: DeltaId| space.revisions.get(delta.index())?.commit();
        let suspects = culprit.suspects.iter().filter_map(suspect).collect();
        let high = high.map_or_else(|| Ok(self.versions.bad.clone()), |revision| space.at(revision));
        Ok(VersionPair {
            low,
            low_commit,
            high: high.map_err(unmade)?,
            commit,
            suspects,
            merged: merged.to_vec(),
            fails_like_bad: false,
        })
    }

    /// The best that is known when the search along the line is stopped.
    fn stopped_at(&self, space: &RevisionSpace, best: &Difference) -> Result<VersionPair, Problem> {
        let bad = best.failing.last().unwrap_or(DeltaId(space.revisions.len() as u32 - 1));
        let first = best.passing.last().map_or(0, |good| good.0 + 1);
        let culprit = Culprit { bad, good: Vec::new(), suspects: Configuration::from_run(first..bad.0 + 1) };
        // Most of them were not tested, so nothing is known against them.
        Ok(VersionPair { suspects: Vec::new(), commit: None, ..self.pair(space, &culprit)? })
    }
}

/// The search along a line of commits.
fn culprit_search(
    between: &CommitsBetween,
    space: &RevisionSpace,
    weights: Option<Arc<[u32]>>,
) -> CulpritSearch {
    let count = space.revisions.len() as u32;
    let has_branches = between.range.revisions.len() > space.revisions.len();
    CulpritSearch {
        ancestry: Ancestry::Line(count),
        last: DeltaId(count.saturating_sub(1)),
        weights,
        share_of_errors: if has_branches { 0.4 } else { 0.8 },
    }
}

/// Whether a version that was tested in a stage fails with the same details as the bad version.
fn fails_like_bad(stages: &impl TreeStages, stage: &StageName, version: &Configuration) -> bool {
    stages.seen(stage, version).is_some_and(|seen| seen.exact_outcome() == Outcome::Fail)
}

/// The failure is older than the commits that the two versions do not share.
fn fails_before(base: &RevisionId) -> Problem {
    let base = base.short();
    Problem::new(format!("{base}, the common ancestor of the good and the bad version, fails too"))
        .hint(format!(
            "a commit between {base} and the good version fixed it: find it with --fix --good {base} and the good version as \
             --bad; or give a good version that is an ancestor of the bad one"
        ))
        .of_kind(ProblemKind::NothingToExplain)
}

fn label(round: Round, step: RoundStep) -> StageLabel {
    StageLabel { name: StageName::Round(round, step), search: Algorithm::Bisect, unit: Unit::Commit }
}

fn unmade(because: Because) -> Problem {
    explain_no_verdict(&because)
}

/// The revisions of a branch, after those that it was forked from unless these are known to be good.
fn with_forks(branch: &RevisionGraph, low: Option<&RevisionId>, good: &[RevisionId]) -> RevisionGraph {
    let merge = branch.iter().last().map(|revision| &revision.id);
    let mut forks: Vec<RevisionId> = Vec::new();
    for revision in branch.iter().filter(|revision| Some(&revision.id) != merge) {
        for parent in &revision.parents {
            let is_known = branch.delta(parent).is_some() || Some(parent) == low || good.contains(parent);
            if !is_known && !forks.contains(parent) {
                forks.push(parent.clone());
            }
        }
    }
    let forks = forks.into_iter().map(|id| Revision { id, parents: Vec::new() });
    RevisionGraph::new(forks.chain(branch.iter().cloned()).collect())
}
