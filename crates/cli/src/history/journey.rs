//! The way back through history, until a revision passes: with the failure carried along by patches that are as small as possible.

use super::patch::Patch;
use super::travelled::{End, Made, Mark, Travelled};
use crate::changes::below::Below;
use crate::changes::ground::{Abort, Ground, Named};
use crate::changes::hunt::{Leg, Round};
use crate::changes::past::Pair;
use crate::changes::plan::Plan;
use crate::changes::sources::Sources;
use howcome_changes::{Candidate, Carried, Carry, Mixed, RevisionLine, Space, Trees, Versions, Walked};
use howcome_dd::{Configuration, DeltaId, Line, Outcome, Place, Probe, Stride, Strode};
use howcome_run::{Because, StageEnd, Stop};
use std::sync::Arc;

/// What a journey goes along.
pub(super) struct Journey<'a> {
    pub(super) line: Arc<dyn RevisionLine>,
    /// Where commits come from, if the revisions are commits.
    pub(super) trees: Option<Arc<Trees>>,
    pub(super) plan: &'a Plan,
}

/// Something that was found, or why the run was stopped before.
pub(super) type Stopped<T> = Result<Result<T, Stop>, Abort>;

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
                None if strode.reaches_the_end => {
                    let oldest = self.at(way.front)?;
                    let fits = way.patch.as_ref().map(|patch| patch.fits(&oldest));
                    return Ok(Ok(End::NeverWorked { fits }));
                }
                None => return Ok(Ok(End::Unreachable)),
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
        ground.now(&format!(
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
        Ok(Ok(strode))
    }

    /// All revisions, with something carried along.
    fn walked(&self, carried: Carried) -> Arc<dyn Space> {
        let line = Arc::clone(&self.line);
        Arc::new(Walked { line, optional: Carried::default(), needed_before: 0, carried })
    }

    pub(super) fn at(&self, index: usize) -> Result<Candidate, Abort> {
        self.line.base(index).map(Candidate::of).map_err(unmade)
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

    /// Makes a revision that ends otherwise fail in the original way, by as little of the newer one as possible.
    fn restore(&self, ground: &mut impl Ground, way: &mut Travelled, other: usize) -> Stopped<Option<End>> {
        let number = way.patches.len() + 1;
        let failing = way.front;
        let as_it_is = self.at(other)?;
        // Less may be enough: nothing, or nothing but what was needed where the patch was made.
        let fewer = [None, way.patch.as_ref().and_then(Patch::needed_alone)];
        let fewer = fewer.into_iter().filter(|patch| way.patch.is_some() && (patch.is_none() || number > 1));
        for patch in fewer.collect::<Vec<_>>() {
            let (kind, carried) = match &patch {
                Some(patch) => ("needed", patch.carried()),
                None => ("without", Carried::default()),
            };
            let Ok(candidate) = carried.onto(&as_it_is) else { continue };
            let what = format!("{} {kind}", self.line.name(other));
            let is_patched = patch.is_some();
            match self.probe(ground, format!("patch {number}: {kind}"), &what, candidate, other)? {
                Ok(Outcome::Fail) => {
                    way.go_on_with(patch, other);
                    return Ok(Ok(None));
                }
                Ok(Outcome::Pass) => {
                    way.note(other, Mark::Passes, true);
                    if is_patched {
                        way.patch = patch;
                    }
                    return Ok(self.explain(ground, way, other, is_patched)?.map(Some));
                }
                Ok(Outcome::Unresolved) => {}
                Err(why) => return Ok(Err(why)),
            }
        }
        let carried = way.patch.as_ref().map(Patch::carried).unwrap_or_default();
        let high = carried.onto(&self.at(failing)?).map_err(unmade)?;
        // Where the patch does not fit, all of it is looked for again.
        let low = carried.onto(&as_it_is).unwrap_or_else(|_| as_it_is.clone());
        ground.now(&format!(
            "looking for what makes {}, revision {} of {}, fail as {} does",
            self.line.name(other),
            other + 1,
            self.line.len(),
            self.line.name(failing)
        ));
        let pair = self.pair(low, other, high.clone(), failing);
        let round = Round { leg: Some(Leg { way: "patch", number }), ..Round::default() };
        let sources = self.sources(&pair);
        let complaint = way.why.get(&other).map_or_else(Vec::new, |seen| ground.printed(seen));
        let below = Below {
            sources: &sources,
            plan: self.plan,
            before: &[],
            sought: Some(Outcome::Fail),
            complaint: &complaint,
        };
        let narrowed = match below.fewest(ground, round, &pair, false)? {
            Ok(Some(narrowed)) => narrowed,
            Ok(None) => return Ok(Ok(Some(End::Unreachable))),
            Err((why, _)) => return Ok(Err(why)),
        };
        let mixed = Mixed {
            low: pair.low.clone(),
            revision: None,
            changes: Arc::clone(&narrowed.changes),
            reader: None,
        };
        let mut patched = mixed.version(&narrowed.chosen);
        if way.patch.is_some()
            && let Ok(alone) =
                Carried(vec![Carry::making(&narrowed.changes, narrowed.chosen.clone())]).onto(&as_it_is)
            && alone.content() != patched.content()
        {
            let name = format!("patch {number}: alone");
            match self.probe(ground, name, "with what is new alone", alone.clone(), other)? {
                Ok(Outcome::Fail) => patched = alone,
                Ok(_) => {}
                Err(why) => return Ok(Err(why)),
            }
        }
        let patch = Patch::between(&as_it_is, &patched, &high)?;
        let because = way.why.get(&other).cloned();
        way.patches.push(Made { revision: other, newer: failing, because, patch: patch.clone() });
        way.note(other, Mark::Fails, true);
        way.patch = Some(patch);
        way.front = other;
        Ok(Ok(None))
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

pub(super) fn unmade(because: Because) -> Abort {
    Abort::Failure(crate::baseline::no_verdict(&because))
}
