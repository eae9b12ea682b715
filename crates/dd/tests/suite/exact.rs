//! If outcomes are resolved, monotone and unambiguous, the searches find exactly the needed deltas.

use crate::conversation::converse;
use crate::random::{Random, cases};
use crate::world::{World, groups_of, needed_of, set};
use howcome_dd::{
    Balanced, Configuration, Confirm, Dd, DdPlus, Ddmin, DeltaId, Difference, Isolate, Narrow, Outcome,
    RemovalOrder, Search, Split,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn found(search: impl Search<Finding = Difference>, world: &World) -> Configuration {
    let finding = converse(search, &world.all(), |asked| world.test(asked)).finding;
    assert!(finding.passing.is_empty());
    finding.failing
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn every_search_for_all_needed_deltas_finds_exactly_these((size, needed) in needed_of(1..=10)) {
        let world = World::needing(size, needed);
        let all = world.all();
        prop_assert_eq!(found(Dd::new(all.clone()), &world), set(needed));
        prop_assert_eq!(found(DdPlus::new(all.clone()), &world), set(needed));
        prop_assert_eq!(found(Ddmin::new(all.clone()), &world), set(needed));
        prop_assert_eq!(found(Balanced::new(all.clone()), &world), set(needed));
        prop_assert_eq!(found(Narrow::new(all.clone()), &world), set(needed));
        prop_assert_eq!(found(Balanced::walking(all, RemovalOrder::Forward), &world), set(needed));
    }

    #[test]
    fn groups_do_not_change_the_finding(
        (size, needed) in needed_of(1..=10),
        labels in vec(0..5u8, 10),
    ) {
        let world = World::needing(size, needed);
        let split = Split::along(groups_of(size, &labels));
        let all = world.all();
        prop_assert_eq!(found(Dd::with_split(all.clone(), split.clone()), &world), set(needed));
        prop_assert_eq!(found(DdPlus::with_split(all.clone(), split.clone()), &world), set(needed));
        let levels = vec![groups_of(size, &labels)];
        prop_assert_eq!(found(Narrow::new(all.clone()).along(levels), &world), set(needed));
        prop_assert_eq!(found(Ddmin::with_split(all, split), &world), set(needed));
    }

    #[test]
    fn isolate_finds_one_needed_delta((size, needed) in needed_of(1..=10)) {
        let world = World::needing(size, needed);
        let isolate = Isolate::new(Configuration::empty(), world.all());
        let conversation = converse(isolate, &world.all(), |asked| world.test(asked));
        let deltas = conversation.finding.deltas();
        prop_assert_eq!(deltas.len(), 1);
        prop_assert!(deltas.is_subset(&set(needed)));
        prop_assert!(conversation.told.len() as u32 <= size.next_power_of_two().trailing_zeros());
    }
}

#[test]
fn larger_problems_are_solved_exactly_too() {
    for seed in 0..20 {
        let mut random = Random(seed);
        let size = 30 + random.below(300);
        let needed: Configuration = (0..1 + random.below(12)).map(|_| DeltaId(random.below(size))).collect();
        let all = Configuration::all(size);
        let test = |asked: &Configuration| {
            if needed.is_subset(asked) { Outcome::Fail } else { Outcome::Pass }
        };
        assert_eq!(converse(Dd::new(all.clone()), &all, test).finding.failing, needed);
        assert_eq!(converse(DdPlus::new(all.clone()), &all, test).finding.failing, needed);
        assert_eq!(converse(Ddmin::new(all.clone()), &all, test).finding.failing, needed);
        assert_eq!(converse(Balanced::new(all.clone()), &all, test).finding.failing, needed);
        assert_eq!(converse(Narrow::new(all.clone()), &all, test).finding.failing, needed);
    }
}

#[test]
fn what_dd_finds_in_an_ambiguous_world_can_pass_on_its_own_and_is_not_confirmed() {
    // Any 30 of 40 deltas fail. dd searches each half with the whole other half applied.
    let all = Configuration::all(40);
    let test = |asked: &Configuration| if asked.len() >= 30 { Outcome::Fail } else { Outcome::Pass };
    let found = converse(Dd::new(all.clone()), &all, test).finding;
    assert_eq!(found.failing.len(), 20);
    assert_eq!(test(&found.failing), Outcome::Pass);
    let confirmed = converse(Confirm::new(found), &all, test).finding;
    assert!(!confirmed.alone_fails && !confirmed.is_minimal());
}
