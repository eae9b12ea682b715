//! Tests that confirm an answer start before the answer is certain, if tests do not disturb each other. That changes nothing but the time.

#![allow(clippy::unwrap_used)]

mod world;

use howcome_dd::*;
use howcome_run::*;
use std::collections::HashMap;
use std::time::Duration;
use world::{Numbers, fresh_driver, observation, stage, with_baseline};

const DELTAS: u32 = 40;

/// What an investigation showed.
struct Investigation {
    found: Configuration,
    proofs: Vec<Observation>,
    entries: Vec<Entry>,
    clock: f64,
    has_idle_executor: bool,
}

/// How tests run at the same time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Together {
    /// They can disturb each other.
    Beside,
    /// Each has a machine for itself.
    Apart,
    /// The same, and a guess is executed only when somebody waits for it.
    Held,
}
use Together::{Apart, Beside, Held};

fn investigate(
    workers: usize,
    together: Together,
    test: impl Fn(&TestOrder, Outcome) -> Observation,
) -> Investigation {
    let needed: Configuration = "7,31".parse().unwrap();
    let run = |order: &TestOrder| {
        let fails = needed.is_subset(&order.configuration);
        test(order, if fails { Outcome::Fail } else { Outcome::Pass })
    };
    let mut executor = ScriptedExecutor::new(workers, run, |_: &Configuration| 1.0);
    if together != Beside {
        executor = executor.running_apart();
    }
    if together == Held {
        executor = executor.holding_guesses();
    }
    let mut driver = with_baseline(fresh_driver(Budget::default()), DELTAS);
    let (subject, all) = (Numbers(DELTAS), Configuration::all(DELTAS));
    let proofs_of = {
        let all = all.clone();
        move |found: &Difference| {
            let alone = found.deltas();
            let without = all.without(&alone);
            vec![(Purpose::ConfirmAlone, alone), (Purpose::ConfirmWithout, without)]
        }
    };
    driver.foresee_proofs(proofs_of.clone());
    let found = driver.run(&mut executor, &stage(&subject), Balanced::new(all), &mut |_| {}).unwrap();
    let checks = proofs_of(&found);
    driver.confirm_soon(&mut executor, &StageName::Items, &checks).unwrap();
    let proofs = checks
        .iter()
        .map(|(purpose, side)| {
            driver.confirm(&mut executor, &StageName::Items, *purpose, side, None).unwrap()
        })
        .collect();
    let (entries, clock) = (driver.journal().unwritten().to_vec(), executor.clock());
    // The executor has nothing to wait for.
    let has_idle_executor = executor.wait(None) == Event::Interrupted;
    Investigation { found: found.failing, proofs, entries, clock, has_idle_executor }
}

fn trail(entries: &[Entry]) -> Vec<(AnswerSource, Step, Outcome, u32)> {
    let step = |entry: &Entry| match entry {
        Entry::Told { how, step, outcome, left, .. } => Some((*how, *step, *outcome, *left)),
        _ => None,
    };
    entries.iter().filter_map(step).collect()
}

#[test]
fn proofs_that_start_early_save_time_and_change_no_answer() {
    let judge = |_: &TestOrder, outcome| observation(outcome);
    let one = investigate(1, Beside, judge);
    for workers in [2, 8, 64, 200] {
        let [beside, apart, held] =
            [Beside, Apart, Held].map(|together| investigate(workers, together, judge));
        for other in [&beside, &apart, &held] {
            assert_eq!(other.found, one.found, "{workers} workers");
            assert_eq!(trail(&other.entries), trail(&one.entries), "{workers} workers");
            let outcomes: Vec<Outcome> = other.proofs.iter().map(|proof| proof.outcome).collect();
            assert_eq!(outcomes, [Outcome::Fail, Outcome::Pass]);
            assert!(other.has_idle_executor, "{workers} workers");
        }
        let clocks = (apart.clock, beside.clock);
        // Two workers are busy with questions.
        assert!(
            clocks.0 < clocks.1 || (workers == 2 && clocks.0 <= clocks.1),
            "{workers} workers: {clocks:?}"
        );
    }
}

#[test]
fn only_proofs_of_the_answer_are_recorded() {
    let seen = investigate(200, Apart, |_, outcome| observation(outcome));
    let mut purposes: HashMap<Purpose, Vec<Configuration>> = HashMap::new();
    for entry in &seen.entries {
        if let Entry::Observed { purpose, configuration, .. } = entry {
            purposes.entry(*purpose).or_default().push(configuration.clone());
        }
    }
    let all = Configuration::all(DELTAS);
    assert_eq!(purposes[&Purpose::ConfirmAlone], std::slice::from_ref(&seen.found));
    assert_eq!(purposes[&Purpose::ConfirmWithout], [all.without(&seen.found)]);
}

#[test]
fn a_proof_that_started_early_and_does_not_hold_is_repeated_alone() {
    let seen = investigate(64, Apart, |order, outcome| match order.from_scratch && !order.alone {
        true => Observation::new(Outcome::Unresolved, Because::TimedOut, Duration::from_secs(5)),
        false => observation(outcome),
    });
    assert!(seen.proofs.iter().all(|proof| proof.alone), "{:?}", seen.proofs);
    let outcomes: Vec<Outcome> = seen.proofs.iter().map(|proof| proof.outcome).collect();
    assert_eq!(outcomes, [Outcome::Fail, Outcome::Pass]);
}
