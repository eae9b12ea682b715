//! What every search keeps to, in every world. `converse` looks at the rest: asking twice, copies, the end.

use crate::conversation::{best_always_fails, converse};
use crate::random::cases;
use crate::world::{World, any_world, groups_of};
use howcome_dd::{
    Answer, Ask, Balanced, CoarseToFine, Configuration, Dd, DdPlus, Ddmin, Difference, Isolate,
    IsolateInOrder, Narrow, Outcome, RemovalOrder, Search, Split,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn singles(size: u32) -> Vec<std::ops::Range<u32>> {
    (0..size).map(|delta| delta..delta + 1).collect()
}

fn pairs(size: u32) -> Vec<std::ops::Range<u32>> {
    (0..size).step_by(2).map(|delta| delta..(delta + 2).min(size)).collect()
}

fn ends(search: impl Search<Finding = Difference>, world: &World) -> Difference {
    let finding = converse(search, &world.all(), |asked| world.test(asked)).finding;
    assert!(finding.passing.is_subset(&finding.failing));
    assert!(finding.failing.is_subset(&world.all()));
    assert!(!finding.failing.is_empty());
    finding
}

fn isolate(all: Configuration) -> Isolate {
    Isolate::new(Configuration::empty(), all)
}

/// Each delta with a seam before it of the kind that its label says, or without one.
fn grow(size: u32, labels: &[u8]) -> IsolateInOrder {
    let of_kind = |kind: u8| {
        let labelled = (1..size).zip(labels).filter(move |(_, label)| **label == kind);
        labelled.map(|(at, _)| at).collect()
    };
    IsolateInOrder::new(size, (0..3).map(of_kind).collect())
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn every_search_ends_in_every_world(world in any_world(1..=8), labels in vec(0..5u8, 8)) {
        let all = world.all();
        ends(Dd::new(all.clone()), &world);
        ends(DdPlus::new(all.clone()), &world);
        ends(Ddmin::new(all.clone()), &world);
        ends(isolate(all.clone()), &world);
        ends(grow(world.size, &labels), &world);
        ends(Balanced::new(all.clone()), &world);
        ends(Balanced::walking(all.clone(), RemovalOrder::Forward), &world);
        ends(Narrow::new(all.clone()), &world);
        let groups = groups_of(world.size, &labels);
        ends(Narrow::new(all.clone()).along(vec![groups.clone()]), &world);
        ends(Narrow::new(all.clone()).trying_first(groups.clone()), &world);
        let split = Split::along(groups);
        ends(Dd::with_split(all.clone(), split.clone()), &world);
        ends(DdPlus::with_split(all, split), &world);
    }

    #[test]
    fn levels_of_every_search_end_in_every_world(world in any_world(1..=7)) {
        let (all, levels) = (world.all(), vec![pairs(world.size), singles(world.size)]);
        ends(CoarseToFine::new(all.clone(), levels.clone(), Dd::new), &world);
        ends(CoarseToFine::new(all.clone(), levels.clone(), DdPlus::new).until_nothing_changes(), &world);
        ends(CoarseToFine::new(all.clone(), levels.clone(), Ddmin::new).until_nothing_changes(), &world);
        ends(CoarseToFine::new(all.clone(), levels.clone(), Balanced::new).until_nothing_changes(), &world);
        ends(CoarseToFine::new(all.clone(), levels.clone(), Narrow::new).until_nothing_changes(), &world);
        ends(CoarseToFine::new(all, levels, isolate).until_nothing_changes(), &world);
    }

    #[test]
    fn the_best_so_far_fails_at_any_time(world in any_world(1..=8)) {
        let (all, levels) = (world.all(), vec![pairs(world.size), singles(world.size)]);
        let test = |asked: &Configuration| world.test(asked);
        best_always_fails(Dd::new(all.clone()), &all, test);
        best_always_fails(DdPlus::new(all.clone()), &all, test);
        best_always_fails(Ddmin::new(all.clone()), &all, test);
        best_always_fails(isolate(all.clone()), &all, test);
        best_always_fails(grow(world.size, &[0, 1, 2]), &all, test);
        best_always_fails(Balanced::new(all.clone()), &all, test);
        best_always_fails(Narrow::new(all.clone()), &all, test);
        best_always_fails(CoarseToFine::new(all.clone(), levels.clone(), Balanced::new), &all, test);
        best_always_fails(CoarseToFine::new(all.clone(), levels.clone(), Ddmin::new), &all, test);
        best_always_fails(CoarseToFine::new(all.clone(), levels, isolate), &all, test);
    }

    #[test]
    fn searches_over_some_deltas_ask_for_no_others(world in any_world(2..=8), chosen in 1..256u32) {
        let chosen: Configuration = crate::world::set(chosen & ((1 << world.size) - 1));
        prop_assume!(!chosen.is_empty());
        let test = |asked: &Configuration| world.test(asked);
        converse(Dd::new(chosen.clone()), &chosen, test);
        converse(DdPlus::new(chosen.clone()), &chosen, test);
        converse(Ddmin::new(chosen.clone()), &chosen, test);
        converse(isolate(chosen.clone()), &chosen, test);
        converse(Balanced::new(chosen.clone()), &chosen, test);
        converse(Narrow::new(chosen.clone()), &chosen, test);
        converse(CoarseToFine::new(chosen.clone(), vec![pairs(world.size), singles(world.size)], Balanced::new), &chosen, test);
    }
}

#[test]
fn a_search_over_nothing_is_done_at_once() {
    fn done(search: impl Search<Finding = Difference>) {
        let nothing = Ask::Done(Difference::from_nothing(Configuration::empty()));
        assert_eq!(search.ask(), nothing);
        let mut told = search;
        told.tell(Answer::from(Outcome::Fail));
        assert_eq!(told.ask(), nothing);
    }
    let nothing = Configuration::empty();
    done(Dd::new(nothing.clone()));
    done(DdPlus::new(nothing.clone()));
    done(Ddmin::new(nothing.clone()));
    done(isolate(nothing.clone()));
    done(Balanced::new(nothing.clone()));
    done(Narrow::new(nothing.clone()));
    done(CoarseToFine::new(nothing, vec![], Balanced::new));
}
