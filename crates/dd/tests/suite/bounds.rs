//! Upper bounds for the number of tests.

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
    fn dd_takes_at_most_2_c_minus_2_tests_in_any_world(world in any_world(1..=8)) {
        let told = converse(Dd::new(world.all()), &world.all(), |asked| world.test(asked)).told;
        prop_assert!(told.len() <= 2 * world.size as usize - 2);
    }

    #[test]
    fn dd_takes_at_most_2_m_log2_c_tests_in_a_monotone_unambiguous_world((size, needed) in needed_of(2..=12)) {
        let world = World::needing(size, needed);
        let conversation = converse(Dd::new(world.all()), &world.all(), |asked| world.test(asked));
        let log2 = size.next_power_of_two().trailing_zeros();
        prop_assert!(conversation.told.len() as u32 <= 2 * needed.count_ones() * log2);
        prop_assert_eq!(conversation.finding.failing, set(needed));
    }

    #[test]
    fn ddmin_takes_at_most_quadratically_many_tests_in_any_world(world in any_world(1..=8)) {
        let told = converse(Ddmin::new(world.all()), &world.all(), |asked| world.test(asked)).told;
        prop_assert!(told.len() <= square(&world));
    }

    #[test]
    fn isolate_takes_at_most_quadratically_many_tests_in_any_world(world in any_world(1..=8)) {
        let isolate = Isolate::new(Configuration::empty(), world.all());
        let told = converse(isolate, &world.all(), |asked| world.test(asked)).told;
        prop_assert!(told.len() <= square(&world));
    }

    #[test]
    fn balanced_takes_at_most_quadratically_many_tests_in_any_world(world in any_world(1..=8)) {
        for direction in [RemovalOrder::Backward, RemovalOrder::Forward] {
            let balanced = Balanced::walking(world.all(), direction);
            let told = converse(balanced, &world.all(), |asked| world.test(asked)).told;
            prop_assert!(told.len() <= square(&world));
        }
    }
}

fn assert_quadratic(
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
fn at_most_quadratically_many_tests_if_only_the_delta_at_one_end_can_go() {
    for size in [2, 3, 10, 40, 150] {
        let all = Configuration::all(size);
        for direction in [RemovalOrder::Backward, RemovalOrder::Forward] {
            assert_quadratic(Balanced::walking(all.clone(), direction), size, |asked| {
                outcome(asked.last().is_some_and(|last| last.index() + 1 == asked.len()))
            });
        }
        // It fails with the last deltas in one run, so each delta that goes lets only one more go.
        assert_quadratic(Ddmin::new(all.clone()), size, |asked| {
            outcome(asked.runs().count() == 1 && asked.last().is_some_and(|last| last.0 + 1 == size))
        });
    }
}

#[test]
fn at_most_quadratically_many_tests_if_outcomes_are_random() {
    for seed in 0..60 {
        let (size, rarely) = (20 + (seed as u32 % 3) * 10, 5 + seed % 40);
        let all = Configuration::all(size);
        let test = |asked: &Configuration| {
            let fails = Random(seed ^ asked.fingerprint() as u64).word().is_multiple_of(rarely);
            outcome(!asked.is_empty() && fails)
        };
        assert_quadratic(Balanced::new(all.clone()), size, test);
        assert_quadratic(Balanced::walking(all.clone(), RemovalOrder::Forward), size, test);
        assert_quadratic(Ddmin::new(all.clone()), size, test);
    }
}

#[test]
fn a_walk_in_the_wrong_order_takes_linearly_many_tests() {
    // Each delta needs all earlier deltas, so the first walk from the start can remove only the last one.
    let (size, all) = (400, Configuration::all(400));
    let told = converse(Balanced::walking(all.clone(), RemovalOrder::Forward), &all, |asked| {
        outcome(asked.last().is_some_and(|last| last.index() + 1 == asked.len() && last.0 >= 3))
    })
    .told;
    assert!(told.len() <= 2 * size, "{} tests", told.len());
}
