//! The most important property of the driver: the same trail and the same finding for any number of workers, whichever
//! of them is the fastest.

#![allow(clippy::unwrap_used)]

mod world;

use howcome_dd::*;
use howcome_run::*;
use std::any::type_name;
use std::collections::HashMap;
use std::time::Duration;
use world::{World, drive_with, drive_without_guesses, visit_searches};

struct SameForAllWorkers(World);

impl SearchVisitor for SameForAllWorkers {
    fn visit<S: Search>(&mut self, search: S) {
        let World { seed, .. } = self.0;
        let one = drive_with(self.0, search.clone(), 1, 0);
        let most = if seed.is_multiple_of(3) { 200 } else { 64 };
        for (workers, order) in [(2, 1), (3, 2), (8, 3), (8, 4), (most, 5)] {
            let many = drive_with(self.0, search.clone(), workers, order + 100 * seed);
            let name = type_name::<S>();
            assert_eq!(many.trail(), one.trail(), "{name}, world {seed}, {workers} workers");
            assert_eq!(many.end, one.end, "{name}, world {seed}, {workers} workers");
        }
    }
}

#[test]
fn the_trail_and_the_finding_are_the_same_for_any_number_of_workers_and_any_order_of_completion() {
    for seed in 0..9 {
        let world = World { seed, deltas: 2 + (seed * 5 % 19) as u32 };
        visit_searches(world, &mut SameForAllWorkers(world));
    }
}

struct SameWithoutGuesses(World);

impl SearchVisitor for SameWithoutGuesses {
    fn visit<S: Search>(&mut self, search: S) {
        let one = drive_with(self.0, search.clone(), 1, 0);
        for (workers, order) in [(2, 1), (3, 2), (8, 3), (64, 4)] {
            let many = drive_without_guesses(self.0, search.clone(), workers, order);
            let name = type_name::<S>();
            assert_eq!(many.trail(), one.trail(), "{name}, world {}, {workers} workers", self.0.seed);
            assert_eq!(many.end, one.end, "{name}, world {}, {workers} workers", self.0.seed);
        }
    }
}

#[test]
fn a_search_never_waits_for_a_test_that_the_executor_takes_for_a_guess() {
    for seed in 0..4 {
        let world = World { seed, deltas: 3 + (seed * 5 % 19) as u32 };
        visit_searches(world, &mut SameWithoutGuesses(world));
    }
}

struct AsTheSimplestDriver(World);

impl SearchVisitor for AsTheSimplestDriver {
    fn visit<S: Search>(&mut self, search: S) {
        let (world, name) = (self.0, type_name::<S>());
        let is_of_runs = matches!(search.ask(), Ask::Test(Question { repeat: Some(_), .. }));
        let mut runs: HashMap<Configuration, u32> = HashMap::new();
        let simplest = drive(search.clone(), &world.all(), &Knowledge::none(), |configuration| {
            let runs = runs.entry(configuration.clone()).or_default();
            *runs += 1;
            world.outcome_of_run(configuration, is_of_runs.then_some(*runs - 1))
        });
        let driven = drive_with(world, search, 4, world.seed);
        let tested = driven.trail().into_iter().filter(|(how, ..)| *how == AnswerSource::Tested);
        let told: Vec<_> = tested
            .map(|(_, _, outcome, _, asked)| (asked.expect("tests say what they tested"), outcome))
            .collect();
        assert_eq!(told, simplest.told, "{name}, world {}", world.seed);
        assert_eq!(driven.end, Ok(simplest.finding), "{name}, world {}", world.seed);
    }
}

#[test]
fn the_driver_asks_the_same_questions_as_the_simplest_driver() {
    for seed in 0..howcome_testing::repeats(30, 400) as u64 {
        let world = World { seed, deltas: 2 + (seed % 31) as u32 };
        visit_searches(world, &mut AsTheSimplestDriver(world));
    }
}

/// Deltas of which some are equal, so that several configurations make the same candidate.
struct Alike(u32);

impl Subject for Alike {
    fn deltas(&self) -> u32 {
        self.0
    }

    fn describe(&self, delta: DeltaId) -> String {
        (delta.0 % 5).to_string()
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        let names: Vec<String> = configuration.iter().map(|delta| self.describe(delta)).collect();
        Some(Content::of(names.iter().map(|name| name.as_bytes())))
    }
}

impl Alike {
    /// A random outcome for each content, always the same for the same content.
    fn outcome(&self, configuration: &Configuration, seed: u64) -> Outcome {
        let content = self.content(configuration).map(|content| content.to_string()).unwrap_or_default();
        let dice = content.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        match dice % 7 {
            _ if configuration.is_empty() => Outcome::Pass,
            _ if configuration.len() == self.0 as usize => Outcome::Fail,
            0 | 1 => Outcome::Fail,
            2..5 => Outcome::Pass,
            _ => Outcome::Unresolved,
        }
    }

    /// The same, sometimes with a hint, which depends on the content too.
    fn observation(&self, configuration: &Configuration, seed: u64) -> Observation {
        let mut seen = world::observation(self.outcome(configuration, seed));
        if seen.outcome == Outcome::Unresolved {
            let delta = |i: usize| DeltaId((configuration.len() * i) as u32 % self.0);
            seen.hints = Hints::relations(vec![Relation::Needs(delta(3), delta(7))]);
        }
        seen
    }
}

#[test]
fn equal_contents_and_hints_and_timeouts_under_load_do_not_change_the_trail() {
    for seed in 0..60 {
        let subject = Alike(5 + (seed % 20) as u32);
        let all = Configuration::all(subject.0);
        let trail = |workers: usize, order: u64| {
            let run = |order: &TestOrder| match world::dice(&order.configuration, seed) % 4 {
                0 if !order.alone => Observation::new(Outcome::Unresolved, Because::TimedOut, Duration::ZERO),
                _ => world::observation(subject.outcome(&order.configuration, seed)),
            };
            let cost = |configuration: &Configuration| (world::dice(configuration, order) % 1000) as f64;
            let mut executor = ScriptedExecutor::new(workers, run, cost).can_wait(order as usize % 3);
            let mut driver = world::fresh_driver(Budget::default());
            let sides =
                [(Purpose::BaselinePassing, Configuration::empty()), (Purpose::BaselineFailing, all.clone())];
            for (purpose, side) in sides {
                let seen = subject.observation(&side, seed);
                driver.baseline(&StageName::Items, purpose, &side, subject.content(&side), seen).unwrap();
            }
            let stage = Stage {
                subject: &subject,
                name: &StageName::Items,
                search: Algorithm::Balanced,
                unit: Unit::Item,
                knowledge: Knowledge::none(),
            };
            let end = driver.run(&mut executor, &stage, Ddmin::new(all.clone()), &mut |_| {});
            let entries = driver.journal().unwritten().to_vec();
            let driven = world::Driven { end: end.clone(), entries, executed: executor.executed() };
            (driven.trail(), end)
        };
        let one = trail(1, 0);
        for (workers, order) in [(2, 1), (3, 2), (8, 3), (if seed.is_multiple_of(3) { 200 } else { 64 }, 4)] {
            assert_eq!(trail(workers, order + 10 * seed), one, "world {seed}, {workers} workers");
        }
    }
}

#[test]
fn no_configuration_is_run_twice_with_many_workers() {
    for seed in 0..howcome_testing::repeats(30, 400) as u64 {
        let world = World { seed, deltas: 25 };
        let driven = drive_with(world, Ddmin::new(world.all()), 16, seed);
        let mut seen = std::collections::HashSet::new();
        for entry in &driven.entries {
            if let Entry::Observed { configuration, .. } = entry {
                assert!(seen.insert(configuration.clone()), "{configuration} was run twice");
            }
        }
    }
}

/// A subject that rejects some configurations, each with a larger one that could be tried instead.
struct Picky(World);

impl Subject for Picky {
    fn deltas(&self) -> u32 {
        self.0.deltas
    }

    fn describe(&self, delta: DeltaId) -> String {
        delta.to_string()
    }

    fn content(&self, _: &Configuration) -> Option<Content> {
        None
    }

    fn rejects(&self, configuration: &Configuration) -> Option<Rejection> {
        let is_side = configuration.is_empty() || *configuration == self.0.all();
        let is_rejected = !is_side && world::dice(configuration, self.0.seed + 1).is_multiple_of(3);
        let repair = configuration.with_delta(DeltaId(configuration.len() as u32 % self.0.deltas));
        is_rejected.then(|| Rejection { why: "it is odd".to_owned(), hints: Hints::repairs(vec![repair]) })
    }
}

#[test]
fn rejected_configurations_are_predicted_and_never_run_for_any_number_of_workers() {
    for seed in 0..12 {
        let subject = Picky(World { seed, deltas: 3 + (seed % 17) as u32 });
        let drive = |workers: usize| {
            let run = |order: &TestOrder| {
                assert_eq!(subject.rejects(&order.configuration), None, "{}", order.configuration);
                world::observation(subject.0.outcome(&order.configuration))
            };
            let cost = |configuration: &Configuration| (world::dice(configuration, seed) % 1000) as f64;
            let mut executor = ScriptedExecutor::new(workers, run, cost).can_wait(seed as usize % 3);
            let mut driver = world::with_baseline(world::fresh_driver(Budget::default()), subject.0.deltas);
            let (name, search) = (&StageName::Items, Algorithm::Narrow);
            let stage =
                Stage { subject: &subject, name, search, unit: Unit::Item, knowledge: Knowledge::none() };
            let end = driver.run(&mut executor, &stage, Narrow::new(subject.0.all()), &mut |_| {});
            world::Driven {
                end,
                entries: driver.journal().unwritten().to_vec(),
                executed: executor.executed(),
            }
        };
        let one = drive(1);
        for entry in &one.entries {
            if let Entry::Told { how, because, .. } = entry {
                let reason = Because::DidNotApply("it is odd".to_owned());
                let is_explained = because.as_ref().is_none_or(|because| *because == reason);
                assert!(is_explained && because.is_some() <= (*how != AnswerSource::Tested), "{entry:?}");
            }
        }
        for (how, _, outcome, _, asked) in one.trail() {
            let rejection = subject.rejects(&asked.unwrap());
            assert_eq!(how == AnswerSource::Predicted, rejection.is_some(), "world {seed}");
            assert!(rejection.is_none() || outcome == Outcome::Unresolved, "world {seed}");
        }
        for workers in [2, 8, 200] {
            let many = drive(workers);
            assert_eq!(many.trail(), one.trail(), "world {seed}, {workers} workers");
            assert_eq!(many.end, one.end, "world {seed}, {workers} workers");
        }
    }
}
