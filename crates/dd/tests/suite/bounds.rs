//! How many tests a search may take.

use crate::conversation::converse;
use crate::random::{Random, cases};
use crate::world::{World, any_world, needed_of, set};
use howcome_dd::{Balanced, Configuration, Dd, Ddmin, Difference, Isolate, Outcome, RemovalOrder, Search};
use proptest::prelude::*;

fn square(world: &World) -> usize {
    let size = world.size as usize;
    size * size + 3 * size
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn dd_takes_2_c_minus_2_tests_at_most_in_any_world(world in any_world(1..=8)) {
        let told = converse(Dd::new(world.all()), &world.all(), |asked| world.test(asked)).told;
        prop_assert!(told.len() <= 2 * world.size as usize - 2);
    }

    #[test]
    fn dd_takes_2_m_log2_c_tests_at_most_where_the_world_is_in_order((size, needed) in needed_of(2..=12)) {
        let world = World::needing(size, needed);
        let conversation = converse(Dd::new(world.all()), &world.all(), |asked| world.test(asked));
        let log2 = size.next_power_of_two().trailing_zeros();
        prop_assert!(conversation.told.len() as u32 <= 2 * needed.count_ones() * log2);
        prop_assert_eq!(conversation.finding.failing, set(needed));
    }

    #[test]
    fn ddmin_takes_no_more_than_a_square_of_tests_in_any_world(world in any_world(1..=8)) {
        let told = converse(Ddmin::new(world.all()), &world.all(), |asked| world.test(asked)).told;
        prop_assert!(told.len() <= square(&world));
    }

    #[test]
    fn isolate_takes_no_more_than_a_square_of_tests_in_any_world(world in any_world(1..=8)) {
        let isolate = Isolate::new(Configuration::empty(), world.all());
        let told = converse(isolate, &world.all(), |asked| world.test(asked)).told;
        prop_assert!(told.len() <= square(&world));
    }

    #[test]
    fn balanced_takes_no_more_than_a_square_of_tests_in_any_world(world in any_world(1..=8)) {
        for direction in [RemovalOrder::Backward, RemovalOrder::Forward] {
            let balanced = Balanced::walking(world.all(), direction);
            let told = converse(balanced, &world.all(), |asked| world.test(asked)).told;
            prop_assert!(told.len() <= square(&world));
        }
    }
}

fn holds_to_the_square(
    search: impl Search<Finding = Difference>,
    size: u32,
    test: impl Fn(&Configuration) -> Outcome,
) {
    let told = converse(search, &Configuration::all(size), test).told;
    assert!(told.len() <= (size * size + 3 * size) as usize, "{size} deltas took {} tests", told.len());
}

fn outcome(fails: bool) -> Outcome {
    if fails { Outcome::Fail } else { Outcome::Pass }
}

#[test]
fn no_more_than_a_square_of_tests_where_only_the_delta_at_one_end_can_go() {
    for size in [2, 3, 10, 40, 150] {
        let all = Configuration::all(size);
        for direction in [RemovalOrder::Backward, RemovalOrder::Forward] {
            holds_to_the_square(Balanced::walking(all.clone(), direction), size, |asked| {
                outcome(asked.last().is_some_and(|last| last.index() + 1 == asked.len()))
            });
        }
        // All but a few of the first deltas, so that each one that goes lets only one more go.
        holds_to_the_square(Ddmin::new(all.clone()), size, |asked| {
            outcome(asked.runs().count() == 1 && asked.last().is_some_and(|last| last.0 + 1 == size))
        });
    }
}

#[test]
fn no_more_than_a_square_of_tests_where_chance_decides_what_can_go() {
    for seed in 0..60 {
        let (size, rarely) = (20 + (seed as u32 % 3) * 10, 5 + seed % 40);
        let all = Configuration::all(size);
        let test = |asked: &Configuration| {
            let fails = Random(seed ^ asked.fingerprint() as u64).word().is_multiple_of(rarely);
            outcome(!asked.is_empty() && fails)
        };
        holds_to_the_square(Balanced::new(all.clone()), size, test);
        holds_to_the_square(Balanced::walking(all.clone(), RemovalOrder::Forward), size, test);
        holds_to_the_square(Ddmin::new(all.clone()), size, test);
    }
}

#[test]
fn a_walk_in_the_wrong_direction_does_not_cost_a_square() {
    // Each delta needs all earlier ones, so the first walk from the start can take away the last one only.
    let (size, all) = (400, Configuration::all(400));
    let told = converse(Balanced::walking(all.clone(), RemovalOrder::Forward), &all, |asked| {
        outcome(asked.last().is_some_and(|last| last.index() + 1 == asked.len() && last.0 >= 3))
    })
    .told;
    assert!(told.len() <= 2 * size, "{} tests", told.len());
}
