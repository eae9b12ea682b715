//! Bisection over lines and graphs, with revisions that cannot be tested.

use crate::conversation::converse;
use crate::random::{Random, cases};
use howcome_dd::{Ancestry, Answer, Ask, Bisect, Configuration, Culprit, DeltaId, Outcome, Search};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Revisions as plain lists of ancestors, so that the tests do not use the code under test.
#[derive(Clone, Debug)]
pub(crate) struct Revisions {
    pub(crate) parents: Vec<Vec<u32>>,
    pub(crate) ancestors: Vec<BTreeSet<u32>>,
}

impl Revisions {
    pub(crate) fn new(parents: Vec<Vec<u32>>) -> Self {
        let mut ancestors: Vec<BTreeSet<u32>> = Vec::new();
        for (revision, parents) in parents.iter().enumerate() {
            let mut all = BTreeSet::from([revision as u32]);
            parents.iter().for_each(|parent| all.extend(ancestors[*parent as usize].iter().copied()));
            ancestors.push(all);
        }
        Self { parents, ancestors }
    }

    pub(crate) fn line(count: u32) -> Self {
        Self::new((0..count).map(|revision| revision.checked_sub(1).into_iter().collect()).collect())
    }

    pub(crate) fn history(&self) -> Ancestry {
        let parents = |parents: &Vec<u32>| parents.iter().copied().map(DeltaId).collect();
        Ancestry::graph(&self.parents.iter().map(parents).collect::<Vec<_>>())
    }

    pub(crate) fn last(&self) -> u32 {
        self.parents.len() as u32 - 1
    }

    /// The revision that a configuration stands for.
    fn revision(&self, asked: &Configuration) -> u32 {
        let last = asked.last().expect("a revision holds itself").0;
        let expected: Vec<u32> = self.ancestors[last as usize].iter().copied().collect();
        assert_eq!(
            asked.iter().map(|delta| delta.0).collect::<Vec<_>>(),
            expected,
            "{asked} is not a revision"
        );
        last
    }
}

/// Revisions that are all ancestors of the last one.
pub(crate) fn any_revisions() -> impl Strategy<Value = Revisions> {
    vec(vec(any::<prop::sample::Index>(), 1..3), 1..14).prop_map(|choices| {
        let parents = choices.iter().enumerate().map(|(revision, choices)| {
            let mut parents: Vec<u32> = match revision {
                0 => Vec::new(),
                _ => choices.iter().map(|choice| choice.index(revision) as u32).collect(),
            };
            parents.dedup();
            parents
        });
        Revisions::new(parents.collect())
    })
}

pub(crate) struct Bisected {
    pub(crate) culprit: Culprit,
    pub(crate) told: Vec<(u32, Outcome)>,
}

pub(crate) fn bisect(search: Bisect, revisions: &Revisions, test: impl Fn(u32) -> Outcome) -> Bisected {
    let bad = &revisions.ancestors[revisions.last() as usize];
    let all: Configuration = bad.iter().copied().map(DeltaId).collect();
    let conversation = converse(search, &all, |asked| test(revisions.revision(asked)));
    let told =
        conversation.told.iter().map(|(asked, outcome)| (revisions.revision(asked), *outcome)).collect();
    Bisected { culprit: conversation.finding, told }
}

/// The revisions that can be the first bad one, by checking each of them against all answers.
fn consistent(revisions: &Revisions, told: &[(u32, Outcome)]) -> Vec<u32> {
    let possible = |culprit: &u32| {
        told.iter().all(|(revision, outcome)| {
            let is_in = revisions.ancestors[*revision as usize].contains(culprit);
            match outcome {
                Outcome::Pass => !is_in,
                Outcome::Fail => is_in,
                Outcome::Unresolved => true,
            }
        })
    };
    revisions.ancestors[revisions.last() as usize].iter().copied().filter(possible).collect()
}

pub(crate) fn assert_right(revisions: &Revisions, culprit: u32, bisected: &Bisected) {
    let suspects: Vec<u32> = bisected.culprit.suspects.iter().map(|suspect| suspect.0).collect();
    assert!(suspects.contains(&culprit), "{culprit} is not among {suspects:?}");
    assert_eq!(suspects, consistent(revisions, &bisected.told), "told {:?}", bisected.told);
    assert!(suspects.contains(&bisected.culprit.bad.0));
    assert_eq!(bisected.culprit.decided().is_some(), suspects.len() == 1);
    assert!(bisected.culprit.decided().is_none_or(|decided| decided.0 == culprit));
    for suspect in suspects.iter().filter(|suspect| **suspect != bisected.culprit.bad.0) {
        assert!(bisected.told.contains(&(*suspect, Outcome::Unresolved)), "{suspect} was not tried");
    }
    for good in &bisected.culprit.good {
        assert!(bisected.told.contains(&(good.0, Outcome::Pass)));
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn bisecting_a_graph_finds_the_culprit_or_the_suspects_that_cannot_be_told_apart(
        revisions in any_revisions(),
        culprit in any::<prop::sample::Index>(),
        untestable in vec(any::<bool>(), 14),
        none_untestable in any::<bool>(),
    ) {
        let bad: Vec<u32> = revisions.ancestors[revisions.last() as usize].iter().copied().collect();
        let culprit = *culprit.get(&bad);
        let bisected = bisect(Bisect::new(revisions.history()), &revisions, |revision| {
            match revisions.ancestors[revision as usize].contains(&culprit) {
                _ if untestable[revision as usize] && !none_untestable => Outcome::Unresolved,
                true => Outcome::Fail,
                false => Outcome::Pass,
            }
        });
        assert_right(&revisions, culprit, &bisected);
        prop_assert!(!none_untestable || bisected.culprit.decided().is_some());
    }

    #[test]
    fn bisecting_a_line_finds_the_culprit_or_the_range(
        count in 1..60u32,
        culprit in any::<prop::sample::Index>(),
        untestable in vec(prop::bool::weighted(0.4), 60),
    ) {
        let culprit = culprit.index(count as usize) as u32;
        let line = Revisions::line(count);
        let bisected = bisect(Bisect::new(Ancestry::Line(count)), &line, |revision| {
            match revision >= culprit {
                _ if untestable[revision as usize] => Outcome::Unresolved,
                true => Outcome::Fail,
                false => Outcome::Pass,
            }
        });
        assert_right(&line, culprit, &bisected);
    }

    #[test]
    fn bisection_ends_in_every_world_and_reports_what_it_saw(
        revisions in any_revisions(),
        outcomes in vec(0..3usize, 14),
    ) {
        let bisected =
            bisect(Bisect::new(revisions.history()), &revisions, |revision| Outcome::ALL[outcomes[revision as usize]]);
        let bad = bisected.culprit.bad.0;
        prop_assert!(bad == revisions.last() || bisected.told.contains(&(bad, Outcome::Fail)));
        prop_assert!(bisected.told.len() < revisions.parents.len());
        prop_assert!(bisected.culprit.suspects.contains(DeltaId(bad)));
        // If there is one culprit, all its ancestors are ancestors of a good revision.
        if bisected.culprit.decided().is_some() {
            let good = |ancestor: &u32| {
                bisected.culprit.good.iter().any(|good| revisions.ancestors[good.index()].contains(ancestor))
            };
            prop_assert!(revisions.ancestors[bad as usize].iter().all(|below| *below == bad || good(below)));
        }
    }

    #[test]
    fn ancestors_of_good_revisions_are_not_tested(
        revisions in any_revisions(),
        good in any::<prop::sample::Index>(),
    ) {
        let good = good.index(revisions.parents.len()) as u32;
        prop_assume!(good != revisions.last());
        let search = Bisect::between(revisions.history(), &[DeltaId(good)], DeltaId(revisions.last()));
        let told = bisect(search, &revisions, |_| Outcome::Unresolved).told;
        let asked: BTreeSet<u32> = told.iter().map(|(revision, _)| *revision).collect();
        let below = |revision: u32| &revisions.ancestors[revision as usize];
        let mut expected: BTreeSet<u32> = below(revisions.last()) - below(good);
        expected.remove(&revisions.last());
        prop_assert_eq!(asked, expected);
    }
}

#[test]
fn a_testable_line_takes_at_most_log2_tests() {
    for count in (1..40).chain([63, 64, 65, 127, 128, 129]) {
        let line = Revisions::line(count);
        for culprit in 0..count {
            let bisected = bisect(Bisect::new(Ancestry::Line(count)), &line, |revision| {
                if revision >= culprit { Outcome::Fail } else { Outcome::Pass }
            });
            assert_eq!(bisected.culprit.decided(), Some(DeltaId(culprit)));
            assert!(bisected.told.len() as u32 <= count.next_power_of_two().trailing_zeros());
        }
    }
}

/// The mean and the largest number of tests for a line of 1000 revisions.
fn mean_tests(untestable: impl Fn(u32, u64) -> bool, culprits: impl Iterator<Item = u32>) -> (f64, usize) {
    let line = Revisions::line(1000);
    let tests: Vec<usize> = culprits
        .enumerate()
        .map(|(seed, culprit)| {
            let bisected =
                bisect(Bisect::new(Ancestry::Line(1000)), &line, |revision| match revision >= culprit {
                    _ if untestable(revision, seed as u64) => Outcome::Unresolved,
                    true => Outcome::Fail,
                    false => Outcome::Pass,
                });
            assert_right(&line, culprit, &bisected);
            bisected.told.len()
        })
        .collect();
    let mean = tests.iter().sum::<usize>() as f64 / tests.len() as f64;
    (mean, tests.into_iter().max().unwrap_or(0))
}

#[test]
fn untestable_revisions_at_random_cost_a_few_tests_more_than_log2() {
    let untestable = |revision: u32, seed: u64| Random(seed * 1000 + u64::from(revision)).below(5) == 0;
    let culprits = (0..60).map(|seed| Random(seed).below(1000));
    let (mean, most) = mean_tests(untestable, culprits);
    println!("a fifth at random: {mean:.1} tests on average, {most} at most");
    assert!(mean <= 10.0 / 0.8 + 1.5, "{mean} tests on average");
}

#[test]
fn an_untestable_block_in_the_middle_costs_a_few_tests_more_than_log2() {
    for (block, bound) in [(450..550, 12.5), (300..700, 16.0)] {
        let inside = block.clone();
        let culprits =
            (0..1000).step_by(7).filter(|culprit| *culprit < inside.start || *culprit > inside.end);
        let (mean, most) = mean_tests(|revision, _| block.contains(&revision), culprits);
        println!("{block:?} untestable: {mean:.1} tests on average, {most} at most");
        assert!(mean <= bound, "{mean} tests on average");
        assert!(most <= 40, "{most} tests");
    }
}

#[test]
fn an_untestable_block_around_the_culprit_is_reported_as_a_range() {
    let line = Revisions::line(200);
    for culprit in 90..=110 {
        let bisected = bisect(Bisect::new(Ancestry::Line(200)), &line, |revision| match revision {
            90..110 => Outcome::Unresolved,
            _ if revision >= culprit => Outcome::Fail,
            _ => Outcome::Pass,
        });
        let suspects: Vec<u32> = bisected.culprit.suspects.iter().map(|suspect| suspect.0).collect();
        assert_eq!(suspects, (90..=110).collect::<Vec<_>>());
        assert_eq!(bisected.culprit.bad, DeltaId(110));
        assert_eq!(bisected.culprit.decided(), None);
        assert!(bisected.told.len() <= 20 + 10, "{} tests", bisected.told.len());
    }
}

#[test]
fn bisection_can_give_up_on_an_untestable_range_when_it_knows_its_ends() {
    // The range, the first bad revision, and how many tests it takes.
    for (count, untestable, first_bad, most) in
        [(1000, 400..600, 500, 22), (59, 3..57, 30, 14), (40, 0..39, 20, 10)]
    {
        let mut search = Bisect::new(Ancestry::Line(count)).giving_up(2, 1000);
        let mut asked = 0;
        let culprit = loop {
            match search.ask() {
                Ask::Done(culprit) => break culprit,
                Ask::Test(question) => {
                    let revision = question.configuration.last().unwrap().0;
                    asked += 1;
                    search.tell(Answer::from(match revision {
                        revision if untestable.contains(&revision) => Outcome::Unresolved,
                        revision if revision >= first_bad => Outcome::Fail,
                        _ => Outcome::Pass,
                    }));
                }
            }
        };
        assert!(asked <= most, "{asked} tests of {count}");
        assert_eq!(culprit.bad, DeltaId(untestable.end));
        assert_eq!(culprit.suspects, Configuration::from_run(untestable.start..untestable.end + 1));
    }
}

#[test]
fn bisection_finds_a_culprit_outside_of_an_untestable_range() {
    for first_bad in [1, 8, 50, 63] {
        let mut search = Bisect::new(Ancestry::Line(64)).giving_up(2, 64);
        let culprit = loop {
            match search.ask() {
                Ask::Done(culprit) => break culprit,
                Ask::Test(question) => {
                    search.tell(Answer::from(match question.configuration.last().unwrap().0 {
                        20..40 => Outcome::Unresolved,
                        revision if revision >= first_bad => Outcome::Fail,
                        _ => Outcome::Pass,
                    }));
                }
            }
        };
        assert_eq!(culprit.decided(), Some(DeltaId(first_bad)));
    }
}
