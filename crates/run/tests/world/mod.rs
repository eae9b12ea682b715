//! Random but reproducible worlds, and a driver for them.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "each test file uses a part of it")]

use howcome_dd::*;
use howcome_run::*;
use std::collections::HashMap;
use std::time::Duration;

/// Deltas that are just numbers.
pub struct Numbers(pub u32);

impl Subject for Numbers {
    fn deltas(&self) -> u32 {
        self.0
    }

    fn describe(&self, delta: DeltaId) -> String {
        delta.to_string()
    }

    fn content(&self, _configuration: &Configuration) -> Option<Content> {
        None
    }
}

/// A random number that depends only on the configuration and the seed.
pub fn dice(configuration: &Configuration, seed: u64) -> u64 {
    let fingerprint = configuration.fingerprint();
    let mut z =
        (fingerprint as u64) ^ ((fingerprint >> 64) as u64) ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A random outcome for each configuration, always the same for the same configuration.
#[derive(Clone, Copy)]
pub struct World {
    pub seed: u64,
    pub deltas: u32,
}

impl World {
    pub fn outcome(&self, configuration: &Configuration) -> Outcome {
        match dice(configuration, self.seed) % 10 {
            _ if configuration.is_empty() => Outcome::Pass,
            _ if configuration.len() == self.deltas as usize => Outcome::Fail,
            0..=2 => Outcome::Fail,
            3..=6 => Outcome::Pass,
            _ => Outcome::Unresolved,
        }
    }

    /// The outcome of one of several runs: those of the same configuration differ.
    pub fn outcome_of_run(&self, configuration: &Configuration, repeat: Option<u32>) -> Outcome {
        let Some(repeat) = repeat else { return self.outcome(configuration) };
        let rate = if configuration.contains(DeltaId(self.deltas / 3)) { 7 } else { 2 };
        match dice(configuration, self.seed + 1000 * u64::from(repeat)) % 10 {
            dice if dice < rate => Outcome::Fail,
            9 => Outcome::Unresolved,
            _ => Outcome::Pass,
        }
    }

    pub fn all(&self) -> Configuration {
        Configuration::all(self.deltas)
    }
}

pub fn observation(outcome: Outcome) -> Observation {
    let code = Outcome::ALL.iter().position(|known| *known == outcome).map_or(0, |code| code as i32);
    Observation::new(outcome, Because::Exit(code), Duration::from_millis(1))
}

/// The result of a stage.
pub struct Driven<F> {
    pub end: Result<F, Halt<Difference>>,
    pub entries: Vec<Entry>,
    pub executed: u64,
}

impl<F> Driven<F> {
    /// The answered questions in order: tested, predicted and remembered ones.
    pub fn trail(&self) -> Vec<(AnswerSource, Step, Outcome, u32, Option<Configuration>)> {
        let tested: HashMap<TestId, Configuration> = self
            .entries
            .iter()
            .filter_map(|entry| match entry {
                Entry::Observed { test, configuration, .. } => Some((*test, configuration.clone())),
                _ => None,
            })
            .collect();
        let step = |entry: &Entry| match entry {
            Entry::Told { how, test, configuration, step, outcome, left, .. } => {
                let asked =
                    configuration.clone().or_else(|| test.and_then(|test| tested.get(&test).cloned()));
                Some((*how, *step, *outcome, *left, asked))
            }
            _ => None,
        };
        self.entries.iter().filter_map(step).collect()
    }
}

/// A stage of [`Numbers`], as most tests need it.
pub fn stage(subject: &Numbers) -> Stage<'_> {
    Stage {
        subject,
        name: &StageName::Items,
        search: Algorithm::Balanced,
        unit: Unit::Item,
        knowledge: Knowledge::none(),
    }
}

pub fn fresh_driver(budget: Budget) -> Driver {
    Driver::new(Journal::in_memory(&[], Box::new(NoWatcher)), budget, &Recorded::default())
}

pub fn with_baseline(mut driver: Driver, deltas: u32) -> Driver {
    let sides = [
        (Purpose::BaselinePassing, Configuration::empty(), Outcome::Pass),
        (Purpose::BaselineFailing, Configuration::all(deltas), Outcome::Fail),
    ];
    for (purpose, configuration, outcome) in sides {
        driver.baseline(&StageName::Items, purpose, &configuration, None, observation(outcome)).unwrap();
    }
    driver
}

/// Drives a search in a world. `order` determines the order in which tests end.
pub fn drive_with<S: Search>(world: World, search: S, workers: usize, order: u64) -> Driven<S::Finding> {
    drive_in(world, search, (workers, order), false)
}

/// The same on a cluster that executes guesses only when they have become questions.
pub fn drive_without_guesses<S: Search>(
    world: World,
    search: S,
    workers: usize,
    order: u64,
) -> Driven<S::Finding> {
    drive_in(world, search, (workers, order), true)
}

fn drive_in<S: Search>(
    world: World,
    search: S,
    (workers, order): (usize, u64),
    holds_guesses: bool,
) -> Driven<S::Finding> {
    let mut executor = ScriptedExecutor::new(
        workers,
        |order: &TestOrder| observation(world.outcome_of_run(&order.configuration, order.repeat)),
        |configuration: &Configuration| 0.01 + (dice(configuration, order) % 1000) as f64,
    )
    .can_wait(order as usize % 3);
    if holds_guesses {
        executor = executor.holding_guesses();
    }
    let mut driver = with_baseline(fresh_driver(Budget::default()), world.deltas);
    let subject = Numbers(world.deltas);
    let end = driver.run(&mut executor, &stage(&subject), search, &mut |_| {});
    Driven { end, entries: driver.journal().unwritten().to_vec(), executed: executor.executed() }
}

/// Shows a visitor every search over a world. Every third delta starts a group.
pub fn visit_searches(world: World, visitor: &mut impl SearchVisitor) {
    let starts = (0..world.deltas).step_by(3);
    let groups: Vec<Configuration> =
        starts.map(|start| Configuration::from_run(start..(start + 3).min(world.deltas))).collect();
    visit_every_search(world.deltas, &groups, visitor);
}
