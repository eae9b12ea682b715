//! Narrow: how many tests it takes, and what its finding promises if many outcomes are unresolved.

use crate::conversation::converse;
use crate::random::cases;
use crate::world::{World, any_world, bits, groups_of, members, set};
use howcome_dd::{Answer, Ask, Configuration, DeltaId, Narrow, Outcome, Relation, Search, Step};
use proptest::collection::vec;
use proptest::prelude::*;

fn log2(count: u32) -> usize {
    count.next_power_of_two().trailing_zeros() as usize
}

fn needing(needed: &Configuration) -> impl Fn(&Configuration) -> Outcome {
    |asked| if needed.is_subset(asked) { Outcome::Fail } else { Outcome::Pass }
}

#[test]
fn one_culprit_takes_log2_tests_and_one_to_see_that_it_fails_alone() {
    for size in (1..70).chain([100, 1000]) {
        let all = Configuration::all(size);
        for culprit in (0..size).step_by(1 + size as usize / 40) {
            let culprit = Configuration::from_run(culprit..culprit + 1);
            let conversation = converse(Narrow::new(all.clone()), &all, needing(&culprit));
            assert_eq!(conversation.finding.failing, culprit);
            assert!(conversation.finding.passing.is_empty());
            assert!(conversation.told.len() <= log2(size) + 1, "{} of {size}", conversation.told.len());
        }
    }
}

#[test]
fn two_culprits_that_need_each_other_take_twice_as_many_tests() {
    for size in (2..24).chain([64, 65, 1000]) {
        let all = Configuration::all(size);
        let some = || (0..size).step_by(1 + size as usize / 24);
        for (a, b) in some().flat_map(|a| some().map(move |b| (a, b))).filter(|(a, b)| a < b) {
            let both: Configuration = [DeltaId(a), DeltaId(b)].into_iter().collect();
            let conversation = converse(Narrow::new(all.clone()), &all, needing(&both));
            assert_eq!(conversation.finding.failing, both);
            let told = conversation.told.len();
            assert!(told <= 2 * (log2(size) + 1), "{both} of {size} took {told}");
        }
    }
}

/// A world that fails if and only if one of a few sets is applied. Some outcomes are unresolved at random.
fn monotone(sizes: std::ops::RangeInclusive<u32>, unresolved: f64) -> impl Strategy<Value = World> {
    (sizes, vec(1..1u32 << 8, 1..4), vec(prop::bool::weighted(unresolved), 1 << 8)).prop_map(
        |(size, causes, unresolved)| {
            World::new(size, |bits| {
                let fails =
                    causes.iter().map(|cause| cause & ((1 << size) - 1)).any(|cause| bits & cause == cause);
                match fails && bits != 0 {
                    _ if unresolved[bits as usize] => Outcome::Unresolved,
                    true => Outcome::Fail,
                    false => Outcome::Pass,
                }
            })
        },
    )
}

fn assert_minimal(found: u32, world: &World) {
    assert_eq!(world.of(found), Outcome::Fail, "{:?} does not fail", set(found));
    for delta in members(found) {
        let without = found ^ 1 << delta;
        assert_ne!(world.of(without), Outcome::Fail, "{:?} fails without {}", set(found), delta + 1);
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn in_a_resolved_monotone_world_no_part_of_the_finding_fails(
        world in monotone(1..=8, 0.0),
        labels in vec(0..5u8, 8),
    ) {
        let search = Narrow::new(world.all()).along(vec![groups_of(world.size, &labels)]);
        let found = bits(&converse(search, &world.all(), |asked| world.test(asked)).finding.failing);
        prop_assert_eq!(world.of(found), Outcome::Fail);
        for part in (0..found).filter(|part| part & !found == 0) {
            prop_assert_ne!(world.of(part), Outcome::Fail);
        }
    }

    #[test]
    fn the_finding_is_1_minimal_even_if_most_outcomes_are_unresolved(
        world in prop_oneof![monotone(1..=8, 0.3), monotone(1..=8, 0.7), monotone(1..=8, 0.95)],
        labels in vec(0..5u8, 8),
        suggestions in vec(0..1u32 << 8, 0..4),
    ) {
        let groups = groups_of(world.size, &labels);
        let suggestions = suggestions.into_iter().map(set).collect();
        for search in [
            Narrow::new(world.all()),
            Narrow::new(world.all()).along(vec![groups.clone()]),
            Narrow::new(world.all()).trying_first(suggestions).along(vec![groups]),
        ] {
            let finding = converse(search, &world.all(), |asked| world.test(asked)).finding;
            prop_assert!(finding.passing.is_empty());
            assert_minimal(bits(&finding.failing), &world);
        }
    }

    #[test]
    fn no_unresolved_configuration_is_asked_for_again(world in any_world(1..=8)) {
        let mut search = Narrow::new(world.all());
        let mut unresolved = Vec::new();
        while let Ask::Test(question) = search.ask() {
            prop_assert!(!unresolved.contains(&question.configuration), "{}", question.configuration);
            let outcome = world.test(&question.configuration);
            if outcome == Outcome::Unresolved {
                unresolved.push(question.configuration);
            }
            search.tell(Answer::from(outcome));
        }
    }
}

#[test]
fn every_resolved_answer_narrows_the_difference_even_if_parts_are_small() {
    // Only three configurations are resolved: one passes, two fail.
    let world = World::new(8, |bits| match bits {
        0b1000_0000 => Outcome::Pass,
        0b1111_1110 | 0b1000_0010 => Outcome::Fail,
        _ => Outcome::Unresolved,
    });
    let mut search = Narrow::new(world.all());
    while let Ask::Test(question) = search.ask() {
        let outcome = world.test(&question.configuration);
        let before = search.left();
        search.tell(Answer::from(outcome));
        if question.step == Step::Subset && outcome == Outcome::Pass {
            assert_eq!(search.left(), before - 1);
        }
    }
    assert_eq!(search.best_so_far(), &set(0b1000_0010));
}

#[test]
fn whole_groups_are_tried_before_their_deltas() {
    // Two levels of groups that are not runs: the remainder modulo 2, then the remainder modulo 4.
    let size = 16;
    let every = |step: u32| -> Vec<Configuration> {
        (0..step).map(|rest| (rest..size).step_by(step as usize).map(DeltaId).collect()).collect()
    };
    let all = Configuration::all(size);
    let culprit: Configuration = "7".parse().unwrap();
    let search = Narrow::new(all.clone()).along(vec![every(2), every(4)]);
    let asked: Vec<String> =
        converse(search, &all, needing(&culprit)).told.iter().map(|(asked, _)| asked.to_string()).collect();
    assert_eq!(asked, ["1,3,5,7,9,11,13,15", "1,5,9,13", "1,3,5,7,9,13", "1,3,5,9,13", "7"]);
}

#[test]
fn a_delta_in_no_group_is_a_group_of_its_own() {
    let all = Configuration::all(6);
    let culprit: Configuration = "6".parse().unwrap();
    let search = Narrow::new(all.clone()).along(vec![vec!["1-4".parse().unwrap()]]);
    let told = converse(search, &all, needing(&culprit)).told;
    assert_eq!(told[0].0, "1-4".parse().unwrap());
    assert_eq!(told[1].0, "1-5".parse().unwrap());
}

#[test]
fn a_correct_suggestion_ends_the_search_at_once() {
    let all = Configuration::all(1000);
    let culprit: Configuration = "123".parse().unwrap();
    let other: Configuration = "77".parse().unwrap();
    for suggestions in [vec![culprit.clone()], vec![all.clone(), Configuration::empty(), culprit.clone()]] {
        let search = Narrow::new(all.clone()).trying_first(suggestions);
        assert_eq!(converse(search, &all, needing(&culprit)).told, [(culprit.clone(), Outcome::Fail)]);
    }
    // Without it everything passes, so it is part of the cause. It fails alone, so it is the whole cause.
    let search = Narrow::new(all.clone()).trying_first(vec![all.without(&culprit)]);
    assert_eq!(converse(search, &all, needing(&culprit)).told.len(), 2);
    // A wrong suggestion costs one test.
    let search = Narrow::new(all.clone()).trying_first(vec![other, culprit.clone()]);
    let conversation = converse(search, &all, needing(&culprit));
    assert_eq!(conversation.told[1].0, "77,123".parse().unwrap());
    assert_eq!(conversation.finding.failing, culprit);
    assert_eq!(conversation.told.len(), 3);
}

#[test]
fn files_that_build_only_as_a_whole_are_tried_before_their_parts() {
    let files: Vec<Configuration> =
        (0..1000).map(|file| Configuration::from_run(file * 10..(file + 1) * 10)).collect();
    let is_whole = |asked: &Configuration| asked.runs().all(|run| run.start % 10 == 0 && run.end % 10 == 0);
    let all = Configuration::all(10_000);
    let culprit: Configuration = "4321".parse().unwrap();
    let search = Narrow::new(all.clone()).along(vec![files.clone()]);
    let conversation = converse(search, &all, |asked| match culprit.is_subset(asked) {
        _ if !is_whole(asked) => Outcome::Unresolved,
        true => Outcome::Fail,
        false => Outcome::Pass,
    });
    assert_eq!(conversation.finding.failing, files[432]);
    // Halve the files; try 2, 4, 8 and 10 parts of the file and their complements; the file alone; each line removed.
    let most = log2(1000) + 2 + 2 * (4 + 8 + 10) + 1 + 10;
    assert!(conversation.told.len() <= most, "{} tests", conversation.told.len());
}

#[test]
fn a_delta_that_every_question_drags_along_in_vain_is_left_where_it_fits() {
    // Every delta seems to need delta 3, which works only with all of the deltas from 5 to 18; nobody knows that.
    let others = Configuration::from_run(5..19);
    let needs: Vec<Relation> =
        (0..22).filter(|user| *user != 3).map(|user| Relation::Needs(DeltaId(user), DeltaId(3))).collect();
    let all = Configuration::all(22);
    let mut told = 0;
    for culprit in 5..19 {
        let search = Narrow::new(all.clone()).knowing(&needs).isolating();
        let conversation =
            converse(search, &all, |asked| match !asked.contains(DeltaId(3)) || others.is_subset(asked) {
                false => Outcome::Unresolved,
                true if asked.contains(DeltaId(culprit)) => Outcome::Fail,
                true => Outcome::Pass,
            });
        let found = conversation.finding;
        assert!(found.failing.without(&found.passing).contains(DeltaId(culprit)));
        told += conversation.told.len();
    }
    assert!(told <= 200, "{told} tests for 14 culprits");
}
