//! Idle workers run tests that later stages will probably ask for. That changes nothing but the time.

#![allow(clippy::unwrap_used)]

mod world;

use howcome_dd::*;
use howcome_run::*;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use world::{dice, fresh_driver, observation};

const DELTAS: u32 = 24;
const STAGES: u32 = 5;

/// Deltas of one stage. Its candidates are those of no other stage.
struct Turn(u32);

impl Turn {
    fn name(&self) -> StageName {
        StageName::Other(format!("turn {}", self.0))
    }

    fn needed(&self) -> Configuration {
        [DeltaId(self.0), DeltaId(DELTAS - 1 - 2 * self.0)].into_iter().collect()
    }

    fn search(&self) -> Balanced {
        Balanced::new(Configuration::all(DELTAS))
    }
}

impl Subject for Turn {
    fn deltas(&self) -> u32 {
        DELTAS
    }

    fn describe(&self, delta: DeltaId) -> String {
        delta.to_string()
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        let text = format!("{} {configuration}", self.0);
        Some(Content::of([text.as_bytes()]))
    }
}

/// How much of what is foreseen comes true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Foreseeing {
    Nothing,
    /// The first questions of the next stage, and the proof of this one.
    Right,
    /// Questions that nobody asks, or that are asked by another stage.
    Wrong,
}

fn foresight(turn: u32, foreseeing: Foreseeing) -> Foresight {
    Box::new(move |number, known| {
        let next = Turn(turn + 1);
        let subject = Turn(if foreseeing == Foreseeing::Right { turn + 1 } else { turn + 77 });
        let test = |(configuration, chance): (Configuration, f64)| LaterTest {
            stage: next.name(),
            content: subject.content(&configuration).unwrap(),
            configuration,
            is_proof: false,
            chance: chance * 0.9,
            experiment: Arc::new(turn + 1),
        };
        let mut tests: Vec<_> =
            first_questions(&next.search(), &subject, number, known).into_iter().map(test).collect();
        let found = if foreseeing == Foreseeing::Right { Turn(turn).needed() } else { next.needed() };
        tests.insert(
            0,
            LaterTest {
                stage: Turn(turn).name(),
                content: Turn(turn).content(&found).unwrap(),
                configuration: found,
                is_proof: true,
                chance: 0.9,
                experiment: Arc::new(turn),
            },
        );
        tests.truncate(number);
        tests
    })
}

struct Procedure {
    entries: Vec<Entry>,
    found: Vec<Configuration>,
    proofs: Vec<Outcome>,
    clock: f64,
    executed: u64,
    has_idle_executor: bool,
}

fn procedure(workers: usize, foreseeing: Foreseeing, order: u64, odd: Option<Because>) -> Procedure {
    let present = std::cell::Cell::new(0);
    let test = |order: &TestOrder| {
        let later = order.experiment.as_ref().map(|turn| *turn.downcast_ref::<u32>().unwrap());
        let turn = Turn(later.unwrap_or(present.get()));
        let fails = turn.needed().is_subset(&order.configuration);
        match &odd {
            // A test beside others ends in another way than alone.
            Some(because) if later.is_some() && dice(&order.configuration, 5).is_multiple_of(2) => {
                Observation::new(Outcome::Unresolved, because.clone(), Duration::from_secs(1))
            }
            _ => observation(if fails { Outcome::Fail } else { Outcome::Pass }),
        }
    };
    let cost = |configuration: &Configuration| {
        1.0 + (order != 0) as u64 as f64 * (dice(configuration, order) % 9) as f64
    };
    let mut executor = ScriptedExecutor::new(workers, test, cost).running_apart();
    if order % 2 == 1 {
        executor = executor.holding_guesses();
    }
    let mut driver = fresh_driver(Budget::default());
    let (mut found, mut proofs) = (Vec::new(), Vec::new());
    for turn in 0..STAGES {
        present.set(turn);
        let subject = Turn(turn);
        let name = subject.name();
        let stage = Stage {
            subject: &subject,
            name: &name,
            search: Algorithm::Balanced,
            unit: Unit::Item,
            knowledge: Knowledge::none(),
        };
        if foreseeing != Foreseeing::Nothing {
            driver.foresee(Some(foresight(turn, foreseeing)));
        }
        let answer = driver.run(&mut executor, &stage, subject.search(), &mut |_| {}).unwrap().failing;
        let content = subject.content(&answer);
        let seen = driver.confirm(&mut executor, &name, Purpose::ConfirmAlone, &answer, content).unwrap();
        proofs.push(seen.outcome);
        found.push(answer);
    }
    driver.end_later(&mut executor).unwrap();
    let entries = driver.journal().unwritten().to_vec();
    let (clock, executed) = (executor.clock(), executor.executed());
    let has_idle_executor = executor.wait(None) == Event::Interrupted;
    Procedure { entries, found, proofs, clock, executed, has_idle_executor }
}

/// Everything that is told, but for the numbers of tests.
fn trail(procedure: &Procedure) -> Vec<String> {
    let step = |entry: &Entry| match entry {
        Entry::Told { how, configuration, step, outcome, left, .. } => {
            Some(format!("{how:?} {configuration:?} {step:?} {outcome:?} {left}"))
        }
        Entry::Stage { subject, .. } => Some(format!("{subject:?}")),
        _ => None,
    };
    procedure.entries.iter().filter_map(step).collect()
}

#[test]
fn tests_of_later_stages_save_time_and_change_no_answer() {
    let one = procedure(1, Foreseeing::Nothing, 0, None);
    for workers in [2, 8, 64, 200] {
        let alone = procedure(workers, Foreseeing::Nothing, 0, None);
        for foreseeing in [Foreseeing::Right, Foreseeing::Wrong] {
            for order in 0..6 {
                let other = procedure(workers, foreseeing, order, None);
                let what = format!("{workers} workers, {foreseeing:?}, order {order}");
                assert_eq!(trail(&other), trail(&one), "{what}");
                assert_eq!((&other.found, &other.proofs), (&one.found, &one.proofs), "{what}");
                assert!(other.has_idle_executor, "{what}");
            }
        }
        let right = procedure(workers, Foreseeing::Right, 0, None);
        let clocks = (right.clock, alone.clock);
        assert!(clocks.0 < clocks.1 || workers == 2 && clocks.0 <= clocks.1, "{workers} workers: {clocks:?}");
    }
}

#[test]
fn only_tests_that_are_asked_for_are_recorded() {
    for foreseeing in [Foreseeing::Right, Foreseeing::Wrong] {
        let many = procedure(64, foreseeing, 0, None);
        let (mut observed, mut cancelled) = (HashSet::new(), HashSet::new());
        for entry in &many.entries {
            match entry {
                Entry::Observed { test, .. } => assert!(observed.insert(*test), "{entry:?}"),
                Entry::Cancelled { test, .. } => assert!(cancelled.insert(*test), "{entry:?}"),
                _ => {}
            }
        }
        assert!(observed.is_disjoint(&cancelled), "a test is either used or cancelled");
        assert!(many.executed <= (observed.len() + cancelled.len()) as u64, "{foreseeing:?}");
    }
}

#[test]
fn a_test_of_a_later_stage_that_shows_nothing_is_repeated() {
    let one = procedure(1, Foreseeing::Nothing, 0, None);
    for because in [Because::TimedOut, Because::Broken("the worker is ill".to_owned())] {
        let other = procedure(64, Foreseeing::Right, 0, Some(because.clone()));
        assert_eq!(trail(&other), trail(&one), "{because:?}");
        assert_eq!((other.found, other.proofs), (one.found.clone(), one.proofs.clone()), "{because:?}");
    }
}
