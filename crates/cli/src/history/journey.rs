//! The way back through history, until a revision passes: with the failure carried along by what newer revisions have.

use super::patch::Patch;
use super::request::Past;
use super::restore::Taken;
use super::travelled::{End, Travelled};
use crate::changes::below::{Below, Narrowed};
use crate::changes::ground::{Abort, Ground, Named};
use crate::changes::hunt::{Leg, Round};
use crate::changes::past::Pair;
use crate::changes::plan::Plan;
use crate::changes::sources::Sources;
use howcome_changes::{Candidate, Carried, Space, Versions, Walked};
use howcome_dd::{Configuration, DeltaId, Outcome, Probe, VersionOutcome, WalkBack, WalkRoute, WalkedBack};
use howcome_run::{Because, StageEnd, Stop};
use std::sync::Arc;

/// What a journey goes along.
pub(super) struct Journey<'a> {
    pub(super) past: &'a Past,
    pub(super) plan: &'a Plan,
}

/// Something that was found, or why the run was stopped before.
pub(super) type Stopped<T> = Result<Result<T, Stop>, Abort>;

/// So often a failure is carried over a change before it is given up.
const MOST_PATCHES: usize = 64;

impl Journey<'_> {
    /// Goes back until a revision passes, explains the difference, and comes back with the remedy.
    pub(super) fn run(&self, ground: &mut impl Ground) -> Result<Travelled, Abort> {
        let newest = self.past.line.len().saturating_sub(1);
        let mut way = Travelled::new(newest);
        let end = match self.back(ground, &mut way)? {
            Ok(end) => end,
            Err(why) => End::Stopped(why),
        };
        way.end = Some(end);
        Ok(way)
    }

    fn back(&self, ground: &mut impl Ground, way: &mut Travelled) -> Stopped<End> {
        loop {
            let strode = match self.stride(ground, way)? {
                Ok(strode) => strode,
                Err(why) => return Ok(Err(why)),
            };
            let next = strode.first_changed.map(|(index, place)| (index as usize, place));
            match next {
                // A revision that passed before tells more than one that fails with another patch, or can't be tested.
                None if way.passed.is_some() => {
                    let passing = way.go_back_to_what_passed();
                    return self.explain(ground, way, passing, true);
                }
                None if strode.reaches_the_end => {
                    match self.without_what_came_along(ground, way)? {
                        Ok(Taken::GoesOn) => continue,
                        Ok(Taken::Ends(end)) => return Ok(Ok(end)),
                        Ok(Taken::No) => {}
                        Err(why) => return Ok(Err(why)),
                    }
                    let oldest = self.at(way.front)?;
                    let fits = way.patch.as_ref().and_then(|patch| patch.fits(&oldest));
                    return Ok(Ok(End::NeverWorked { fits }));
                }
                None => match way.next_skipped(|older| self.past.line.base(older).is_ok()) {
                    // It may be that all older ones lack something that is there since then.
                    Some(skipped) => self.take_all(way, skipped)?,
                    None => return Ok(Ok(End::Unreachable)),
                },
                Some((passing, VersionOutcome::Opposite)) => return self.explain(ground, way, passing, true),
                Some(_) if way.patches.len() >= MOST_PATCHES => return Ok(Ok(End::Unreachable)),
                Some((other, _)) => match self.restore(ground, way, other)? {
                    Ok(None) => {}
                    Ok(Some(end)) => return Ok(Ok(end)),
                    Err(why) => return Ok(Err(why)),
                },
            }
        }
    }

    /// How far back it fails in the same way.
    fn stride(&self, ground: &mut impl Ground, way: &mut Travelled) -> Stopped<WalkedBack> {
        way.walks += 1;
        let name = way.walk_name();
        let front = way.front;
        let with = way.patch.as_ref().map_or_else(String::new, |patch| format!(" with {}", patch.size()));
        ground.milestone(&format!(
            "walking back from {}, revision {} of {}{with}",
            self.past.line.name(front),
            front + 1,
            self.past.line.len()
        ));
        let carried = way.patch.as_ref().map(Patch::carried).unwrap_or_default();
        let is_laden = way.patch.is_some();
        let line = WalkRoute { count: self.past.line.len() as u32, from: front as u32, is_forward: false };
        let search = WalkBack::new(line, Outcome::Fail, is_laden).skipping(way.skipped_revisions());
        let stage = Named { name: name.clone(), search: "walk", unit: "revision" };
        let end = ground.search(&stage, &self.walked(carried), search, &|_| None)?;
        // What a run that is stopped has learned is recorded; what it has come to is this.
        let strode = match end {
            StageEnd::Done(strode) => strode,
            StageEnd::Stopped { why, best } => {
                way.front = best.failing.last().map_or(front, DeltaId::index);
                way.passes_at = best.passing.last().map(DeltaId::index);
                return Ok(Err(why));
            }
        };
        for (revision, place) in strode.versions.iter().filter(|(revision, _)| **revision != line.from) {
            let as_it_is = (*place == VersionOutcome::Skipped && is_laden).then(|| line.unpatched(*revision));
            let seen = as_it_is.and_then(|asked| ground.seen(&name, &asked));
            let seen = seen.or_else(|| ground.seen(&name, &line.patched(*revision)));
            way.see(*revision as usize, *place, seen, is_laden);
        }
        way.front = strode.last_same as usize;
        let mut passed = strode.versions.iter().filter(|(_, place)| **place == VersionOutcome::Opposite);
        if let Some((passing, _)) = passed.next_back().filter(|_| is_laden) {
            way.passed = Some((*passing as usize, way.front, way.patch.clone()));
        }
        Ok(Ok(strode))
    }

    /// All revisions, with something carried along.
    pub(super) fn walked(&self, carried: Carried) -> Arc<dyn Space> {
        let line = Arc::clone(&self.past.line);
        Arc::new(Walked { line, optional: Carried::default(), needed_before: 0, carried })
    }

    /// A version that cannot be had or made is no version to go on with.
    pub(super) fn unmade(&self, because: &Because) -> Abort {
        let of_a_list = self.past.failure().filter(|_| matches!(because, Because::Broken(_)));
        Abort::Failure(of_a_list.unwrap_or_else(|| crate::baseline::no_verdict(because)))
    }

    pub(super) fn at(&self, index: usize) -> Result<Candidate, Abort> {
        self.past.line.base(index).map(Candidate::of).map_err(|because| self.unmade(&because))
    }

    /// What a version does, asked like any other question.
    pub(super) fn probe(
        &self,
        ground: &mut impl Ground,
        name: String,
        what: &str,
        candidate: Candidate,
        index: usize,
    ) -> Stopped<Outcome> {
        let commit = self.past.line.commit(index);
        let versions = vec![(String::new(), candidate.clone(), commit), (what.to_owned(), candidate, commit)];
        let space: Arc<dyn Space> = Arc::new(Versions { candidates: versions });
        let stage = Named { name, search: "probe", unit: "version" };
        let search = Probe::new(Configuration::empty().with_delta(DeltaId(0)));
        Ok(match ground.search(&stage, &space, search, &|_| None)? {
            StageEnd::Done(outcome) => Ok(outcome),
            StageEnd::Stopped { why, .. } => Err(why),
        })
    }

    /// The fewest hunks or lines that lead from one version to one with an outcome, as another one has it.
    pub(super) fn fewest(
        &self,
        ground: &mut impl Ground,
        leg: Leg,
        pair: &Pair,
        (sought, unit): (Outcome, &str),
        complaint: &[u8],
    ) -> Stopped<Option<Narrowed>> {
        let sources = self.sources(pair);
        let round = Round { leg: Some(leg), ..Round::default() };
        let below =
            Below { sources: &sources, plan: self.plan, before: &[], sought: Some(sought), complaint };
        Ok(below.fewest(ground, round, pair, unit == "line")?.map_err(|(why, _)| why))
    }

    /// Two versions of which something is to be found out.
    pub(super) fn pair(&self, low: Candidate, low_index: usize, high: Candidate, high_index: usize) -> Pair {
        Pair {
            low,
            low_commit: self.past.line.commit(low_index),
            high,
            commit: self.past.line.commit(high_index),
            suspects: Vec::new(),
            merged: Vec::new(),
        }
    }

    /// The same as searches below revisions want it.
    pub(super) fn sources(&self, pair: &Pair) -> Sources {
        Sources {
            good: pair.low.clone(),
            good_commit: pair.low_commit,
            bad: pair.high.clone(),
            bad_commit: pair.commit,
            past: None,
            trees: self.past.trees.clone(),
            warnings: Vec::new(),
        }
    }
}
