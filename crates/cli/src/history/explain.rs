//! Between a revision that passes and one that fails: the smallest patch for both, and the cause.

use super::forward::Forward;
use super::journey::{Journey, Stopped, unmade};
use super::patch::{Patch, by_lines, changes};
use super::travelled::{End, Travelled};
use crate::changes::ground::{Abort, Ground, Named};
use crate::changes::hunt::{Hunt, Hunted};
use crate::changes::origin::failure;
use crate::changes::sources::{Past, Sources};
use howcome_changes::{Candidate, Carried, Carry, ChangeSet, Mixed, PatchedSides, Space};
use howcome_dd::{Balanced, Outcome, Seeking, TwoSided};
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
        let commits = self.line.commit(passing).zip(self.line.commit(failing)).filter(|_| is_patched);
        let (Some(trees), Some((good, bad))) = (&self.trees, commits) else { return Ok(None) };
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
        let mut patched = patch.carried().onto(good).map_err(unmade)?;
        let mut is_minimal = false;
        // A version that passes does so for fewer reasons than one fails, so that is asked; whether the other one fails, in the end.
        for (unit, varied) in [("hunk", changes(good, &patched)?), ("line", by_lines(good, &patched)?)] {
            // What the hunks came to is split into lines.
            let varied = if unit == "line" { by_lines(good, &patched)? } else { varied };
            if unit == "hunk" && varied.len() < 2 {
                continue;
            }
            let least = match self.least_that_passes(ground, unit, &varied, good)? {
                Ok(least) => least,
                Err(why) => return Ok(Err(why)),
            };
            if let Ok(newer) = Patch::alone(good, &least)?.carried().onto(bad) {
                let name = format!("back-port: {unit}s, newer");
                match self.probe(ground, name, "with the patch", newer, way.front)? {
                    Ok(Outcome::Fail) => (patched, is_minimal) = (least, unit == "line"),
                    Ok(_) => {}
                    Err(why) => return Ok(Err(why)),
                }
            }
        }
        if !is_minimal {
            match self.least_of_both(ground, by_lines(good, &patched)?, good, bad)? {
                Ok(Some(least)) => (patched, is_minimal) = (least, true),
                Ok(None) => {}
                Err(why) => return Ok(Err(why)),
            }
        }
        let least = Patch::alone(good, &patched)?;
        // What was carried along to both may have fitted them in different ways.
        if is_minimal || least.carried().onto(bad).is_ok() {
            way.patch = Some(least);
        }
        Ok(Ok(is_minimal))
    }

    /// The fewest of some changes with which the older revision passes.
    fn least_that_passes(
        &self,
        ground: &mut impl Ground,
        unit: &'static str,
        varied: &Arc<ChangeSet>,
        good: &Candidate,
    ) -> Stopped<Candidate> {
        let mixed =
            Arc::new(Mixed { low: good.clone(), revision: None, changes: Arc::clone(varied), reader: None });
        let space: Arc<dyn Space> = mixed.clone();
        let stage = Named { name: format!("back-port: {unit}s"), search: "balanced", unit };
        let search = Seeking::new(Outcome::Pass, Balanced::new(varied.all()));
        Ok(match ground.search(&stage, &space, search, &|_| None)? {
            StageEnd::Done(found) => Ok(mixed.version(&found.failing)),
            StageEnd::Stopped { why, .. } => Err(why),
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
        let search = TwoSided::new(Balanced::new(all), varied.len());
        let found = match ground.search(&stage, &space, search, &|_| None)? {
            StageEnd::Done(found) => found.failing,
            StageEnd::Stopped { why, .. } => return Ok(Err(why)),
        };
        let mixed = Mixed { low: good.clone(), revision: None, changes: varied, reader: None };
        Ok(Ok(Some(mixed.version(&found))))
    }
}
