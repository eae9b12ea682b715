//! The property that carries the house: one trail and one finding, however many workers there are and whichever of them
//! is the fastest.

mod world;

use howcome_dd::*;
use howcome_run::*;
use world::{World, drive_with};

#[test]
fn the_trail_and_the_finding_are_the_same_for_any_number_of_workers_and_any_order_of_completion() {
    for seed in 0..30 {
        let world = World { seed, deltas: 2 + (seed % 29) as u32 };
        macro_rules! same_for_all_workers {
            ($name:expr, $search:expr) => {
                let one = drive_with(world, $search, 1, 0);
                for (workers, order) in [(2, 1), (3, 2), (3, 3), (8, 4), (8, 5), (64, 6), (64, 7)] {
                    let many = drive_with(world, $search, workers, order + 100 * seed);
                    assert_eq!(many.trail(), one.trail(), "{}, world {seed}, {workers} workers", $name);
                    assert_eq!(many.end, one.end, "{}, world {seed}, {workers} workers", $name);
                }
            };
        }
        for_each_search!(world, same_for_all_workers);
    }
}

#[test]
fn the_driver_asks_what_the_simplest_driver_asks() {
    for seed in 0..100 {
        let world = World { seed, deltas: 2 + (seed % 31) as u32 };
        macro_rules! as_the_simplest {
            ($name:expr, $search:expr) => {
                let simplest = drive($search, &world.all(), &Knowledge::none(), |c| world.outcome(c));
                let driven = drive_with(world, $search, 4, seed);
                let tested = driven.trail().into_iter().filter(|(how, ..)| *how == How::Tested);
                let told: Vec<_> = tested
                    .map(|(_, _, outcome, _, asked)| (asked.expect("tests say what they tested"), outcome))
                    .collect();
                assert_eq!(told, simplest.told, "{}, world {seed}", $name);
                assert_eq!(driven.end, StageEnd::Done(simplest.finding), "{}, world {seed}", $name);
            };
        }
        for_each_search!(world, as_the_simplest);
    }
}

#[test]
fn more_workers_never_run_a_configuration_twice() {
    for seed in 0..40 {
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
