//! The commits: along the first parents, then inside the branch that the culprit merged.

use super::ground::{Abort, Ground, Named};
use super::hunt::{Part, Round};
use super::origin::failure;
use super::plan::{Plan, Within};
use super::sources::{Past, Sources};
use crate::exit::Exit;
use crate::failure::Failure;
use howcome_changes::git::{ObjectId, Revision, Revisions};
use howcome_changes::{Candidate, Carried, ChangeSet, Revised, Space, Stop, TreePath};
use howcome_dd::{Ancestry, Bisect, Configuration, Culprit, DeltaId, Difference};
use howcome_run::{Because, StageEnd, Stop as Stopped};
use std::sync::Arc;

/// Two versions, of which one fails and the other is not known to, with as little as possible between them.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) low: Candidate,
    pub(crate) low_commit: Option<ObjectId>,
    pub(crate) high: Candidate,
    /// The commit that fails.
    pub(crate) commit: Option<ObjectId>,
    /// More than one where some could not be tested.
    pub(crate) suspects: Vec<ObjectId>,
    /// Where it is a merge, what it merged.
    pub(crate) merged: Vec<ObjectId>,
}

pub(crate) struct Walk<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) plan: &'a Plan,
    /// The causes that were found before.
    pub(crate) undone: &'a Carried,
    /// What is done to every commit, and to the good and the bad version already.
    pub(crate) upon: &'a Carried,
}

/// The nearest pair, or why it was not found, with the best so far.
type Found = Result<Pair, (Stopped, Option<Pair>)>;

impl Walk<'_> {
    /// Where the failure begins, with some changes carried along, with which `end` is known to fail; without it, the bad
    /// version does.
    pub(crate) fn first_bad(
        &self,
        ground: &mut impl Ground,
        round: Round,
        parts: &[Part],
        end: Option<ObjectId>,
    ) -> Result<Found, Abort> {
        let own = parts.iter().map(|part| part.carry(false));
        let all = Carried(self.undone.0.iter().cloned().chain(own).collect());
        let line = self.line(end)?;
        match (line, &self.sources.trees) {
            (Some((past, stops)), Some(trees)) => {
                let space = Revised {
                    trees: Arc::clone(trees),
                    good: self.sources.good.clone(),
                    stops,
                    first: self.upon.clone(),
                    carried: all.clone(),
                };
                let weights =
                    parts.last().zip(end).and_then(|(part, end)| self.weights(past, &space, part, end));
                let found = self.along(ground, round, past, space, weights)?;
                match found {
                    // Whatever commit it is, nothing of it may be varied; but with it, something earlier may decide.
                    Ok(pair) if self.plan.is_filtered && !self.is_varied(&pair) => Ok(Ok(self.whole(&all)?)),
                    found => Ok(found),
                }
            }
            _ => Ok(Ok(self.whole(&all)?)),
        }
    }

    /// Whether anything between two versions may be varied.
    fn is_varied(&self, pair: &Pair) -> bool {
        ChangeSet::between(&pair.low.tree(), &pair.high.tree())
            .is_ok_and(|changes| !changes.split_by(&self.plan.filter).0.is_empty())
    }

    /// The two versions as they were given.
    fn whole(&self, carried: &Carried) -> Result<Pair, Abort> {
        Ok(Pair {
            low: onto(carried, &self.sources.good)?,
            low_commit: self.sources.good_commit,
            high: onto(carried, &self.sources.bad)?,
            commit: None,
            suspects: Vec::new(),
            merged: Vec::new(),
        })
    }

    /// Whether a commit lies between the good version and the bad one.
    pub(crate) fn lies_between(&self, commit: ObjectId) -> bool {
        self.sources.past.as_ref().is_some_and(|past| past.range.revisions().delta(commit).is_some())
    }

    /// The commits from the good version to the end along the first parents, and what is not committed.
    pub(crate) fn line(&self, end: Option<ObjectId>) -> Result<Option<(&Past, Vec<Stop>)>, Abort> {
        let Some(past) = self.sources.past.as_ref().filter(|_| self.plan.within == Within::Commit) else {
            return Ok(None);
        };
        let revisions = past.range.revisions();
        let line = end.map_or_else(|| revisions.first_parents(), |end| revisions.up_to(end).first_parents());
        let mut line: Vec<ObjectId> = line.iter().map(|revision| revision.id).collect();
        if let (true, Some(trees)) = (self.plan.is_filtered, &self.sources.trees) {
            let touching = trees
                .repository()
                .touching(&past.range, |path| {
                    TreePath::new(path).is_ok_and(|path| self.plan.filter.keeps(&path))
                })
                .map_err(|error| failure(&error, error.hint()))?;
            // The last one is what is known to fail.
            let last = line.last().copied();
            line.retain(|commit| touching.contains(commit) || Some(*commit) == last);
        }
        // Where the good version is on another branch, nobody has tested where the two have parted; it comes before all others.
        let parted = match past.range.untested_bases() {
            [base] => Some(*base),
            _ => None,
        };
        let mut stops: Vec<Stop> = parted.into_iter().chain(line).map(Stop::Commit).collect();
        if past.ends_uncommitted && end.is_none() {
            stops.push(Stop::WorkingTree(self.sources.bad.clone()));
        }
        Ok(Some((past, stops)))
    }

    fn along(
        &self,
        ground: &mut impl Ground,
        round: Round,
        past: &Past,
        space: Revised,
        weights: Option<Arc<[u32]>>,
    ) -> Result<Found, Abort> {
        let space = Arc::new(space);
        let count = space.stops.len() as u32;
        let last = DeltaId(count.saturating_sub(1));
        let mut culprit =
            Culprit { bad: last, good: Vec::new(), suspects: Configuration::empty().with_delta(last) };
        if count > 1 {
            let search = Bisect::between(Ancestry::Line(count), &[], last).giving_up(IN_A_ROW, AMONG);
            let search = match weights {
                Some(weights) => search.favouring(weights),
                None => search,
            };
            let stage = stage(round.name("commits"));
            let shared: Arc<dyn Space> = space.clone();
            match ground.search(&stage, &shared, search, &|_| None)? {
                StageEnd::Done(found) => culprit = found,
                StageEnd::Stopped { why, best } => {
                    let pair = self.stopped_at(&space, &best)?;
                    return Ok(Err((why, Some(pair))));
                }
            }
        }
        let pair = self.pair(&space, &culprit)?;
        // With changes carried along, or undone, it is another version that fails.
        let is_as_it_is = space.carried.0.is_empty();
        let base = pair.commit.filter(|commit| past.range.untested_bases().contains(commit));
        if let Some(base) = base.filter(|_| is_as_it_is) {
            return Err(Abort::Failure(fails_before(base)));
        }
        match (pair.commit, culprit.decided()) {
            (Some(merge), Some(_)) => self.inside(ground, round, past, &space, pair, merge),
            _ => Ok(Ok(pair)),
        }
    }

    /// Where the culprit is a merge: which commit of the branch that it brought.
    fn inside(
        &self,
        ground: &mut impl Ground,
        round: Round,
        past: &Past,
        space: &Revised,
        mut pair: Pair,
        mut merge: ObjectId,
    ) -> Result<Found, Abort> {
        loop {
            let brought = past.range.revisions().merged_by(merge);
            if brought.len() < 2 {
                return Ok(Ok(pair));
            }
            let branch = with_forks(&brought, pair.low_commit, past.range.good());
            let stops = branch.iter().map(|revision| Stop::Commit(revision.id)).collect();
            let inner = Arc::new(Revised {
                trees: Arc::clone(&space.trees),
                good: space.good.clone(),
                stops,
                first: space.first.clone(),
                carried: space.carried.clone(),
            });
            let last = DeltaId(branch.len() as u32 - 1);
            // The merge itself is as probable as all that it brought, so the tip of the branch is asked first.
            let count = branch.len() as u32;
            let weights = (0..count).map(|revision| if revision == last.0 { count } else { 1 }).collect();
            let search =
                Bisect::between(branch.history(), &[], last).favouring(weights).giving_up(IN_A_ROW, AMONG);
            let shared: Arc<dyn Space> = inner.clone();
            let named = stage(round.name(&format!("branch merged by {}", merge.short())));
            let culprit = match ground.search(&named, &shared, search, &|_| None)? {
                StageEnd::Done(culprit) => culprit,
                StageEnd::Stopped { why, .. } => return Ok(Err((why, Some(pair)))),
            };
            let found = branch.get(culprit.bad).cloned();
            let Some(found) = found.filter(|found| brought.delta(found.id).is_some()) else {
                return Ok(Ok(pair));
            };
            if found.id == merge {
                // The branch alone does not fail, so it takes the merge.
                return Ok(Ok(pair));
            }
            let suspects: Vec<ObjectId> = culprit
                .suspects
                .iter()
                .filter_map(|delta| branch.get(delta))
                .map(|revision| revision.id)
                .collect();
            let low =
                culprit.good.iter().max().and_then(|good| branch.get(*good)).map(|revision| revision.id);
            let parent = found.parents.first().copied();
            let low = if suspects.len() > 1 { low.or(parent) } else { parent };
            let Some(low) = low else { return Ok(Ok(pair)) };
            pair = Pair {
                low: at(&inner, &Stop::Commit(low))?,
                low_commit: Some(low),
                high: at(&inner, &Stop::Commit(found.id))?,
                commit: Some(found.id),
                suspects,
                merged: found.parents.get(1..).unwrap_or_default().to_vec(),
            };
            if pair.suspects.len() > 1 || found.parents.len() < 2 {
                return Ok(Ok(pair));
            }
            merge = found.id;
        }
    }

    /// What lies around the first bad revision of the line.
    fn pair(&self, space: &Revised, culprit: &Culprit) -> Result<Pair, Abort> {
        let first = culprit.suspects.get(0).unwrap_or(culprit.bad).index();
        let low_stop = first.checked_sub(1);
        let low_commit = match low_stop {
            Some(low) => space.stops.get(low).and_then(Stop::commit),
            None => self.sources.good_commit,
        };
        let nothing = Configuration::empty();
        let low = match low_stop.and_then(|low| space.stops.get(low)) {
            Some(stop) => at(space, stop)?,
            None => space.candidate(&nothing).map_err(unmade)?,
        };
        let high = space.stops.get(culprit.bad.index());
        let commit = high.and_then(Stop::commit);
        let revisions = self.sources.past.as_ref().map(|past| past.range.revisions());
        let revision = revisions.zip(commit).and_then(|(all, commit)| all.get(all.delta(commit)?));
        let merged = revision.and_then(|revision| revision.parents.get(1..)).unwrap_or_default();
        let suspects =
            culprit.suspects.iter().filter_map(|delta| space.stops.get(delta.index())?.commit()).collect();
        Ok(Pair {
            low,
            low_commit,
            high: high.map_or_else(|| Ok(self.sources.bad.clone()), |stop| at(space, stop))?,
            commit,
            suspects,
            merged: merged.to_vec(),
        })
    }

    /// The best that is known when the search along the line is stopped.
    fn stopped_at(&self, space: &Revised, best: &Difference) -> Result<Pair, Abort> {
        let bad = best.failing.last().unwrap_or(DeltaId(space.stops.len() as u32 - 1));
        let first = best.passing.last().map_or(0, |good| good.0 + 1);
        let culprit = Culprit { bad, good: Vec::new(), suspects: Configuration::from_run(first..bad.0 + 1) };
        // Most of them were not tested, so nothing is known against them.
        Ok(Pair { suspects: Vec::new(), commit: None, ..self.pair(space, &culprit)? })
    }
}

/// The failure is older than what the two versions do not share.
fn fails_before(base: ObjectId) -> Failure {
    let base = base.short();
    Failure::wrong_use(format!("{base}, where the good and the bad version have parted, fails as well"))
        .hint(format!(
            "something on the way from {base} to the good version mended it: look for that with --fix --good {base} --bad \
             the good one; or give a good version that the bad one was made from"
        ))
        .exit(Exit::NothingToExplain)
}

fn stage(name: String) -> Named {
    Named { name, search: "bisect", unit: "commit" }
}

fn at(space: &Revised, stop: &Stop) -> Result<Candidate, Abort> {
    space.at(stop).map_err(unmade)
}

fn onto(carried: &Carried, candidate: &Candidate) -> Result<Candidate, Abort> {
    carried.onto(candidate).map_err(unmade)
}

fn unmade(because: Because) -> Abort {
    Abort::Failure(crate::baseline::no_verdict(&because))
}

/// After so many commits in a row that cannot be tested, with no more than so many left, it is better to look at their hunks:
/// mixes of these may well be testable.
const IN_A_ROW: u32 = 2;
const AMONG: usize = 64;

/// The revisions of a branch, with those that it was forked from before them unless they are known to be good.
fn with_forks(branch: &Revisions, low: Option<ObjectId>, good: &[ObjectId]) -> Revisions {
    let merge = branch.iter().last().map(|revision| revision.id);
    let mut forks: Vec<ObjectId> = Vec::new();
    for revision in branch.iter().filter(|revision| Some(revision.id) != merge) {
        for parent in &revision.parents {
            let is_known = branch.delta(*parent).is_some() || Some(*parent) == low || good.contains(parent);
            if !is_known && !forks.contains(parent) {
                forks.push(*parent);
            }
        }
    }
    let forks = forks.into_iter().map(|id| Revision { id, parents: Vec::new() });
    Revisions::new(forks.chain(branch.iter().cloned()).collect())
}
