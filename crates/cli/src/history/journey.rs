//! The way back through history, until a revision passes: with the failure carried along by patches that are as small as possible.

use super::patch::Patch;
use super::request::Past;
use super::travelled::{End, Mark, Travelled};
use crate::changes::below::{Below, Narrowed};
use crate::changes::ground::{Abort, Ground, Named};
use crate::changes::hunt::{Leg, Round};
use crate::changes::past::Pair;
use crate::changes::plan::Plan;
use crate::changes::sources::Sources;
use howcome_changes::{Candidate, Carried, RevisionLine, Space, Trees, Versions, Walked};
use howcome_dd::{Configuration, DeltaId, Line, Outcome, Place, Probe, Stride, Strode};
use howcome_run::{Because, StageEnd, Stop};
use std::sync::Arc;

/// What a journey goes along.
pub(super) struct Journey<'a> {
    pub(super) past: &'a Past,
    pub(super) line: Arc<dyn RevisionLine>,
    /// Where commits come from, if the revisions are commits.
    pub(super) trees: Option<Arc<Trees>>,
    pub(super) plan: &'a Plan,
}

impl<'a> Journey<'a> {
    pub(super) fn new(past: &'a Past, plan: &'a Plan) -> Self {
        Self { past, line: Arc::clone(&past.line), trees: past.trees.clone(), plan }
    }
}

/// Something that was found, or why the run was stopped before.
pub(super) type Stopped<T> = Result<Result<T, Stop>, Abort>;

/// What became of a try with less than what is carried along.
enum Taken {
    /// It fails with it, so the walk goes on.
    GoesOn,
    /// It passes with it.
    Ends(End),
    No,
}

impl Taken {
    fn end(self) -> Option<End> {
        match self {
            Taken::Ends(end) => Some(end),
            Taken::GoesOn | Taken::No => None,
        }
    }
}

/// What a search for the fewest changes that make a revision fail has come to.
enum Least {
    Fails(Patch),
    /// With some of the changes it passes.
    Passes(Patch),
}

/// So often a failure is carried over a change before it is given up.
const MOST_PATCHES: usize = 64;

impl Journey<'_> {
    /// Goes back until a revision passes, explains the difference, and comes back with the remedy.
    pub(super) fn run(&self, ground: &mut impl Ground) -> Result<Travelled, Abort> {
        let newest = self.line.len().saturating_sub(1);
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
            let next = strode.next.map(|(index, place)| (index as usize, place));
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
                None => match way.next_skipped() {
                    // It may be that all older ones lack something that is there since then.
                    Some(skipped) => self.take_all(way, skipped)?,
                    None => return Ok(Ok(End::Unreachable)),
                },
                Some((passing, Place::Opposite)) => return self.explain(ground, way, passing, true),
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
    fn stride(&self, ground: &mut impl Ground, way: &mut Travelled) -> Stopped<Strode> {
        way.walks += 1;
        let name = way.walk_name();
        let front = way.front;
        let with = way.patch.as_ref().map_or_else(String::new, |patch| format!(" with {}", patch.size()));
        ground.milestone(&format!(
            "walking back from {}, revision {} of {}{with}",
            self.line.name(front),
            front + 1,
            self.line.len()
        ));
        let carried = way.patch.as_ref().map(Patch::carried).unwrap_or_default();
        let is_laden = way.patch.is_some();
        let line = Line { count: self.line.len() as u32, from: front as u32, is_forward: false };
        let search = Stride::new(line, Outcome::Fail, is_laden).skipping(way.skipped_revisions());
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
        for (revision, place) in strode.places.iter().filter(|(revision, _)| **revision != line.from) {
            let as_it_is = (*place == Place::Skipped && is_laden).then(|| line.as_it_is(*revision));
            let seen = as_it_is.and_then(|asked| ground.seen(&name, &asked));
            let seen = seen.or_else(|| ground.seen(&name, &line.laden(*revision)));
            way.see(*revision as usize, *place, seen, is_laden);
        }
        way.front = strode.same as usize;
        let mut passed = strode.places.iter().filter(|(_, place)| **place == Place::Opposite);
        if let Some((passing, _)) = passed.next_back().filter(|_| is_laden) {
            way.passed = Some((*passing as usize, way.front, way.patch.clone()));
        }
        Ok(Ok(strode))
    }

    /// All revisions, with something carried along.
    fn walked(&self, carried: Carried) -> Arc<dyn Space> {
        let line = Arc::clone(&self.line);
        Arc::new(Walked { line, optional: Carried::default(), needed_before: 0, carried })
    }

    /// A version that cannot be had or made is no version to go on with.
    pub(super) fn unmade(&self, because: &Because) -> Abort {
        let of_a_list = self.past.failure().filter(|_| matches!(because, Because::Broken(_)));
        Abort::Failure(of_a_list.unwrap_or_else(|| crate::baseline::no_verdict(because)))
    }

    pub(super) fn at(&self, index: usize) -> Result<Candidate, Abort> {
        self.line.base(index).map(Candidate::of).map_err(|because| self.unmade(&because))
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
        let commit = self.line.commit(index);
        let versions = vec![(String::new(), candidate.clone(), commit), (what.to_owned(), candidate, commit)];
        let space: Arc<dyn Space> = Arc::new(Versions { candidates: versions });
        let stage = Named { name, search: "probe", unit: "version" };
        let search = Probe::new(Configuration::empty().with_delta(DeltaId(0)));
        Ok(match ground.search(&stage, &space, search, &|_| None)? {
            StageEnd::Done(outcome) => Ok(outcome),
            StageEnd::Stopped { why, .. } => Err(why),
        })
    }

    /// Makes a revision that ends otherwise fail in the original way, by what a newer one has.
    fn restore(&self, ground: &mut impl Ground, way: &mut Travelled, other: usize) -> Stopped<Option<End>> {
        if way.patch.is_none() {
            self.take_all(way, other)?;
            return Ok(Ok(None));
        }
        // It may not be needed any more.
        match self.fewer(ground, way, other, None)? {
            Ok(Taken::No) => {}
            taken => return Ok(taken.map(Taken::end)),
        }
        let made = way.patches.last();
        let is_stuck = made.is_some_and(|made| made.revision == way.front && !made.patch.is_least);
        if !is_stuck {
            self.take_all(way, other)?;
            return Ok(Ok(None));
        }
        let as_it_is = self.at(other)?;
        let newer = self.newer(way)?;
        // All of the newer revision did not come any further, so the least of it may, here or where it was made.
        match self.least_where_it_was_made(ground, way)? {
            Ok(Some(Least::Fails(least))) => match self.fewer(ground, way, other, Some(least))? {
                Ok(Taken::No) => {}
                taken => return Ok(taken.map(Taken::end)),
            },
            Ok(Some(Least::Passes(patch))) => {
                let (revision, newer) =
                    way.patches.last().map_or((other, way.front), |made| (made.revision, made.newer));
                return Ok(self.passes_with(ground, way, patch, revision, newer)?.map(Some));
            }
            Ok(None) => {}
            Err(why) => return Ok(Err(why)),
        }
        let front = way.front;
        match self.least(ground, way, (&as_it_is, other), (&newer, front))? {
            Ok(Some(Least::Fails(patch))) => way.take(patch, other),
            Ok(Some(Least::Passes(patch))) => {
                return Ok(self.passes_with(ground, way, patch, other, front)?.map(Some));
            }
            Ok(None) => return Ok(Ok(Some(End::Unreachable))),
            Err(why) => return Ok(Err(why)),
        }
        Ok(Ok(None))
    }

    /// Carries all that the front has along to an older revision, which fails with it, for then it is the same.
    fn take_all(&self, way: &mut Travelled, older: usize) -> Result<(), Abort> {
        let patch = Patch::between(&self.at(older)?, &self.newer(way)?, false)?;
        way.take(patch, older);
        Ok(())
    }

    /// The front with its patch.
    fn newer(&self, way: &Travelled) -> Result<Candidate, Abort> {
        let carried = way.patch.as_ref().map(Patch::carried).unwrap_or_default();
        carried.onto(&self.at(way.front)?).map_err(|because| self.unmade(&because))
    }

    /// A revision passes with a patch, and a newer one fails.
    fn passes_with(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
        patch: Patch,
        passing: usize,
        failing: usize,
    ) -> Stopped<End> {
        way.note(passing, Mark::Passes, true);
        (way.patch, way.front) = (Some(patch), failing);
        self.explain(ground, way, passing, true)
    }

    /// Whether a revision fails with less than what is carried along, or passes.
    fn fewer(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
        other: usize,
        patch: Option<Patch>,
    ) -> Stopped<Taken> {
        let carried = patch.as_ref().map(Patch::carried).unwrap_or_default();
        let Ok(candidate) = carried.onto(&self.at(other)?) else { return Ok(Ok(Taken::No)) };
        let (kind, what) = match &patch {
            Some(patch) => ("least", format!("{} with {}", self.line.name(other), patch.size())),
            None => ("without", format!("{} as it is", self.line.name(other))),
        };
        let name = format!("patch {}: {kind}", way.patches.len() + 1);
        Ok(Ok(match self.probe(ground, name, &what, candidate, other)? {
            Ok(Outcome::Fail) => {
                way.go_on_with(patch, other);
                Taken::GoesOn
            }
            Ok(Outcome::Pass) => {
                way.note(other, Mark::Passes, true);
                let is_patched = patch.is_some();
                if is_patched {
                    way.patch = patch;
                }
                match self.explain(ground, way, other, is_patched)? {
                    Ok(end) => Taken::Ends(end),
                    Err(why) => return Ok(Err(why)),
                }
            }
            Ok(Outcome::Unresolved) => Taken::No,
            Err(why) => return Ok(Err(why)),
        }))
    }

    /// A cause that came with what is carried along makes every older revision fail. So before it is said that it never worked, the
    /// oldest one is tried with what only adds something.
    fn without_what_came_along(&self, ground: &mut impl Ground, way: &mut Travelled) -> Stopped<Taken> {
        let Some(made) = way.patches.last().filter(|made| !made.is_reduced) else {
            return Ok(Ok(Taken::No));
        };
        let (revision, newer) = (made.revision, made.newer);
        let additions = made.patch.additions(&self.at(revision)?)?;
        if let Some(additions) = additions {
            match self.only_adding(ground, way, additions, (revision, newer))? {
                Ok(Taken::No) => {}
                taken => return Ok(taken),
            }
        }
        // Where several patches were made, one of them has probably passed over the cause.
        if way.patches.len() < 2 {
            return Ok(Ok(Taken::No));
        }
        match self.least_where_it_was_made(ground, way)? {
            Ok(Some(Least::Passes(patch))) => {
                Ok(self.passes_with(ground, way, patch, revision, newer)?.map(Taken::Ends))
            }
            Ok(Some(Least::Fails(least))) => {
                if revision == way.front {
                    way.patch = Some(least);
                }
                Ok(Ok(Taken::No))
            }
            Ok(None) => Ok(Ok(Taken::No)),
            Err(why) => Ok(Err(why)),
        }
    }

    /// Whether the oldest revision passes with what only adds something, and what comes of that where the patch was made.
    fn only_adding(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
        additions: Patch,
        (revision, newer): (usize, usize),
    ) -> Stopped<Taken> {
        for (index, name) in [(way.front, "additions"), (revision, "additions there")] {
            let Ok(candidate) = additions.carried().onto(&self.at(index)?) else { return Ok(Ok(Taken::No)) };
            let what = format!("{} with what only adds something", self.line.name(index));
            let name = format!("patch {}: {name}", way.patches.len());
            let outcome = match self.probe(ground, name, &what, candidate, index)? {
                Ok(outcome) => outcome,
                Err(why) => return Ok(Err(why)),
            };
            match (outcome, index == revision) {
                (Outcome::Pass, false) => {}
                (Outcome::Pass, true) => {
                    return Ok(self.passes_with(ground, way, additions, revision, newer)?.map(Taken::Ends));
                }
                (Outcome::Fail, true) => {
                    way.reduce(additions);
                    return Ok(Ok(Taken::GoesOn));
                }
                _ => return Ok(Ok(Taken::No)),
            }
        }
        Ok(Ok(Taken::No))
    }

    /// The least that does where the patch was made, unless that is what it is.
    fn least_where_it_was_made(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
    ) -> Stopped<Option<Least>> {
        let Some(made) = way.patches.last().filter(|made| !made.patch.is_least) else { return Ok(Ok(None)) };
        let (revision, newer, whole) = (made.revision, made.newer, made.patch.carried_whole());
        let as_it_is = self.at(revision)?;
        let high = whole.onto(&as_it_is).map_err(|because| self.unmade(&because))?;
        let least = self.least(ground, way, (&as_it_is, revision), (&high, newer))?;
        if let (Ok(Some(Least::Fails(least))), Some(made)) = (&least, way.patches.last_mut()) {
            made.patch = least.clone();
        }
        Ok(least)
    }

    /// The fewest hunks of a newer version with which an older one fails.
    fn least(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
        (low, low_index): (&Candidate, usize),
        (high, high_index): (&Candidate, usize),
    ) -> Stopped<Option<Least>> {
        ground.milestone(&format!(
            "looking for what makes {}, revision {} of {}, fail as {} does",
            self.line.name(low_index),
            low_index + 1,
            self.line.len(),
            self.line.name(high_index)
        ));
        let pair = self.pair(low.clone(), low_index, high.clone(), high_index);
        way.searches += 1;
        let leg = Leg { way: "patch", number: way.searches };
        let complaint = way.why.get(&low_index).map_or_else(Vec::new, |seen| ground.printed(seen));
        let narrowed = match self.fewest(ground, leg, &pair, (Outcome::Fail, "hunk"), &complaint)? {
            Ok(Some(narrowed)) => narrowed,
            Ok(None) => return Ok(Ok(None)),
            Err(why) => return Ok(Err(why)),
        };
        let mixed = narrowed.upon(low);
        // What passes tells more than what is the least that fails.
        Ok(Ok(Some(match narrowed.opposite {
            Some(passing) => Least::Passes(Patch::between(low, &mixed.version(&passing), false)?),
            None => Least::Fails(Patch::between(low, &mixed.version(&narrowed.chosen), true)?),
        })))
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
            low_commit: self.line.commit(low_index),
            high,
            commit: self.line.commit(high_index),
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
            trees: self.trees.clone(),
            warnings: Vec::new(),
        }
    }
}
