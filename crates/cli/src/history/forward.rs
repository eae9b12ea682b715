//! The way forward: the cause's reversal, carried to the newest revision.

use super::journey::{Journey, Stopped};
use super::patch::changes;
use super::travelled::Travelled;
use crate::changes::ground::{Abort, Ground, Named};
use crate::changes::hunt::{Hunted, Leg, undoing};
use crate::changes::past::Pair;
use crate::changes::sources::Sources;
use howcome_changes::{Carried, Carry, Space, Walked, patch_of_good};
use howcome_dd::{Outcome, VersionOutcome, WalkBack, WalkRoute};
use howcome_run::{StageEnd, Stop};
use std::sync::Arc;

/// What became of the way forward.
#[derive(Default)]
pub(crate) struct Forward {
    /// What makes the newest revision pass.
    pub(super) patch: Option<Vec<u8>>,
    /// Why there is no such patch.
    pub(super) why: Option<String>,
    /// The revision at which it came to an end.
    pub(super) at: Option<usize>,
    /// Where more had to be changed, and how many hunks that was.
    pub(super) steps: Vec<(usize, usize)>,
    /// Whether the run was stopped meanwhile.
    pub(super) stopped: Option<Stop>,
}

/// So often a remedy is adapted to newer revisions before it is given up.
const MOST_STEPS: usize = 16;

impl Journey<'_> {
    /// Carries the reversal of the cause to the newest revision.
    pub(super) fn forward(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
        failing: usize,
        back_port: &Carried,
        sources: &Sources,
        hunted: &Hunted,
    ) -> Result<Forward, Abort> {
        let mut forward = Forward::default();
        let cause = match hunted {
            Hunted::Found(causes) => causes.first(),
            _ => None,
        };
        let Some(cause) = cause else {
            forward.why = Some("the cause was not found".to_owned());
            return Ok(forward);
        };
        let passes = cause.proof.without.as_ref().and_then(|seen| seen.is(Outcome::Pass)) == Some(true);
        let remedy = match passes {
            true => Ok(Some(Carried(undoing(&cause.parts).collect()))),
            false => self.remedy(ground, sources, failing, &mut forward)?,
        };
        let arrived = match remedy {
            Ok(Some(remedy)) => self.carry_forward(ground, way, failing, back_port, remedy, &mut forward)?,
            Ok(None) => Ok(()),
            Err(stop) => Err(stop),
        };
        if let Err(stop) = arrived {
            forward.why = Some("the run was stopped before".to_owned());
            forward.stopped = Some(stop);
        }
        Ok(forward)
    }

    /// What makes the failing revision pass where the reversal of the cause does not: others may have come to rely on it.
    fn remedy(
        &self,
        ground: &mut impl Ground,
        sources: &Sources,
        failing: usize,
        forward: &mut Forward,
    ) -> Stopped<Option<Carried>> {
        let pair = self.pair(sources.bad.clone(), failing, sources.good.clone(), failing);
        let found = self.fewest_that_pass(ground, &pair, 0)?;
        Ok(found.map(|found| match found {
            Some((remedy, hunks)) => {
                forward.steps.push((failing, hunks));
                Some(remedy)
            }
            None => {
                forward.at = Some(failing);
                forward.why =
                    Some(format!("{} itself does not pass without it", self.past.line.name(failing)));
                None
            }
        }))
    }

    /// The fewest changes that lead from a version to one that passes, of those that lead to one that does.
    fn fewest_that_pass(
        &self,
        ground: &mut impl Ground,
        pair: &Pair,
        number: usize,
    ) -> Stopped<Option<(Carried, usize)>> {
        let leg = Leg { way: "forward", number };
        let narrowed = match self.fewest(ground, leg, pair, (Outcome::Pass, "line"), &[])? {
            Ok(Some(narrowed)) => narrowed,
            Ok(None) => return Ok(Ok(None)),
            Err(why) => return Ok(Err(why)),
        };
        let remedy = changes(&pair.low, &narrowed.upon(&pair.low).version(&narrowed.chosen))?;
        let hunks = remedy.len() as usize;
        Ok(Ok(Some((Carried(vec![Carry::making(&remedy, remedy.all())]), hunks))))
    }

    fn carry_forward(
        &self,
        ground: &mut impl Ground,
        way: &mut Travelled,
        mut at: usize,
        back_port: &Carried,
        mut remedy: Carried,
        forward: &mut Forward,
    ) -> Stopped<()> {
        let newest = way.newest;
        loop {
            let number = forward.steps.len() + 1;
            ground.milestone(&format!(
                "carrying the remedy forward from {}, revision {} of {}",
                self.past.line.name(at),
                at + 1,
                newest + 1
            ));
            let walked = Arc::new(Walked {
                line: Arc::clone(&self.past.line),
                optional: back_port.clone(),
                needed_before: way.patches.first().map_or(0, |made| made.newer),
                carried: remedy.clone(),
            });
            let line = WalkRoute { count: newest as u32 + 1, from: at as u32, is_forward: true };
            let search = WalkBack::new(line, Outcome::Pass, true).trusting_the_far_end();
            let search = search.skipping(way.skipped_revisions());
            let stage = Named { name: format!("forward {number}"), search: "walk", unit: "revision" };
            let space: Arc<dyn Space> = walked.clone();
            let strode = match ground.search(&stage, &space, search, &|_| None)? {
                StageEnd::Done(strode) => strode,
                StageEnd::Stopped { why, .. } => {
                    forward.at = Some(at);
                    return Ok(Err(why));
                }
            };
            let reached = strode.last_same as usize;
            let Some((next, place)) = strode.first_changed else {
                return self.arrive(forward, &walked, reached, newest).map(Ok);
            };
            let next = next as usize;
            forward.at = Some(next);
            if number > MOST_STEPS {
                forward.why =
                    Some(format!("it was adapted to {MOST_STEPS} revisions and still did not do there"));
                return Ok(Ok(()));
            }
            let step = Step { reached, next, number, place };
            match self.adapt(ground, &walked, &step, forward)? {
                Ok(Some(adapted)) => (remedy, at) = (adapted, next),
                Ok(None) => return Ok(Ok(())),
                Err(why) => return Ok(Err(why)),
            }
        }
    }

    /// The remedy as a patch for the newest revision.
    fn arrive(
        &self,
        forward: &mut Forward,
        walked: &Walked,
        reached: usize,
        newest: usize,
    ) -> Result<(), Abort> {
        if reached != newest {
            forward.at = Some(reached);
            forward.why = Some("newer revisions can't be tested".to_owned());
            return Ok(());
        }
        let as_it_is = self.at(newest)?;
        let mended = walked.laden(newest).map_err(|because| self.unmade(&because))?;
        let remedy = changes(&as_it_is, &mended)?;
        forward.at = None;
        forward.patch = Some(patch_of_good(&remedy, &remedy.all()));
        Ok(())
    }

    /// What else it takes at a revision where the remedy does not do.
    fn adapt(
        &self,
        ground: &mut impl Ground,
        walked: &Walked,
        step: &Step,
        forward: &mut Forward,
    ) -> Stopped<Option<Carried>> {
        // Where it starts from is known by the proof of the cause.
        let high = walked.laden(step.reached).map_err(|because| self.unmade(&because))?;
        let low = walked.optionally(step.next, self.at(step.next)?);
        let name = self.past.line.name(step.next);
        ground.milestone(&format!(
            "looking for what else mends {name}, revision {} of {}",
            step.next + 1,
            self.past.line.len()
        ));
        let pair = self.pair(low, step.next, high, step.reached);
        Ok(self.fewest_that_pass(ground, &pair, step.number)?.map(|found| match found {
            Some((remedy, hunks)) => {
                forward.steps.push((step.next, hunks));
                Some(remedy)
            }
            None => {
                let newest = self.past.line.name(step.reached);
                forward.why = Some(format!(
                    "at {name} {}, and nothing smaller than all of {newest} mends it",
                    step.how()
                ));
                None
            }
        }))
    }
}

/// A place where the remedy does not do as it is.
struct Step {
    /// The newest revision that it mends.
    reached: usize,
    /// The one behind it.
    next: usize,
    number: usize,
    place: VersionOutcome,
}

impl Step {
    fn how(&self) -> &'static str {
        match self.place {
            VersionOutcome::Opposite => "it fails in spite of it",
            _ => "it can't be made, or ends otherwise",
        }
    }
}
