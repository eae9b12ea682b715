//! The findings of simplifiers and of isolation are 1-minimal in any world.

use crate::conversation::converse;
use crate::random::cases;
use crate::world::{World, any_world, bits, groups_of, members, set};
use howcome_dd::{
    Balanced, Configuration, Confirm, Ddmin, Difference, Isolate, IsolateInOrder, Outcome, RemovalOrder,
    Search, Split,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// The finding of a simplifier as bits.
fn simplified(search: impl Search<Finding = Difference>, world: &World) -> u32 {
    let finding = converse(search, &world.all(), |asked| world.test(asked)).finding;
    assert!(finding.passing.is_empty());
    bits(&finding.failing)
}

fn assert_minimal(found: u32, world: &World) {
    assert_eq!(world.of(found), Outcome::Fail, "{:?} does not fail", set(found));
    for delta in members(found) {
        let without = found ^ 1 << delta;
        assert_ne!(world.of(without), Outcome::Fail, "{:?} fails without {}", set(found), delta + 1);
    }
}

/// 1-minimal from both sides: if more than one delta is left, to add or remove a single one is unresolved.
fn assert_isolated(finding: &Difference, world: &World) {
    let (passing, failing) = (bits(&finding.passing), bits(&finding.failing));
    assert_eq!(passing & !failing, 0);
    assert_eq!(world.of(passing), Outcome::Pass);
    assert_eq!(world.of(failing), Outcome::Fail);
    let difference = failing ^ passing;
    assert_ne!(difference, 0);
    if difference.count_ones() > 1 {
        for delta in members(difference) {
            assert_eq!(world.of(passing | 1 << delta), Outcome::Unresolved);
            assert_eq!(world.of(failing ^ 1 << delta), Outcome::Unresolved);
        }
    }
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn ddmin_is_1_minimal_in_any_world(world in any_world(1..=8), labels in vec(0..5u8, 8)) {
        assert_minimal(simplified(Ddmin::new(world.all()), &world), &world);
        let split = Split::along(groups_of(world.size, &labels));
        assert_minimal(simplified(Ddmin::with_split(world.all(), split), &world), &world);
    }

    #[test]
    fn balanced_is_1_minimal_in_any_world_in_both_orders(world in any_world(1..=8)) {
        for direction in [RemovalOrder::Backward, RemovalOrder::Forward] {
            assert_minimal(simplified(Balanced::walking(world.all(), direction), &world), &world);
        }
    }

    #[test]
    fn isolate_is_1_minimal_in_any_world(world in any_world(1..=8), labels in vec(0..5u8, 8)) {
        let isolate = Isolate::new(Configuration::empty(), world.all());
        let finding = converse(isolate, &world.all(), |asked| world.test(asked)).finding;
        assert_isolated(&finding, &world);
        let split = Split::along(groups_of(world.size, &labels));
        let isolate = Isolate::with_split(Configuration::empty(), world.all(), split);
        let finding = converse(isolate, &world.all(), |asked| world.test(asked)).finding;
        assert_isolated(&finding, &world);
    }

    #[test]
    fn isolate_in_order_is_1_minimal_in_any_world(world in any_world(1..=8), labels in vec(0..4u8, 8)) {
        let of_kind = |kind| (1..world.size).filter(|at| labels[*at as usize] == kind).collect();
        let grow = IsolateInOrder::new(world.size, (0..3).map(of_kind).collect());
        let finding = converse(grow, &world.all(), |asked| world.test(asked)).finding;
        assert_isolated(&finding, &world);
    }

    #[test]
    fn isolate_starts_from_any_passing_and_failing_pair(
        world in any_world(2..=8),
        passing in any::<u32>(),
        failing in any::<u32>(),
    ) {
        let failing = failing & ((1 << world.size) - 1);
        let passing = passing & failing;
        prop_assume!(passing != failing);
        let world = world.but(passing, Outcome::Pass).but(failing, Outcome::Fail);
        let isolate = Isolate::new(set(passing), set(failing));
        let conversation = converse(isolate, &world.all(), |asked| world.test(asked));
        assert_isolated(&conversation.finding, &world);
        prop_assert!(set(passing).is_subset(&conversation.finding.passing));
        prop_assert!(conversation.finding.failing.is_subset(&set(failing)));
    }

    #[test]
    fn confirm_reports_what_is_true_of_any_set(world in any_world(1..=8), chosen in any::<u32>()) {
        let chosen = chosen & ((1 << world.size) - 1);
        let confirm = Confirm::new(Difference::from_nothing(set(chosen)));
        let conversation = converse(confirm, &world.all(), |asked| world.test(asked));
        let confirmed = conversation.finding;
        let fails = world.of(chosen) == Outcome::Fail;
        prop_assert_eq!(confirmed.alone_fails, fails);
        let superfluous: Vec<u32> = members(chosen)
            .filter(|delta| fails && world.of(chosen ^ 1 << delta) == Outcome::Fail)
            .collect();
        prop_assert_eq!(confirmed.is_minimal(), fails && superfluous.is_empty());
        let said: Vec<u32> = confirmed.superfluous.iter().map(|delta| delta.0).collect();
        prop_assert_eq!(said, superfluous);
    }

    #[test]
    fn confirm_agrees_that_the_finding_of_balanced_is_minimal(world in any_world(1..=8)) {
        let found = simplified(Balanced::new(world.all()), &world);
        let confirm = Confirm::new(Difference::from_nothing(set(found)));
        prop_assert!(converse(confirm, &world.all(), |asked| world.test(asked)).finding.is_minimal());
    }
}
