//! The posterior and the search, compared with integrals and sums that do not use their formulas.

use super::failure_rate::FailureCount;
use super::posterior::{BothRates, Posterior, TestedVersion};
use super::{FlakyBisect, FlakyCulprit};
use crate::{Ancestry, Answer, Ask, Configuration, DeltaId, Outcome, Search};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

fn cases(count: u32) -> Config {
    Config { cases: count, failure_persistence: None, rng_seed: RngSeed::Fixed(2026), ..Config::default() }
}

fn count(fails: u32, passes: u32) -> FailureCount {
    FailureCount { fails, passes }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn happens(&mut self, probability: f64) -> bool {
        ((self.word() >> 11) as f64 / (1_u64 << 53) as f64) < probability
    }
}

/// The probability of some runs in a given order: the average over all rates. With Jeffreys' prior, the rate is the square of the
/// sine of an angle that is distributed evenly.
fn integrated(runs: FailureCount) -> f64 {
    const STEPS: u32 = 2000;
    let at = |step: u32| {
        let angle = (f64::from(step) + 0.5) / f64::from(STEPS) * std::f64::consts::FRAC_PI_2;
        let rate = angle.sin().powi(2);
        rate.powi(runs.fails as i32) * (1.0 - rate).powi(runs.passes as i32)
    };
    (0..STEPS).map(at).sum::<f64>() / f64::from(STEPS)
}

/// A small history, and runs of its versions. Version 0 is the one before all revisions.
#[derive(Clone, Debug)]
struct Flakes {
    parents: Vec<Vec<u32>>,
    is_line: bool,
    weights: Vec<u32>,
    before: [FailureCount; 2],
    runs: Vec<(usize, bool)>,
}

fn flakes() -> impl Strategy<Value = Flakes> {
    let runs = vec((any::<prop::sample::Index>(), any::<bool>()), 0..25);
    let parents = vec(vec(any::<prop::sample::Index>(), 1..3), 1..7);
    (any::<bool>(), parents, vec(0..9_u32, 7), [0..4_u32, 0..4, 0..4, 0..4], runs).prop_map(
        |(is_line, parents, weights, before, runs)| {
            let of_revision = |(revision, choices): (usize, &Vec<prop::sample::Index>)| match revision {
                0 => Vec::new(),
                _ if is_line => vec![revision as u32 - 1],
                _ => choices.iter().map(|choice| choice.index(revision) as u32).collect(),
            };
            let parents: Vec<Vec<u32>> = parents.iter().enumerate().map(of_revision).collect();
            let versions = parents.len() + 1;
            let runs = runs.iter().map(|(version, fails)| (version.index(versions), *fails)).collect();
            let before = [count(before[0], before[1]), count(before[2], before[3])];
            Flakes { parents, is_line, weights, before, runs }
        },
    )
}

impl Flakes {
    fn ancestry(&self) -> Ancestry {
        let parents = |parents: &Vec<u32>| parents.iter().copied().map(DeltaId).collect();
        match self.is_line {
            true => Ancestry::Line(self.parents.len() as u32),
            false => Ancestry::graph(&self.parents.iter().map(parents).collect::<Vec<_>>()),
        }
    }

    fn posterior(&self) -> Posterior {
        let mut posterior = Posterior::new(self.ancestry());
        posterior.set_weights(&self.weights);
        posterior.add_outside(BothRates { without: self.before[0], with: self.before[1] });
        self.runs.iter().for_each(|(run, fails)| posterior.add(version(*run), *fails));
        posterior
    }

    /// Whether a version contains a revision, found by walking from child to parent.
    fn contains(&self, version: usize, revision: usize) -> bool {
        let parents = |version: usize| self.parents[version - 1].iter().map(|parent| *parent as usize + 1);
        version > 0
            && (version == revision + 1 || parents(version).any(|parent| self.contains(parent, revision)))
    }

    /// The chances by definition: of each revision, and at the end of no culprit.
    fn chances(&self) -> Vec<f64> {
        let weight = |revision: usize| f64::from(self.weights[revision].max(1));
        let all: f64 = (0..self.parents.len()).map(weight).sum();
        let with_culprit = |culprit: usize| {
            let [mut without, mut with] = self.before;
            for (version, fails) in &self.runs {
                let side = if self.contains(*version, culprit) { &mut with } else { &mut without };
                *side = side.with(count((*fails).into(), (!*fails).into()));
            }
            0.98 * weight(culprit) / all * integrated(without) * integrated(with)
        };
        let own = |fails: bool| self.runs.iter().filter(|run| run.1 == fails).count() as u32;
        let together = self.before[0].with(self.before[1]).with(count(own(true), own(false)));
        let mut chances: Vec<f64> = (0..self.parents.len()).map(with_culprit).collect();
        chances.push(0.02 * integrated(together));
        let sum: f64 = chances.iter().sum();
        chances.iter().map(|chance| chance / sum).collect()
    }

    fn and(&self, version: usize, fails: bool) -> Self {
        let mut more = self.clone();
        more.runs.push((version, fails));
        more
    }
}

fn version(number: usize) -> TestedVersion {
    match number.checked_sub(1) {
        None => TestedVersion::Good,
        Some(revision) => TestedVersion::Revision(DeltaId(revision as u32)),
    }
}

fn entropy(chances: &[f64]) -> f64 {
    chances.iter().filter(|chance| **chance > 0.0).map(|chance| -chance * chance.ln()).sum()
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn the_likelihood_of_runs_is_the_average_over_all_rates(fails in 0..60_u32, passes in 0..60_u32) {
        let (expected, runs) = (integrated(count(fails, passes)), count(fails, passes));
        prop_assert!((runs.log_likelihood() - expected.ln()).abs() < 1e-9, "{runs:?}");
        let next = integrated(count(fails + 1, passes)) / expected;
        prop_assert!((runs.rate() - next).abs() < 1e-9, "{runs:?}");
    }

    #[test]
    fn the_chances_of_all_culprits_are_as_bayes_defines_them(flakes in flakes()) {
        let (chances, expected) = (flakes.posterior().chances, flakes.chances());
        prop_assert_eq!(chances.len(), expected.len());
        for (chance, expected) in chances.iter().zip(&expected) {
            prop_assert!((chance - expected).abs() < 1e-9, "{:?} instead of {:?}", chances, expected);
        }
    }

    #[test]
    fn a_run_is_worth_the_uncertainty_that_it_removes_on_average(flakes in flakes()) {
        let posterior = flakes.posterior();
        let versions: Vec<TestedVersion> = (0..=flakes.parents.len()).map(version).collect();
        for (number, worth) in posterior.worth(&versions).iter().enumerate() {
            let after = |fails| entropy(&flakes.and(number, fails).chances());
            let expected = entropy(&flakes.chances()) - worth.chance * after(true) - (1.0 - worth.chance) * after(false);
            prop_assert!((worth.information - expected).abs() < 1e-7, "{} instead of {expected}", worth.information);
        }
    }

    #[test]
    fn what_a_search_asks_depends_only_on_its_answers(flakes in flakes(), outcomes in vec(0..10_u32, 60)) {
        let mut search = FlakyBisect::new(flakes.ancestry(), 0.999);
        let mut runs: Vec<(Configuration, u32)> = Vec::new();
        for outcome in outcomes {
            prop_assert_eq!(search.ask(), search.clone().ask());
            let Ask::Test(question) = search.ask() else { break };
            let number = runs.iter().filter(|(asked, _)| *asked == question.configuration).count() as u32;
            prop_assert_eq!(question.repeat, Some(number), "each run is a question of its own");
            runs.push((question.configuration, number));
            search.tell(Answer::from(match outcome { 0..6 => Outcome::Pass, 6..9 => Outcome::Fail, _ => Outcome::Unresolved }));
            prop_assert!(search.left() <= flakes.parents.len());
        }
    }
}

/// Searches with a test that fails at one rate before the culprit and at another one from it on.
fn simulate(
    revisions: u32,
    culprit: u32,
    [before, after]: [f64; 2],
    random: &mut Random,
    untestable: &[u32],
) -> (FlakyCulprit, u32) {
    let mut search = FlakyBisect::new(Ancestry::Line(revisions), 0.999);
    let mut runs = 0;
    while let Ask::Test(question) = search.ask() {
        runs += 1;
        let revision = question.configuration.last().map(|last| last.0);
        if revision.is_some_and(|revision| untestable.contains(&revision)) {
            search.tell(Answer { was_run: false, ..Answer::from(Outcome::Unresolved) });
            continue;
        }
        let has_culprit = question.configuration.contains(DeltaId(culprit));
        let fails = random.happens(if has_culprit { after } else { before });
        search.tell(Answer::from(if fails { Outcome::Fail } else { Outcome::Pass }));
    }
    let Ask::Done(finding) = search.ask() else { panic!("it asks for no more runs") };
    (finding, runs)
}

#[test]
fn at_most_one_of_200_answers_is_wrong_and_each_takes_few_runs() {
    let mut random = Random(7);
    let (mut wrong, mut runs) = (0, 0);
    for seed in 0..200 {
        let culprit = (random.word() % 60) as u32;
        let rates = [[0.0, 0.5], [0.1, 0.6], [0.0, 1.0]][seed % 3];
        let (found, took) = simulate(60, culprit, rates, &mut random, &[]);
        let decided = found.culprit.and_then(|found| found.decided());
        wrong += u32::from(decided != Some(DeltaId(culprit)));
        assert!(found.confidence >= 0.999);
        runs += took;
    }
    assert!(wrong <= 1, "{wrong} wrong");
    assert!(runs / 200 <= 85, "{} runs each", runs / 200);
}

#[test]
fn a_test_that_always_tells_is_decided_in_a_few_runs() {
    let (found, runs) = simulate(1000, 617, [0.0, 1.0], &mut Random(1), &[]);
    assert_eq!(found.culprit.and_then(|found| found.decided()), Some(DeltaId(617)));
    assert!(runs <= 40, "{runs}");
}

#[test]
fn rates_that_are_the_same_are_not_told_apart() {
    for rate in [0.0, 0.2, 0.5] {
        let (found, runs) = simulate(30, 12, [rate, rate], &mut Random(3), &[]);
        assert_eq!(found.culprit, None, "{rate}");
        assert!((400..2000).contains(&runs), "{runs}");
    }
}

#[test]
fn a_rate_that_has_become_lower_is_no_culprit() {
    let (found, _) = simulate(10, 4, [0.9, 0.1], &mut Random(3), &[]);
    assert_eq!(found.culprit, None);
}

#[test]
fn rates_that_clearly_differ_are_told_apart_however_close_they_are() {
    let mut search = FlakyBisect::new(Ancestry::Line(1), 0.999);
    search = search.knowing(count(32, 208), count(88, 152));
    let Ask::Done(found) = search.ask() else { panic!("the runs are enough") };
    assert_eq!(found.culprit.and_then(|found| found.decided()), Some(DeltaId(0)));
    assert_eq!([found.without, found.with], [count(32, 208), count(88, 152)]);
}

#[test]
fn revisions_that_cannot_be_tested_are_suspects_together_with_the_next_one() {
    let (found, _) = simulate(40, 20, [0.1, 0.9], &mut Random(5), &[19, 20, 21]);
    let found = found.culprit.expect("all others can be tested");
    assert_eq!(found.suspects, Configuration::from_run(19..23));
    assert_eq!(found.bad, DeltaId(22));
}

#[test]
fn one_run_that_cannot_be_judged_does_not_rule_a_revision_out() {
    let mut search = FlakyBisect::new(Ancestry::Line(2), 0.999);
    let mut asked = 0;
    while let Ask::Test(question) = search.ask() {
        asked += 1;
        // Every third run ends in another way.
        let outcome = match question.repeat.unwrap_or(0) % 3 {
            2 => Outcome::Unresolved,
            _ if question.configuration.contains(DeltaId(1)) => Outcome::Fail,
            _ => Outcome::Pass,
        };
        search.tell(Answer::from(outcome));
    }
    let Ask::Done(found) = search.ask() else { panic!("{asked} runs") };
    assert_eq!(found.culprit.and_then(|found| found.decided()), Some(DeltaId(1)));
}

#[test]
fn weights_are_the_prior() {
    let mut weights = vec![1; 100];
    weights[70] = 1000;
    let mut search = FlakyBisect::new(Ancestry::Line(100), 0.999).favouring(&weights);
    search = search.knowing(count(0, 5), count(5, 0));
    let mut asked = Vec::new();
    while let Ask::Test(question) = search.ask() {
        asked.push(question.configuration.len());
        let fails = question.configuration.contains(DeltaId(70));
        search.tell(Answer::from(if fails { Outcome::Fail } else { Outcome::Pass }));
    }
    assert!(asked.iter().all(|len| [70, 71].contains(len)), "{asked:?}");
}

#[test]
fn the_culprit_in_a_large_graph_is_found_among_a_sample() {
    // Two branches of 200 revisions each from the first revision, merged by the last one.
    let parent = |revision: u32| match revision {
        0 => vec![],
        201 => vec![DeltaId(0)],
        401 => vec![DeltaId(200), DeltaId(400)],
        other => vec![DeltaId(other - 1)],
    };
    let parents: Vec<Vec<DeltaId>> = (0..402).map(parent).collect();
    let mut random = Random(4);
    for culprit in [0, 77, 200, 201, 333, 401] {
        let mut search = FlakyBisect::new(Ancestry::graph(&parents), 0.999);
        let mut runs = 0;
        while let Ask::Test(question) = search.ask() {
            runs += 1;
            let fails =
                random.happens(if question.configuration.contains(DeltaId(culprit)) { 0.7 } else { 0.05 });
            search.tell(Answer::from(if fails { Outcome::Fail } else { Outcome::Pass }));
        }
        let Ask::Done(found) = search.ask() else { panic!("it asks for no more runs") };
        assert_eq!(found.culprit.and_then(|found| found.decided()), Some(DeltaId(culprit)));
        assert!(runs < 200, "{runs}");
    }
}

#[test]
fn a_search_over_nothing_ends_at_once() {
    let search = FlakyBisect::new(Ancestry::Line(0), 0.999);
    assert!(matches!(search.ask(), Ask::Done(FlakyCulprit { culprit: None, .. })));
}
