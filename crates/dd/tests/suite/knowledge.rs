//! Known relations predict outcomes, and nothing else does.

use crate::random::cases;
use crate::world::{World, any_world, bits, set};
use howcome_dd::{
    Balanced, Configuration, DdPlus, Ddmin, DeltaId, Difference, Hints, Knowledge, Outcome, Relation, Search,
    drive,
};
use proptest::collection::vec;
use proptest::prelude::*;

const SIZE: u32 = 8;

fn any_relation() -> impl Strategy<Value = Relation> {
    (any::<bool>(), 0..SIZE, 0..SIZE).prop_filter_map("a delta relates to another one", |(needs, a, b)| {
        let relation = if needs { Relation::Needs } else { Relation::Excludes };
        (a != b).then_some(relation(DeltaId(a), DeltaId(b)))
    })
}

/// Whether a set violates a relation.
fn violates(relation: Relation, set: u32) -> bool {
    match relation {
        Relation::Needs(a, b) => set & (1 << a.0 | 1 << b.0) == 1 << a.0,
        Relation::Excludes(a, b) => !set & (1 << a.0 | 1 << b.0) == 0,
    }
}

fn predicted(knowledge: &Knowledge, bits: u32) -> bool {
    let outcome = knowledge.predict(&set(bits));
    assert_ne!(outcome, Some(Outcome::Pass));
    assert_ne!(outcome, Some(Outcome::Fail));
    outcome.is_some()
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn a_violated_relation_is_predicted_whether_given_or_learned(relations in vec(any_relation(), 0..6)) {
        let told = relations.iter().fold(Knowledge::none(), |known, relation| known.and(*relation));
        let mut learnt = Knowledge::none();
        learnt.learn(&Hints::relations(relations.clone()));
        for bits in 0..1 << SIZE {
            let violated = relations.iter().any(|relation| violates(*relation, bits));
            prop_assert_eq!(predicted(&told, bits), violated);
            prop_assert_eq!(predicted(&learnt, bits), violated);
        }
    }

    #[test]
    fn deltas_that_belong_together_are_applied_together_or_not_at_all(together in 0..1u32 << SIZE) {
        let knowledge = Knowledge::none().together(&set(together));
        for bits in 0..1 << SIZE {
            let some = bits & together;
            prop_assert_eq!(predicted(&knowledge, bits), some != 0 && some != together);
        }
    }

    #[test]
    fn learning_a_relation_twice_changes_nothing(relations in vec(any_relation(), 0..6)) {
        let hints = Hints::relations(relations);
        let mut once = Knowledge::none();
        once.learn(&hints);
        let mut twice = once.clone();
        twice.learn(&hints);
        prop_assert_eq!(once, twice);
    }

    #[test]
    fn correct_predictions_save_tests_and_change_nothing_else(
        world in any_world(SIZE..=SIZE),
        relations in vec(any_relation(), 0..4),
    ) {
        let everything = (1 << SIZE) - 1;
        prop_assume!(!relations.iter().any(|relation| violates(*relation, everything)));
        let knowledge = relations.iter().fold(Knowledge::none(), |known, relation| known.and(*relation));
        let world = World::new(SIZE, |bits| {
            let violated = relations.iter().any(|relation| violates(*relation, bits));
            if violated { Outcome::Unresolved } else { world.of(bits) }
        });
        saves_tests(DdPlus::new(world.all()), &world, &knowledge);
        saves_tests(Ddmin::new(world.all()), &world, &knowledge);
        saves_tests(Balanced::new(world.all()), &world, &knowledge);
    }
}

fn saves_tests<S: Search<Finding = Difference>>(search: S, world: &World, knowledge: &Knowledge) {
    let test = |asked: &Configuration| world.test(asked);
    let without = drive(search.clone(), &world.all(), &Knowledge::none(), test);
    let with = drive(search, &world.all(), knowledge, test);
    assert_eq!(with.finding, without.finding);
    let carried_out: Vec<_> =
        without.told.into_iter().filter(|(asked, _)| !predicted(knowledge, bits(asked))).collect();
    assert_eq!(with.told, carried_out);
}

#[test]
fn a_total_order_allows_only_prefixes() {
    let order = Knowledge::total_order();
    for bits in 0..1u32 << SIZE {
        assert_eq!(predicted(&order, bits), bits & (bits + 1) != 0);
    }
}

#[test]
fn only_hints_that_exist_are_written() {
    let relations = vec![Relation::Needs(DeltaId(0), DeltaId(7))];
    let repairs = vec!["1-4,8".parse().unwrap()];
    let written = [
        (Hints::default(), "{}"),
        (Hints::relations(relations.clone()), r#"{"relations":[{"needs":[0,7]}]}"#),
        (Hints::repairs(repairs.clone()), r#"{"repairs":["1-4,8"]}"#),
        (Hints::default().suspecting(relations.clone()), r#"{"suspected":[{"needs":[0,7]}]}"#),
        (
            Hints { relations, repairs, ..Hints::default() },
            r#"{"relations":[{"needs":[0,7]}],"repairs":["1-4,8"]}"#,
        ),
    ];
    for (hints, text) in written {
        assert_eq!(serde_json::to_string(&hints).unwrap(), text);
        assert_eq!(serde_json::from_str::<Hints>(text).unwrap(), hints);
        assert_eq!(hints.is_empty(), text == "{}");
    }
}

#[test]
fn deltas_of_a_group_need_all_groups_before_but_not_each_other() {
    let groups = ["2,5", "1", "4,6"].map(|text| text.parse().unwrap());
    let order = Knowledge::in_order(groups);
    let is_possible = |text: &str| order.predict(&text.parse().unwrap()).is_none();
    for possible in ["-", "2", "5", "2,5", "1,2,5", "1,2,4-5", "1,2,4-6", "3", "3,5"] {
        assert!(is_possible(possible), "{possible}");
    }
    for impossible in ["1", "1-2", "4", "2,4-6", "1,4-6", "1,3-6"] {
        assert!(!is_possible(impossible), "{impossible}");
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn what_is_needed_comes_and_what_lacks_something_goes(
        relations in vec(any_relation(), 0..6),
        in_order in any::<bool>(),
        bits in 0..1u32 << SIZE,
    ) {
        let needs: Vec<Relation> =
            relations.into_iter().filter(|relation| matches!(relation, Relation::Needs(..))).collect();
        let known = if in_order { Knowledge::total_order() } else { Knowledge::none() };
        let known = needs.iter().fold(known, |known, relation| known.and(*relation));
        let asked = set(bits);
        let possible = |bits: &u32| !predicted(&known, *bits);
        let complete = known.with_needed(&asked);
        // The smallest possible set around the configuration, and the largest possible one in it.
        let around = (0..1u32 << SIZE).filter(possible).filter(|around| around & bits == bits);
        prop_assert_eq!(Some(complete), around.min_by_key(|around| around.count_ones()).map(set));
        let within = (0..1u32 << SIZE).filter(possible).filter(|within| within & bits == *within);
        prop_assert_eq!(Some(known.without_unmet(&asked)), within.max_by_key(|within| within.count_ones()).map(set));
    }
}
