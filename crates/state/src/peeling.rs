//! Peeling: the few differences that spoil a transfer are found and left out.
//!
//! All differences together should do what the other run does. If they do something else, such as crash in `malloc`, some of
//! them do not fit the run that is altered: a table whose size another variable has, an object that was read wrongly. They
//! are found one after the other by halving, and left out, until the rest does what the other run does.
//!
//! To this search, a failure is what the other run does, a pass is what the altered run does by itself, and everything else
//! is unresolved: spoiled.

use howcome_dd::{Answer, Ask, Configuration, DeltaId, Outcome, Question, Search, Step};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// At most this number of differences is left out one by one.
const MOST_LEFT_OUT: usize = 24;
/// At most this number of tests is used for one transfer,
const MOST_TESTS: u32 = 120;
/// and this number for all transfers of a run.
const MOST_TESTS_OF_RUN: u32 = 480;
/// All differences, and all but those that spoiled other transfers.
const LEAST_TESTS: u32 = 2;
/// At most this number of differences is named as the smallest set that spoils a transfer.
const MOST_NAMED: usize = 3;
/// At most this number of further tests looks for that set.
const MOST_NAMING: u32 = 40;

/// What is left of the differences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Peeled {
    /// The differences that are left do what the other run does, without those that spoil it.
    Transferable { left: Configuration, spoilers: Vec<DeltaId> },
    /// Nothing does. These differences, the fewest that were found, spoil it; there are none if the differences change
    /// nothing.
    Spoiled(Vec<DeltaId>),
}

/// What the peelings of a run have found so far, and how many tests they can still use.
#[derive(Debug)]
pub struct PeelingRecord(Mutex<PeelingTally>);

#[derive(Debug)]
struct PeelingTally {
    /// The names of variables that spoiled a transfer. They most probably do so everywhere.
    spoilers: BTreeSet<String>,
    tests_left: u32,
}

impl Default for PeelingRecord {
    fn default() -> Self {
        Self(Mutex::new(PeelingTally { spoilers: BTreeSet::new(), tests_left: MOST_TESTS_OF_RUN }))
    }
}

impl PeelingRecord {
    pub(crate) fn is_spoiler(&self, variable: &str) -> bool {
        self.tally().spoilers.contains(variable)
    }

    pub(crate) fn add_spoilers(&self, variables: impl Iterator<Item = String>) {
        self.tally().spoilers.extend(variables);
    }

    /// How many tests the next peeling can use. To leave out what spoiled other transfers is always worth trying.
    pub(crate) fn tests_left(&self) -> u32 {
        let tally = self.tally();
        let least = if tally.spoilers.is_empty() { 0 } else { LEAST_TESTS };
        tally.tests_left.clamp(least, MOST_TESTS)
    }

    /// Counts the tests of a peeling.
    pub(crate) fn count(&self, tests: u64) {
        let mut tally = self.tally();
        tally.tests_left = tally.tests_left.saturating_sub(u32::try_from(tests).unwrap_or(u32::MAX));
    }

    fn tally(&self) -> std::sync::MutexGuard<'_, PeelingTally> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Searches for differences without which the others transfer what the other run does.
#[derive(Clone, Debug)]
pub(crate) struct Peel {
    all: Configuration,
    /// Differences that spoiled a transfer elsewhere.
    suspects: Configuration,
    /// What has not been left out.
    left: Configuration,
    left_out: Vec<DeltaId>,
    /// How many of those that were left out were only suspected.
    suspected: usize,
    /// The most differences that are known to transfer what the other run does.
    transferred: Option<Configuration>,
    /// A difference that spoils a transfer, and the differences that did not spoil it before it was added.
    first: Option<(DeltaId, Configuration)>,
    tests_left: u32,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    /// All of them together.
    All,
    /// All but the suspects.
    Trusted,
    /// Nothing spoils `low`, something spoils `high`.
    Halving {
        low: Configuration,
        high: Configuration,
    },
    /// What is left, after another one was left out.
    Rest {
        low: Configuration,
    },
    /// Do these spoil it by themselves? If not, `low` has another one that they need for that.
    Naming {
        named: Vec<DeltaId>,
        low: Configuration,
    },
    /// `named` with `low` does not spoil it, with `high` it does.
    Joining {
        named: Vec<DeltaId>,
        low: Configuration,
        high: Configuration,
    },
    Done(Peeled),
}

impl Peel {
    pub(crate) fn new(all: Configuration, suspects: Configuration, tests: u32) -> Self {
        Self {
            left: all.clone(),
            all,
            suspects,
            left_out: Vec::new(),
            suspected: 0,
            transferred: None,
            first: None,
            tests_left: tests,
            phase: Phase::All,
        }
    }

    /// Goes on until the next question is clear.
    fn settle(&mut self) {
        loop {
            let next = match &self.phase {
                Phase::Halving { low, high } => {
                    let between: Vec<DeltaId> = high.without(low).iter().collect();
                    if between.len() > 1 {
                        if self.tests_left == 0 { Some(self.give_up()) } else { None }
                    } else {
                        let low = low.clone();
                        Some(self.leave_out(&between, low))
                    }
                }
                Phase::Rest { .. } if self.tests_left == 0 => Some(self.give_up()),
                Phase::Joining { named, low, high } => {
                    let between: Vec<DeltaId> = high.without(low).iter().collect();
                    (between.len() <= 1).then(|| {
                        let named: Vec<DeltaId> = between.into_iter().chain(named.iter().copied()).collect();
                        Phase::Naming { named, low: low.clone() }
                    })
                }
                Phase::Naming { named, low } => {
                    (named.len() > MOST_NAMED || low.is_empty() || self.tests_left == 0)
                        .then(|| Phase::Done(Peeled::Spoiled(named.clone())))
                }
                _ => None,
            };
            match next {
                Some(phase) => self.phase = phase,
                None => return,
            }
        }
    }

    /// Leaves out a difference that spoils the transfer once `low` is applied.
    fn leave_out(&mut self, spoilers: &[DeltaId], low: Configuration) -> Phase {
        if let (None, Some(spoiler)) = (&self.first, spoilers.first()) {
            self.first = Some((*spoiler, low.clone()));
        }
        self.left_out.extend(spoilers);
        self.left = self.left.without(&spoilers.iter().copied().collect());
        match self.left.is_empty() || self.left_out.len() - self.suspected >= MOST_LEFT_OUT {
            true => self.give_up(),
            false => Phase::Rest { low },
        }
    }

    /// No more differences are left out. What is known to do what the other run does is used; otherwise the fewest
    /// differences that spoil the transfer are named.
    fn give_up(&mut self) -> Phase {
        match (self.transferred.take(), self.first.take()) {
            (Some(left), _) => Phase::Done(Peeled::Transferable { left, spoilers: self.left_out.clone() }),
            (None, Some((spoiler, low))) => {
                self.tests_left = MOST_NAMING;
                Phase::Naming { named: vec![spoiler], low }
            }
            (None, None) => Phase::Done(Peeled::Spoiled(self.left_out.clone())),
        }
    }

    fn after_all(&mut self, outcome: Outcome) -> Phase {
        match outcome {
            Outcome::Fail => {
                Phase::Done(Peeled::Transferable { left: self.all.clone(), spoilers: Vec::new() })
            }
            // If they change nothing, something is missing, and nothing spoils it.
            Outcome::Pass => Phase::Done(Peeled::Spoiled(Vec::new())),
            Outcome::Unresolved if !self.suspects.is_empty() && self.suspects.len() < self.all.len() => {
                Phase::Trusted
            }
            Outcome::Unresolved => self.halve(Configuration::empty()),
        }
    }

    fn after_trusted(&mut self, outcome: Outcome) -> Phase {
        let trusted = self.all.without(&self.suspects);
        let suspects: Vec<DeltaId> = self.suspects.iter().collect();
        match outcome {
            Outcome::Fail => Phase::Done(Peeled::Transferable { left: trusted, spoilers: suspects }),
            Outcome::Unresolved => {
                self.suspected = suspects.len();
                self.left_out.extend(suspects);
                self.left = trusted;
                self.halve(Configuration::empty())
            }
            Outcome::Pass => self.halve(Configuration::empty()),
        }
    }

    fn halve(&self, low: Configuration) -> Phase {
        Phase::Halving { low, high: self.left.clone() }
    }
}

/// A configuration in the middle between two others.
fn middle(low: &Configuration, high: &Configuration) -> Configuration {
    let between: Vec<DeltaId> = high.without(low).iter().collect();
    let half: Configuration = between[..between.len() / 2].iter().copied().collect();
    low.with(&half)
}

fn with_named(configuration: &Configuration, named: &[DeltaId]) -> Configuration {
    configuration.with(&named.iter().copied().collect())
}

impl Search for Peel {
    type Finding = Peeled;

    const SEES_UNRESOLVED: bool = true;

    fn ask(&self) -> Ask<Peeled> {
        let (configuration, step) = match &self.phase {
            Phase::All => (self.all.clone(), Step::Alone),
            Phase::Trusted => (self.all.without(&self.suspects), Step::Removal),
            Phase::Halving { low, high } => (middle(low, high), Step::Subset),
            Phase::Rest { .. } => (self.left.clone(), Step::Single),
            Phase::Naming { named, .. } => (named.iter().copied().collect(), Step::Alone),
            Phase::Joining { named, low, high } => (with_named(&middle(low, high), named), Step::Subset),
            Phase::Done(peeled) => return Ask::Done(peeled.clone()),
        };
        Ask::Test(Question::new(configuration, step))
    }

    fn tell(&mut self, answer: Answer) {
        let outcome = answer.outcome;
        self.tests_left = self.tests_left.saturating_sub(1);
        self.phase = match std::mem::replace(&mut self.phase, Phase::All) {
            Phase::All => self.after_all(outcome),
            Phase::Trusted => self.after_trusted(outcome),
            Phase::Halving { low, high } => {
                let middle = middle(&low, &high);
                match outcome {
                    Outcome::Unresolved => Phase::Halving { low, high: middle },
                    outcome => {
                        if outcome == Outcome::Fail {
                            self.transferred = Some(middle.clone());
                        }
                        Phase::Halving { low: middle, high }
                    }
                }
            }
            Phase::Rest { low } => match outcome {
                Outcome::Fail => Phase::Done(Peeled::Transferable {
                    left: self.left.clone(),
                    spoilers: self.left_out.clone(),
                }),
                Outcome::Pass => self.give_up(),
                Outcome::Unresolved => self.halve(low),
            },
            Phase::Naming { named, low } => match outcome {
                Outcome::Unresolved => Phase::Done(Peeled::Spoiled(named)),
                _ => Phase::Joining { named, low: Configuration::empty(), high: low },
            },
            Phase::Joining { named, low, high } => {
                let middle = middle(&low, &high);
                match outcome {
                    Outcome::Unresolved => Phase::Joining { named, low, high: middle },
                    _ => Phase::Joining { named, low: middle, high },
                }
            }
            done @ Phase::Done(_) => done,
        };
        self.settle();
    }

    fn best_so_far(&self) -> &Configuration {
        self.transferred.as_ref().unwrap_or(&self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(numbers: &[u32]) -> Configuration {
        numbers.iter().map(|number| DeltaId(*number)).collect()
    }

    /// A world in which each of the sets of spoilers spoils, and all of the causes together transfer.
    fn world(spoilers: &[&[u32]], causes: &[u32]) -> impl Fn(&Configuration) -> Outcome {
        let spoilers: Vec<Configuration> = spoilers.iter().map(|spoilers| set(spoilers)).collect();
        let causes = set(causes);
        move |tried| {
            let has = |wanted: &Configuration| wanted.iter().all(|delta| tried.contains(delta));
            if spoilers.iter().any(has) {
                Outcome::Unresolved
            } else if has(&causes) {
                Outcome::Fail
            } else {
                Outcome::Pass
            }
        }
    }

    fn search(mut peel: Peel, world: impl Fn(&Configuration) -> Outcome) -> (Peeled, u32) {
        let mut tests = 0;
        loop {
            match peel.ask() {
                Ask::Done(peeled) => return (peeled, tests),
                Ask::Test(question) => {
                    tests += 1;
                    peel.tell(world(&question.configuration).into());
                }
            }
        }
    }

    fn peel(deltas: u32, world: impl Fn(&Configuration) -> Outcome) -> Peeled {
        search(Peel::new(Configuration::all(deltas), Configuration::empty(), 1000), world).0
    }

    #[test]
    fn a_cause_that_spoils_cannot_be_left_out_and_is_named() {
        assert_eq!(peel(20, world(&[&[7]], &[7])), Peeled::Spoiled(vec![DeltaId(7)]));
    }

    #[test]
    fn nothing_spoils_a_transfer_that_changes_nothing() {
        assert_eq!(peel(3, world(&[], &[9])), Peeled::Spoiled(Vec::new()));
    }

    #[test]
    fn the_smallest_set_that_spoils_is_named() {
        let peeled = peel(40, world(&[&[4, 21]], &[4, 21]));
        assert_eq!(peeled, Peeled::Spoiled(vec![DeltaId(4), DeltaId(21)]));
    }

    #[test]
    fn what_spoiled_elsewhere_is_tried_first() {
        let all = Configuration::all(20);
        let suspected = Peel::new(all.clone(), set(&[3, 5]), 100);
        let (peeled, tests) = search(suspected, world(&[&[3], &[5]], &[9]));
        let spoilers = vec![DeltaId(3), DeltaId(5)];
        assert_eq!(peeled, Peeled::Transferable { left: all.without(&set(&[3, 5])), spoilers });
        assert_eq!(tests, 2, "all of them, and all but these");
    }

    #[test]
    fn if_the_tests_are_used_up_what_is_known_to_transfer_is_used() {
        let all = Configuration::all(64);
        let (peeled, tests) =
            search(Peel::new(all, Configuration::empty(), 8), world(&[&[40], &[50], &[60]], &[3]));
        let Peeled::Transferable { left, .. } = peeled else { panic!("{peeled:?}") };
        assert!(left.contains(DeltaId(3)) && !left.contains(DeltaId(40)), "{left:?}");
        assert_eq!(tests, 8);
    }

    #[test]
    fn all_peelings_of_a_run_share_their_tests() {
        let record = PeelingRecord::default();
        assert_eq!(record.tests_left(), MOST_TESTS);
        record.count(u64::from(MOST_TESTS_OF_RUN) - 5);
        assert_eq!(record.tests_left(), 5);
        record.count(7);
        assert_eq!(record.tests_left(), 0);
        record.add_spoilers(std::iter::once("table".to_owned()));
        assert_eq!(record.tests_left(), 2, "what spoiled other transfers is still left out");
    }

    proptest! {
        #[test]
        fn only_the_differences_that_spoil_are_left_out(
            spoilers in proptest::collection::btree_set(0u32..300, 1..10),
            cause in 300u32..320,
        ) {
            let each: Vec<[u32; 1]> = spoilers.iter().map(|spoiler| [*spoiler]).collect();
            let each: Vec<&[u32]> = each.iter().map(|spoiler| &spoiler[..]).collect();
            let spoilers: Vec<DeltaId> = spoilers.into_iter().map(DeltaId).collect();
            let left = Configuration::all(320).without(&spoilers.iter().copied().collect());
            prop_assert_eq!(peel(320, world(&each, &[cause])), Peeled::Transferable { left, spoilers });
        }

        #[test]
        fn a_peeling_uses_no_more_tests_than_it_may(
            spoilers in proptest::collection::btree_set(0u32..100, 0..40),
            cause in 0u32..100,
            limit in 1u32..60,
        ) {
            let each: Vec<[u32; 1]> = spoilers.iter().map(|spoiler| [*spoiler]).collect();
            let each: Vec<&[u32]> = each.iter().map(|spoiler| &spoiler[..]).collect();
            let all = Peel::new(Configuration::all(100), Configuration::empty(), limit);
            let (_, tests) = search(all, world(&each, &[cause]));
            prop_assert!(tests <= limit + MOST_NAMING, "{} tests", tests);
        }
    }
}
