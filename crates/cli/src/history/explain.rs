//! Between a revision that passes and one that fails: the smallest patch for both, and the cause.

use super::forward::Forward;
use super::journey::{Journey, Stopped, unmade};
use super::patch::{Patch, by_lines, changes};
use super::travelled::{End, Travelled};
use crate::changes::ground::{Abort, Ground, Named};
use crate::changes::hunt::{Hunt, Hunted};
use crate::changes::origin::failure;
use crate::changes::sources::{Past, Sources};
use howcome_changes::{Candidate, Carried, Carry, ChangeSet, PatchedSides, Space};
use howcome_dd::{Balanced, Outcome, Probe, TwoSided};
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

/// Patches of more lines are reduced by hunks first.
const MANY_LINES: u32 = 48;

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
        let (good, bad) = (self.at(passing)?, self.at(failing)?);
        let mut is_patch_minimal = false;
        if is_patched && way.patch.is_some() {
            ground.now("looking for the smallest patch with which the one still fails and the other passes");
            match self.least_patch(ground, way, &good, &bad)? {
                Ok(is_minimal) => is_patch_minimal = is_minimal,
                Err(why) => return Ok(Err(why)),
            }
        }
        let carried = way.patch.as_ref().map(Patch::carried).unwrap_or_default();
        let patched_bad = carried.onto(&bad).map_err(unmade)?;
        let (patched_good, carried) = match is_patched {
            true => (carried.onto(&good).map_err(unmade)?, carried),
            false => (good.clone(), Carried::default()),
        };
        ground.now(&format!(
            "looking for the cause between {} and {}",
            self.line.name(passing),
            self.line.name(failing)
        ));
        let pair = self.pair(patched_good.clone(), passing, patched_bad, failing);
        let sources = Sources { past: self.past(passing, failing, is_patched)?, ..self.sources(&pair) };
        let hunted = (Hunt { sources: &sources, plan: self.plan, carried: carried.clone() }).run(ground)?;
        let patch = match is_patched {
            true => Some(Patch::alone(&good, &patched_good)?),
            false => None,
        };
        let forward = self.forward(ground, way, failing, &carried, &hunted)?;
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
        let commits = self.line.commit(passing).zip(self.line.commit(failing)).filter(|_| is_patched);
        let (Some(trees), Some((good, bad))) = (&self.trees, commits) else { return Ok(None) };
        let range = trees.repository().range(&[good], bad).map_err(|error| failure(&error, error.hint()))?;
        Ok(Some(Past { range, ends_uncommitted: false }))
    }

    /// Takes whatever can go from the patch, as long as the newer revision fails with it and the older one passes: that it passes
    /// there keeps the test from losing its meaning. Whether all was tried.
    fn least_patch(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
        good: &Candidate,
        bad: &Candidate,
    ) -> Stopped<bool> {
        let Some(patch) = way.patch.clone() else { return Ok(Ok(false)) };
        let mut patched = patch.carried().onto(bad).map_err(unmade)?;
        // What was needed first may be all that matters.
        if let Some(needed) = patch.needed_alone()
            && let Ok(fewer) = needed.carried().onto(bad)
            && fewer.content() != patched.content()
        {
            let hunks = changes(bad, &fewer)?;
            match self.decides(ground, hunks, good, bad)? {
                Ok(true) => patched = fewer,
                Ok(false) => {}
                Err(why) => return Ok(Err(why)),
            }
        }
        if by_lines(bad, &patched)?.len() > MANY_LINES {
            let hunks = changes(bad, &patched)?;
            match self.least_of(ground, "back-port: hunks", "hunk", hunks, good, bad)? {
                Ok(Some(fewer)) => patched = fewer,
                Ok(None) => {}
                Err(why) => return Ok(Err(why)),
            }
        }
        let lines = by_lines(bad, &patched)?;
        let least = match self.least_of(ground, "back-port: lines", "line", lines, good, bad)? {
            Ok(least) => least,
            Err(why) => return Ok(Err(why)),
        };
        let is_minimal = least.is_some();
        let least = Patch::alone(bad, &least.unwrap_or(patched))?;
        // What is left must fit both; it was tested so, if anything was.
        if least.carried().onto(good).is_ok() {
            way.patch = Some(least);
        }
        Ok(Ok(is_minimal))
    }

    /// Whether the newer revision fails with some changes and the older one passes.
    fn decides(
        &self,
        ground: &mut impl Ground,
        changes: Arc<ChangeSet>,
        good: &Candidate,
        bad: &Candidate,
    ) -> Stopped<bool> {
        let (all, deltas) = (changes.all(), changes.len());
        let sides = PatchedSides { changes, own: bad.clone(), other: good.clone() };
        let space: Arc<dyn Space> = Arc::new(sides);
        let stage = Named { name: "back-port: needed".to_owned(), search: "probe", unit: "hunk" };
        let end = ground.search(&stage, &space, TwoSided::new(Probe::new(all), deltas), &|_| None)?;
        Ok(match end {
            StageEnd::Done(outcome) => Ok(outcome == Outcome::Fail),
            StageEnd::Stopped { why, .. } => Err(why),
        })
    }

    /// `None` where the changes do not fit the older revision.
    fn least_of(
        &self,
        ground: &mut impl Ground,
        name: &str,
        unit: &'static str,
        changes: Arc<ChangeSet>,
        good: &Candidate,
        bad: &Candidate,
    ) -> Stopped<Option<Candidate>> {
        let all = changes.all();
        let carried = |chosen| Carried(vec![Carry::making(&changes, chosen)]);
        if carried(all.clone()).onto(good).is_err() {
            return Ok(Ok(None));
        }
        let space: Arc<dyn Space> =
            Arc::new(PatchedSides { changes: Arc::clone(&changes), own: bad.clone(), other: good.clone() });
        let search = TwoSided::new(Balanced::new(all), changes.len());
        let stage = Named { name: name.to_owned(), search: "balanced", unit };
        let found = match ground.search(&stage, &space, search, &|_| None)? {
            StageEnd::Done(found) => found.failing,
            StageEnd::Stopped { why, .. } => return Ok(Err(why)),
        };
        Ok(Ok(Some(carried(found).onto(bad).map_err(unmade)?)))
    }
}
