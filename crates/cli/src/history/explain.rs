//! Between a revision that passes and one that fails: the smallest patch for both, and the cause.

use super::forward::Forward;
use super::journey::{Journey, Stopped};
use super::patch::{Patch, by_lines, changes};
use super::travelled::{End, Travelled};
use crate::changes::ground::{Abort, Ground, Named};
use crate::changes::hunt::{Hunt, Hunted, Leg};
use crate::changes::origin::failure;
use crate::changes::past::Pair;
use crate::changes::sources::{Past, Sources};
use howcome_changes::{Candidate, Carried, Carry, ChangeSet, Mixed, PatchedSides, Space};
use howcome_dd::{Balanced, Configuration, DeltaId, FailsHerePassesThere, Outcome, Probe, TargetOutcome};
use howcome_run::StageEnd;
use std::sync::Arc;

/// What was found where a revision passes.
pub(crate) struct Explained {
    /// The revision that passes, with the patch if there is one.
    pub(super) passing: usize,
    /// The one behind it that fails, but for those that can't be tested.
    pub(super) failing: usize,
    /// The patch as it is for the passing revision.
    pub(super) patch: Option<Patch>,
    /// Whether each line of it was tried to be left out.
    pub(super) is_patch_minimal: bool,
    pub(super) sources: Sources,
    pub(super) hunted: Hunted,
    pub(super) forward: Forward,
}

/// How a patch is made smaller, one way after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Smaller {
    WithoutRemarks,
    ByHunks,
    ByLines,
}

impl Smaller {
    fn name(self) -> &'static str {
        match self {
            Smaller::WithoutRemarks => "remarks",
            Smaller::ByHunks => "hunks",
            Smaller::ByLines => "lines",
        }
    }
}

/// Patches of more lines are made smaller by hunks first.
const MANY_LINES: u32 = 24;

impl Journey<'_> {
    /// Finds the cause between a revision that passes and the front, which fails.
    pub(super) fn explain(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
        passing: usize,
        is_patched: bool,
    ) -> Stopped<End> {
        let failing = way.front;
        way.passes_at = Some(passing);
        let (good, bad) = (self.at(passing)?, self.at(failing)?);
        let mut is_patch_minimal = false;
        if is_patched && way.patch.is_some() {
            ground.milestone(
                "looking for the smallest patch with which the one still fails and the other passes",
            );
            match self.least_patch(ground, way, &good, &bad)? {
                Ok(is_minimal) => is_patch_minimal = is_minimal,
                Err(why) => return Ok(Err(why)),
            }
        }
        let carried = match &way.patch {
            Some(patch) if is_patch_minimal => patch.carried_whole(),
            Some(patch) => patch.carried(),
            None => Carried::default(),
        };
        let patched_bad = carried.onto(&bad).map_err(|because| self.unmade(&because))?;
        let (patched_good, carried) = match is_patched {
            true => (carried.onto(&good).map_err(|because| self.unmade(&because))?, carried),
            false => (good.clone(), Carried::default()),
        };
        ground.milestone(&format!(
            "looking for the cause between {} and {}",
            self.past.line.name(passing),
            self.past.line.name(failing)
        ));
        let pair = self.pair(patched_good.clone(), passing, patched_bad, failing);
        let sources = Sources { past: self.past(passing, failing, is_patched)?, ..self.sources(&pair) };
        let hunted = (Hunt { sources: &sources, plan: self.plan, carried: carried.clone() }).run(ground)?;
        let patch = match is_patched {
            true => Some(Patch::between(&good, &patched_good, false)?),
            false => None,
        };
        let forward = self.forward(ground, way, failing, &carried, &sources, &hunted)?;
        let explained = Explained {
            passing,
            failing,
            patch: patch.filter(|patch| !patch.is_empty()),
            is_patch_minimal,
            sources,
            hunted,
            forward,
        };
        Ok(Ok(End::Explained(Box::new(explained))))
    }

    /// The commits between two revisions, where they are commits.
    fn past(&self, passing: usize, failing: usize, is_patched: bool) -> Result<Option<Past>, Abort> {
        let commits =
            self.past.line.commit(passing).zip(self.past.line.commit(failing)).filter(|_| is_patched);
        let (Some(trees), Some((good, bad))) = (&self.past.trees, commits) else { return Ok(None) };
        let range = trees.repository().range(&[good], bad).map_err(|error| failure(&error, error.hint()))?;
        Ok(Some(Past { range, ends_uncommitted: false }))
    }

    /// Takes whatever can go from the patch, as long as the older revision passes with it and the newer one fails: that it passes
    /// there keeps the test from losing its meaning. Whether each line was tried.
    fn least_patch(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
        good: &Candidate,
        bad: &Candidate,
    ) -> Stopped<bool> {
        let Some(patch) = way.patch.clone() else { return Ok(Ok(false)) };
        let mut patched = patch.carried().onto(good).map_err(|because| self.unmade(&because))?;
        // A version passes for fewer reasons than it fails, so that is asked, and whether the other one fails only in the end.
        let mut is_minimal = false;
        for way_down in [Smaller::WithoutRemarks, Smaller::ByHunks, Smaller::ByLines] {
            let found = match way_down {
                Smaller::WithoutRemarks => self.passes_without_remarks(ground, good, &patched)?,
                Smaller::ByHunks => self.fewest_hunks(ground, good, &patched)?,
                Smaller::ByLines => self.fewest_lines(ground, good, &patched)?.map(Some),
            };
            let least = match found {
                Ok(Some(least)) => least,
                Ok(None) => continue,
                Err(why) => return Ok(Err(why)),
            };
            let Ok(newer) = Patch::between(good, &least, true)?.carried_whole().onto(bad) else { continue };
            let name = format!("back-port: {}, newer", way_down.name());
            match self.probe(ground, name, "with the patch", newer, way.front)? {
                Ok(Outcome::Fail) => (patched, is_minimal) = (least, way_down == Smaller::ByLines),
                Ok(_) => {}
                Err(why) => return Ok(Err(why)),
            }
        }
        if !is_minimal {
            match self.least_of_both(ground, by_lines(good, &patched)?, good, bad)? {
                Ok(Some(least)) => (patched, is_minimal) = (least, true),
                Ok(None) => {}
                Err(why) => return Ok(Err(why)),
            }
        }
        if is_minimal {
            way.patch = Some(Patch::between(good, &patched, true)?);
        }
        Ok(Ok(is_minimal))
    }

    /// The patch without what is written for people: comments, blank lines and texts, if the older revision passes without.
    fn passes_without_remarks(
        &self,
        ground: &mut impl Ground,
        good: &Candidate,
        patched: &Candidate,
    ) -> Stopped<Option<Candidate>> {
        let varied = by_lines(good, patched)?;
        let is_remark = |delta: &DeltaId| varied.describe(*delta).is_some_and(|change| change.is_remark());
        let remarks: Configuration = varied.all().iter().filter(is_remark).collect();
        if remarks.is_empty() {
            return Ok(Ok(None));
        }
        let mixed = Arc::new(Mixed::upon(good, &varied));
        let space: Arc<dyn Space> = mixed.clone();
        let stage = Named { name: "back-port: remarks".to_owned(), search: "probe", unit: "line" };
        let others = varied.all().without(&remarks);
        Ok(match ground.search(&stage, &space, Probe::new(others.clone()), &|_| None)? {
            StageEnd::Done(Outcome::Pass) => Ok(Some(mixed.version(&others))),
            StageEnd::Done(_) => Ok(None),
            StageEnd::Stopped { why, .. } => Err(why),
        })
    }

    /// The fewest lines of a patch with which the older revision passes.
    fn fewest_lines(
        &self,
        ground: &mut impl Ground,
        good: &Candidate,
        patched: &Candidate,
    ) -> Stopped<Candidate> {
        let varied = by_lines(good, patched)?;
        let mixed = Arc::new(Mixed::upon(good, &varied));
        let space: Arc<dyn Space> = mixed.clone();
        let stage = Named { name: "back-port: lines".to_owned(), search: "balanced", unit: "line" };
        let search = TargetOutcome::new(Outcome::Pass, Balanced::new(varied.all()));
        Ok(match ground.search(&stage, &space, search, &|_| None)? {
            StageEnd::Done(found) => Ok(mixed.version(&found.finding.failing)),
            StageEnd::Stopped { why, .. } => Err(why),
        })
    }

    /// The fewest hunks of a large patch with which the older revision passes; `None` where it is not large.
    fn fewest_hunks(
        &self,
        ground: &mut impl Ground,
        good: &Candidate,
        patched: &Candidate,
    ) -> Stopped<Option<Candidate>> {
        if changes(good, patched)?.len() < 2 || by_lines(good, patched)?.len() < MANY_LINES {
            return Ok(Ok(None));
        }
        let (low, high) = (good.clone(), patched.clone());
        let pair =
            Pair { low, low_commit: None, high, commit: None, suspects: Vec::new(), merged: Vec::new() };
        let leg = Leg { way: "back-port", number: 1 };
        Ok(match self.fewest(ground, leg, &pair, (Outcome::Pass, "hunk"), &[])? {
            Ok(Some(narrowed)) => Ok(Some(narrowed.upon(good).version(&narrowed.chosen))),
            Ok(None) => Ok(None),
            Err(why) => Err(why),
        })
    }

    /// The same where each question is put to both revisions. `None` where the changes do not fit the newer one.
    fn least_of_both(
        &self,
        ground: &mut impl Ground,
        varied: Arc<ChangeSet>,
        good: &Candidate,
        bad: &Candidate,
    ) -> Stopped<Option<Candidate>> {
        let all = varied.all();
        if Carried(vec![Carry::making(&varied, all.clone())]).onto(bad).is_err() {
            return Ok(Ok(None));
        }
        let sides = PatchedSides { changes: Arc::clone(&varied), own: bad.clone(), other: good.clone() };
        let space: Arc<dyn Space> = Arc::new(sides);
        let stage = Named { name: "back-port: both".to_owned(), search: "balanced", unit: "line" };
        let search = FailsHerePassesThere::new(Balanced::new(all), varied.len());
        let found = match ground.search(&stage, &space, search, &|_| None)? {
            StageEnd::Done(found) => found.failing,
            StageEnd::Stopped { why, .. } => return Ok(Err(why)),
        };
        let mixed = Mixed::upon(good, &varied);
        Ok(Ok(Some(mixed.version(&found))))
    }
}
