//! Where a revision ends otherwise: what it takes of newer ones to fail in the original way, and what that may have brought along.

use super::journey::{Journey, Stopped};
use super::patch::Patch;
use super::travelled::{End, Mark, Travelled};
use crate::changes::ground::{Abort, Ground, Named};
use crate::changes::hunt::Leg;
use howcome_changes::Candidate;
use howcome_dd::{Outcome, VersionOutcome, WalkBack, WalkRoute};
use howcome_run::StageEnd;

/// What became of a try with less than what is carried along.
pub(super) enum Taken {
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

impl Journey<'_> {
    /// Makes a revision that ends otherwise fail in the original way, by what a newer one has.
    pub(super) fn restore(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
        other: usize,
    ) -> Stopped<Option<End>> {
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
    pub(super) fn take_all(&self, way: &mut Travelled, older: usize) -> Result<(), Abort> {
        let patch = Patch::between(&self.at(older)?, &self.newer(way)?, false)?;
        way.take(patch, older);
        Ok(())
    }

    /// The front with its patch.
    fn newer(&self, way: &Travelled) -> Result<Candidate, Abort> {
        let carried = way.patch.as_ref().map(Patch::carried).unwrap_or_default();
        carried.onto(&self.at(way.front)?).map_err(|because| self.unmade(&because))
    }

    /// A revision passes with a patch that is another one than that with which a newer one failed. So where it begins to fail with
    /// this one is looked for: probably there.
    fn passes_with(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
        patch: Patch,
        passing: usize,
        failing: usize,
    ) -> Stopped<End> {
        way.note(passing, Mark::Passes, true);
        let carried = patch.carried();
        way.patch = Some(patch);
        if let Ok(candidate) = carried.onto(&self.at(failing)?) {
            let name = way.next_try();
            let what = format!("{} with the patch", self.past.line.name(failing));
            match self.probe(ground, name, &what, candidate, failing)? {
                Ok(Outcome::Fail) => {
                    way.front = failing;
                    return self.explain(ground, way, passing, true);
                }
                Ok(_) => {}
                Err(why) => return Ok(Err(why)),
            }
        }
        let line = WalkRoute { count: way.newest as u32 + 1, from: passing as u32, is_forward: true };
        let search = WalkBack::new(line, Outcome::Pass, true).skipping(way.skipped_revisions());
        let stage = Named { name: "return".to_owned(), search: "walk", unit: "revision" };
        let strode = match ground.search(&stage, &self.walked(carried), search, &|_| None)? {
            StageEnd::Done(strode) => strode,
            StageEnd::Stopped { why, .. } => return Ok(Err(why)),
        };
        match strode.first_changed {
            Some((next, VersionOutcome::Opposite)) => {
                way.front = next as usize;
                self.explain(ground, way, strode.last_same as usize, true)
            }
            _ => Ok(Ok(End::Unreachable)),
        }
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
        let what = match &patch {
            Some(patch) => format!("{} with {}", self.past.line.name(other), patch.size()),
            None => format!("{} as it is", self.past.line.name(other)),
        };
        let name = way.next_try();
        Ok(Ok(match self.probe(ground, name, &what, candidate, other)? {
            Ok(Outcome::Fail) => {
                way.go_on_with(patch, other);
                Taken::GoesOn
            }
            Ok(Outcome::Pass) => {
                way.note(other, Mark::Passes, true);
                let front = way.front;
                let end = match patch {
                    Some(patch) => self.passes_with(ground, way, patch, other, front)?,
                    None => self.explain(ground, way, other, false)?,
                };
                match end {
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
    pub(super) fn without_what_came_along(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
    ) -> Stopped<Taken> {
        let Some(made) = way.patches.last().filter(|made| !made.is_reduced) else {
            return Ok(Ok(Taken::No));
        };
        let (revision, newer) = (made.revision, made.newer);
        match self.only_adding(ground, way)? {
            Ok(Taken::No) => {}
            taken => return Ok(taken),
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

    /// Whether the oldest revision passes with what only adds something, and if it does, where a patch has brought the cause along.
    fn only_adding(&self, ground: &mut impl Ground, way: &mut Travelled) -> Stopped<Taken> {
        let mut places: Vec<(usize, usize, Patch)> = Vec::new();
        for made in &way.patches {
            let additions = made.patch.additions(&self.at(made.revision)?)?;
            places.extend(additions.map(|additions| (made.revision, made.newer, additions)));
        }
        let Some((last, _, additions)) = places.last().cloned() else { return Ok(Ok(Taken::No)) };
        let oldest = way.front;
        match self.with_additions(ground, way, oldest, &additions)? {
            Ok(Outcome::Pass) => {}
            outcome => return Ok(outcome.map(|_| Taken::No)),
        }
        for (revision, newer, additions) in places {
            match self.with_additions(ground, way, revision, &additions)? {
                Ok(Outcome::Pass) => {
                    return Ok(self.passes_with(ground, way, additions, revision, newer)?.map(Taken::Ends));
                }
                Ok(Outcome::Fail) if revision == last => {
                    way.reduce(additions);
                    return Ok(Ok(Taken::GoesOn));
                }
                Ok(_) => {}
                Err(why) => return Ok(Err(why)),
            }
        }
        Ok(Ok(Taken::No))
    }

    /// What a revision does with what only adds something.
    fn with_additions(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
        index: usize,
        additions: &Patch,
    ) -> Stopped<Outcome> {
        let Ok(candidate) = additions.carried().onto(&self.at(index)?) else {
            return Ok(Ok(Outcome::Unresolved));
        };
        let what = format!("{} with what only adds something", self.past.line.name(index));
        self.probe(ground, way.next_try(), &what, candidate, index)
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
            self.past.line.name(low_index),
            low_index + 1,
            self.past.line.len(),
            self.past.line.name(high_index)
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
}
