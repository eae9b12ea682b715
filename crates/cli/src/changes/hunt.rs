//! The way from two versions to the lines that make the difference: commits, hunks, lines, and whatever else they need.

use super::below::{Below, Narrowed};
use super::ground::{Abort, Ground, Named};
use super::past::{Pair, Walk};
use super::plan::Plan;
use super::sources::Sources;
use howcome_changes::git::ObjectId;
use howcome_changes::{Candidate, Carried, Carry, ChangeSet, Space, Versions};
use howcome_dd::{Configuration, DeltaId, Outcome};
use howcome_run::{Because, Observation, Purpose, Stop};
use std::sync::Arc;

/// Changes that belong together and come from one place in history.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) changes: Arc<ChangeSet>,
    pub(crate) chosen: Configuration,
    /// The commit that they come from, where that is known.
    pub(crate) commit: Option<ObjectId>,
    /// Whether the others could not even be judged without them.
    pub(crate) is_needed_only: bool,
}

impl Part {
    pub(crate) fn carry(&self, undone: bool) -> Carry {
        Carry { undone, ..Carry::making(&self.changes, self.chosen.clone()) }
    }
}

/// One way in which the failure comes about.
#[derive(Clone, Debug)]
pub(crate) struct Cause {
    /// The part that was found first, and what it only fails together with.
    pub(crate) parts: Vec<Part>,
    /// The smallest unit that was looked at: `hunk` or `line`.
    pub(crate) unit: &'static str,
    /// Whether each single one was found to be necessary.
    pub(crate) is_minimal: bool,
    /// The commits of which one is the culprit, where some could not be tested.
    pub(crate) suspects: Vec<ObjectId>,
    pub(crate) proof: Proof,
}

/// What was seen when the answer was tested once more, from nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proof {
    /// The good version with nothing but the cause.
    pub(crate) alone: Option<Seen>,
    /// The bad version without the cause.
    pub(crate) without: Option<Seen>,
    /// The bad version without the cause, if it can be made.
    pub(crate) mended: Option<Candidate>,
}

/// The outcome of a check, or why there is none.
#[derive(Clone, Debug)]
pub(crate) enum Seen {
    Outcome(Outcome),
    /// The change cannot be made, or undone, there.
    DidNotApply(String),
}

impl Seen {
    pub(crate) fn is(&self, wanted: Outcome) -> Option<bool> {
        match self {
            Seen::Outcome(outcome) => Some(*outcome == wanted),
            Seen::DidNotApply(_) => None,
        }
    }
}

/// How a hunt ends.
pub(crate) enum Hunted {
    Found(Vec<Cause>),
    /// Nothing but versions that cannot be judged lies between these.
    Undecided(Pair),
    Stopped {
        why: Stop,
        /// The causes that were found before.
        found: Vec<Cause>,
        /// The nearest versions that differ, and the best that is known of what lies between them.
        best: Best,
    },
}

/// Further causes than these are not looked for.
const MOST_CAUSES: usize = 16;

/// Other changes that a cause needs are looked for this often.
const MOST_PARTS: usize = 8;

pub(crate) struct Hunt<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) plan: &'a Plan,
    /// What is done to every commit, and to the good and the bad version already.
    pub(crate) carried: Carried,
}

/// What keeps a cause from being found.
enum NotFound {
    Undecided(Box<Pair>),
    Stopped { why: Stop, best: Best },
}

/// The nearest versions that differ, and the best that is known of what lies between them.
type Best = Option<Box<(Pair, Option<Narrowed>)>>;

/// What a check of the answer said, and the version that was checked.
type Proven = Result<(Option<Seen>, Option<Candidate>), Stop>;

impl Hunt<'_> {
    pub(crate) fn run(&self, ground: &mut impl Ground) -> Result<Hunted, Abort> {
        let mut found: Vec<Cause> = Vec::new();
        let mut undone = Carried::default();
        loop {
            let cause = match self.cause(ground, found.len(), &undone)? {
                Ok(cause) => cause,
                Err(NotFound::Undecided(pair)) if found.is_empty() => return Ok(Hunted::Undecided(*pair)),
                Err(NotFound::Undecided(_)) => return Ok(Hunted::Found(found)),
                Err(NotFound::Stopped { why, best }) => return Ok(Hunted::Stopped { why, found, best }),
            };
            // What was made last has to be undone first.
            undone.0.extend(undoing(&cause.parts));
            let still_fails =
                cause.proof.without.as_ref().and_then(|seen| seen.is(Outcome::Fail)) == Some(true);
            found.push(cause);
            if !self.plan.all || !still_fails || found.len() >= MOST_CAUSES {
                return Ok(Hunted::Found(found));
            }
            ground.now("looking for a further cause");
        }
    }

    /// One cause, with all that it needs in order to fail alone.
    fn cause(
        &self,
        ground: &mut impl Ground,
        number: usize,
        undone: &Carried,
    ) -> Result<Result<Cause, NotFound>, Abort> {
        let walk = Walk { sources: self.sources, plan: self.plan, undone, upon: &self.carried };
        let mut parts: Vec<Part> = Vec::new();
        let mut first: Option<(Pair, Narrowed)> = None;
        let mut end = None;
        let mut alone = None;
        while parts.len() < MOST_PARTS {
            let name = Round { cause: number, part: parts.len(), leg: None };
            let pair = match walk.first_bad(ground, name, &parts, end)? {
                Ok(pair) => pair,
                Err((why, pair)) if parts.is_empty() => {
                    return Ok(Err(NotFound::Stopped { why, best: pair.map(|pair| Box::new((pair, None))) }));
                }
                Err((why, _)) => {
                    return Ok(Err(NotFound::Stopped {
                        why,
                        best: first.map(|(pair, best)| Box::new((pair, Some(best)))),
                    }));
                }
            };
            let below = Below {
                sources: self.sources,
                plan: self.plan,
                before: &parts,
                sought: None,
                complaint: &[],
            };
            let narrowed = match below.narrow(ground, name, &pair)? {
                Ok(Some(narrowed)) => narrowed,
                Ok(None) if parts.is_empty() => return Ok(Err(NotFound::Undecided(Box::new(pair)))),
                Ok(None) => break,
                Err((why, best)) if parts.is_empty() => {
                    return Ok(Err(NotFound::Stopped { why, best: Some(Box::new((pair, best))) }));
                }
                Err((why, _)) => {
                    return Ok(Err(NotFound::Stopped {
                        why,
                        best: first.map(|(pair, best)| Box::new((pair, Some(best)))),
                    }));
                }
            };
            let is_needed_only = matches!(&alone, Some(Seen::Outcome(Outcome::Unresolved)));
            end = pair.low_commit.filter(|low| walk.lies_between(*low));
            parts.push(Part {
                changes: Arc::clone(&narrowed.changes),
                chosen: narrowed.chosen.clone(),
                commit: if pair.suspects.len() > 1 { None } else { pair.commit },
                is_needed_only,
            });
            if first.is_none() {
                first = Some((pair, narrowed));
            }
            // Alone in the good version: otherwise something else that came before is needed too.
            let proof = match self.prove(ground, name, &parts, undone, Purpose::ConfirmAlone)? {
                Ok((proof, _)) => proof,
                Err(why) => {
                    return Ok(Err(NotFound::Stopped {
                        why,
                        best: first.map(|(pair, best)| Box::new((pair, Some(best)))),
                    }));
                }
            };
            let fails = proof.as_ref().is_some_and(|seen| seen.is(Outcome::Fail) == Some(true));
            let applies = matches!(proof, Some(Seen::Outcome(_)));
            alone = proof;
            if fails || !applies || end.is_none() {
                break;
            }
        }
        let Some((pair, narrowed)) = first else {
            return Err(Abort::Failure(
                crate::failure::Failure::wrong_use("nothing was searched").exit(crate::exit::Exit::Bug),
            ));
        };
        let mut is_minimal = narrowed.is_minimal;
        if parts.len() > 1 {
            let before = parts.len();
            match self.check_together(ground, number, &mut parts, alone.as_ref())? {
                Ok(minimal) => is_minimal = minimal,
                Err(why) => {
                    return Ok(Err(NotFound::Stopped { why, best: Some(Box::new((pair, Some(narrowed)))) }));
                }
            }
            if parts.len() < before {
                // What is left was not proven yet.
                let round = Round { cause: number, part: before + 1, leg: None };
                alone = match self.prove(ground, round, &parts, undone, Purpose::ConfirmAlone)? {
                    Ok((proof, _)) => proof,
                    Err(why) => {
                        return Ok(Err(NotFound::Stopped {
                            why,
                            best: Some(Box::new((pair, Some(narrowed)))),
                        }));
                    }
                };
            }
        }
        let round = Round { cause: number, part: parts.len(), leg: None };
        let (without, mended) = match self.prove(ground, round, &parts, undone, Purpose::ConfirmWithout)? {
            Ok(proof) => proof,
            Err(why) => {
                return Ok(Err(NotFound::Stopped { why, best: Some(Box::new((pair, Some(narrowed)))) }));
            }
        };
        Ok(Ok(Cause {
            is_minimal,
            unit: narrowed.unit,
            suspects: pair.suspects,
            proof: Proof { alone, without, mended },
            parts,
        }))
    }

    /// Sees whether each line of several parts is necessary. Each part was narrowed with those before it only.
    fn check_together(
        &self,
        ground: &mut impl Ground,
        number: usize,
        parts: &mut Vec<Part>,
        alone: Option<&Seen>,
    ) -> Result<Result<bool, Stop>, Abort> {
        let fails = alone.is_some_and(|seen| seen.is(Outcome::Fail) == Some(true));
        let carried = Carried(parts.iter().map(|part| part.carry(false)).collect());
        let (true, Ok(together)) = (fails, carried.onto(&self.sources.good)) else { return Ok(Ok(false)) };
        let changes = ChangeSet::by_lines(&self.sources.good.tree(), &together.tree());
        let Ok(changes) = changes.map(Arc::new) else { return Ok(Ok(false)) };
        let below =
            Below { sources: self.sources, plan: self.plan, before: &[], sought: None, complaint: &[] };
        let all =
            Narrowed { chosen: changes.all(), changes, unit: "line", is_minimal: false, opposite: None };
        let round = Round { cause: number, part: parts.len(), leg: None };
        let checked =
            match below.check_upon(ground, round, &self.sources.good, self.sources.good_commit, all)? {
                Ok(checked) => checked,
                Err((why, _)) => return Ok(Err(why)),
            };
        if checked.chosen.len() < checked.changes.len() as usize {
            let Narrowed { changes, chosen, .. } = checked;
            *parts = vec![Part { changes, chosen, commit: None, is_needed_only: false }];
        }
        Ok(Ok(checked.is_minimal))
    }

    /// Tests the good version with nothing but these parts, or the bad one without them.
    fn prove(
        &self,
        ground: &mut impl Ground,
        round: Round,
        parts: &[Part],
        undone: &Carried,
        purpose: Purpose,
    ) -> Result<Proven, Abort> {
        let (what, made) = match purpose {
            Purpose::ConfirmAlone => {
                let carried = Carried(parts.iter().map(|part| part.carry(false)).collect());
                ("the good version with it", carried.onto(&self.sources.good))
            }
            _ => {
                let carried = Carried(undone.0.iter().cloned().chain(undoing(parts)).collect());
                ("the bad version without it", carried.onto(&self.sources.bad))
            }
        };
        let candidate = match made {
            Ok(candidate) => candidate,
            Err(because) => {
                let why = match because {
                    Because::DidNotApply(why) => why,
                    other => other.to_string(),
                };
                return Ok(Ok((Some(Seen::DidNotApply(why)), None)));
            }
        };
        ground.now(&format!("confirming the answer: {what}"));
        let good = ("the good version".to_owned(), self.sources.good.clone(), self.sources.good_commit);
        let space: Arc<dyn Space> =
            Arc::new(Versions { candidates: vec![good, (what.to_owned(), candidate.clone(), None)] });
        let kind = if purpose == Purpose::ConfirmAlone { "alone" } else { "without" };
        let stage = Named { name: round.name(kind), search: "confirm", unit: "version" };
        let only = Configuration::empty().with_delta(DeltaId(0));
        let seen = match ground.check(&stage, &space, &[(purpose, only)])? {
            Ok(seen) => seen,
            Err(stop) => return Ok(Err(stop)),
        };
        let outcome = seen.first().map(|seen: &Observation| Seen::Outcome(seen.outcome));
        Ok(Ok((outcome, Some(candidate))))
    }
}

/// How parts are undone: the last one first, and none that is only there to let the others build.
pub(crate) fn undoing(parts: &[Part]) -> impl Iterator<Item = Carry> {
    parts.iter().rev().filter(|part| !part.is_needed_only).map(|part| part.carry(true))
}

/// Which cause is looked for, and which part of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Round {
    pub(crate) cause: usize,
    pub(crate) part: usize,
    /// The stretch of a way through history that something is looked for in, if it is no cause.
    pub(crate) leg: Option<Leg>,
}

/// A stretch of a way through history: `patch 2`, `forward 1`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub(crate) way: &'static str,
    pub(crate) number: usize,
}

impl Round {
    /// The name of a stage, which no other has.
    pub(crate) fn name(self, kind: &str) -> String {
        if let Some(Leg { way, number }) = self.leg {
            return format!("{way} {number}: {kind}");
        }
        match (self.cause, self.part) {
            (0, 0) => kind.to_owned(),
            (0, part) => format!("{kind}, part {}", part + 1),
            (cause, 0) => format!("{kind}, cause {}", cause + 1),
            (cause, part) => format!("{kind}, cause {}, part {}", cause + 1, part + 1),
        }
    }
}
