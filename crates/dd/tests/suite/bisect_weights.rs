//! Bisection with weights: some revisions are more likely culprits than others.

use crate::bisect::{Bisected, Revisions, any_revisions, assert_right, bisect};
use crate::random::{Random, cases};
use howcome_dd::{Ancestry, Bisect, DeltaId, Outcome};
use proptest::collection::vec;
use proptest::prelude::*;

const COUNT: u32 = 1000;

fn tested(revision: u32, culprit: u32) -> Outcome {
    if revision >= culprit { Outcome::Fail } else { Outcome::Pass }
}

fn favoured(line: &Revisions, weights: &[u32], culprit: u32) -> Bisected {
    let search = Bisect::new(Ancestry::Line(COUNT)).favouring(weights.into());
    bisect(search, line, |revision| tested(revision, culprit))
}

/// One of a thousand revisions has half of the total weight.
fn half_on(favourite: u32) -> Vec<u32> {
    (0..COUNT).map(|revision| if revision == favourite { COUNT - 1 } else { 1 }).collect()
}

#[test]
fn a_favourite_takes_at_most_four_tests_if_it_is_the_culprit_and_costs_two_if_not() {
    let line = Revisions::line(COUNT);
    for favourite in (0..COUNT).step_by(37).chain([1, COUNT / 2, COUNT - 2, COUNT - 1]) {
        let weights = half_on(favourite);
        let bisected = favoured(&line, &weights, favourite);
        assert_eq!(bisected.culprit.decided(), Some(DeltaId(favourite)));
        assert!(bisected.told.len() <= 4, "{favourite} took {}", bisected.told.len());
        for culprit in (0..COUNT).step_by(91).filter(|culprit| *culprit != favourite) {
            let bisected = favoured(&line, &weights, culprit);
            assert_eq!(bisected.culprit.decided(), Some(DeltaId(culprit)));
            assert!(bisected.told.len() <= 10 + 2, "{culprit} took {}", bisected.told.len());
        }
    }
}

#[test]
fn equal_or_missing_weights_change_nothing() {
    for count in (1..70).chain([999, 1000]) {
        let line = Revisions::line(count);
        let plain = Bisect::new(Ancestry::Line(count));
        for culprit in (0..count).step_by(1 + count as usize / 20) {
            let told = |search: Bisect| bisect(search, &line, |revision| tested(revision, culprit)).told;
            let expected = told(plain.clone());
            assert_eq!(told(plain.clone().favouring(vec![0; count as usize].into())), expected);
            assert_eq!(told(plain.clone().favouring(vec![7; count as usize].into())), expected);
            assert_eq!(told(plain.clone().favouring(vec![].into())), expected);
        }
    }
}

#[test]
fn a_favourite_among_untestable_revisions_takes_few_tests() {
    let line = Revisions::line(COUNT);
    let mut tests = 0;
    for seed in 0..40 {
        let culprit = 1 + Random(seed).below(COUNT - 1);
        let untestable = |revision: u32| {
            revision != culprit
                && revision + 1 != culprit
                && Random(seed * 1000 + u64::from(revision)).below(5) == 0
        };
        let search = Bisect::new(Ancestry::Line(COUNT)).favouring(half_on(culprit).into());
        let bisected = bisect(search, &line, |revision| match untestable(revision) {
            true => Outcome::Unresolved,
            false => tested(revision, culprit),
        });
        assert_right(&line, culprit, &bisected);
        tests += bisected.told.len();
    }
    assert!(tests <= 40 * 4, "{tests} tests of 40 searches");
}

#[test]
fn a_favourite_on_a_branch_takes_as_few_tests_as_one_on_a_line() {
    // Two branches of 200 revisions each, from one root to one merge.
    let parents = (0..402u32).map(|revision| match revision {
        0 => vec![],
        1 | 2 => vec![0],
        401 => vec![399, 400],
        _ => vec![revision - 2],
    });
    let revisions = Revisions::new(parents.collect());
    for favourite in (1..401).step_by(23) {
        let weights: Vec<u32> =
            (0..402).map(|revision| if revision == favourite { 401 } else { 1 }).collect();
        let search = Bisect::new(revisions.history()).favouring(weights.into());
        let bisected = bisect(search, &revisions, |revision| {
            match revisions.ancestors[revision as usize].contains(&favourite) {
                true => Outcome::Fail,
                false => Outcome::Pass,
            }
        });
        assert_eq!(bisected.culprit.decided(), Some(DeltaId(favourite)));
        assert!(bisected.told.len() <= 4, "{favourite} took {}", bisected.told.len());
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn it_takes_on_average_at_most_two_tests_more_than_the_entropy_of_the_weights(
        weights in vec(prop_oneof![1..4u32, 1..1000u32], 1..60),
    ) {
        let count = weights.len() as u32;
        let line = Revisions::line(count);
        let all = f64::from(weights.iter().sum::<u32>());
        let (mut mean, mut entropy) = (0.0, 0.0);
        for culprit in 0..count {
            let search = Bisect::new(Ancestry::Line(count)).favouring(weights.clone().into());
            let bisected = bisect(search, &line, |revision| tested(revision, culprit));
            prop_assert_eq!(bisected.culprit.decided(), Some(DeltaId(culprit)));
            let share = f64::from(weights[culprit as usize]) / all;
            mean += share * bisected.told.len() as f64;
            entropy -= share * share.log2();
        }
        prop_assert!(mean <= entropy + 2.0, "{mean} tests for {entropy} bits");
    }

    #[test]
    fn weights_never_change_what_is_found(
        revisions in any_revisions(),
        weights in vec(0..100u32, 14),
        culprit in any::<prop::sample::Index>(),
        untestable in vec(any::<bool>(), 14),
    ) {
        let bad: Vec<u32> = revisions.ancestors[revisions.last() as usize].iter().copied().collect();
        let culprit = *culprit.get(&bad);
        let search = Bisect::new(revisions.history()).favouring(weights.into());
        let bisected = bisect(search, &revisions, |revision| {
            match revisions.ancestors[revision as usize].contains(&culprit) {
                _ if untestable[revision as usize] => Outcome::Unresolved,
                true => Outcome::Fail,
                false => Outcome::Pass,
            }
        });
        assert_right(&revisions, culprit, &bisected);
    }
}
