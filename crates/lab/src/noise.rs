//! A sequential probability ratio test after Wald: how often must a flaky test be run?
//!
//! Wald compares two known rates. Ours are measured in a few dozen runs, and treating them as exact is misleading: a
//! test that fails in one of ten runs often does not fail in any of 25. So each side is the distribution of rates that
//! its runs leave possible, and the comparison is how well each side predicts the runs of the candidate.

use crate::decision::Decision;
use crate::one_side::OneSide;
use crate::rate::Rate;
use howcome_dd::{Ancestry, Ask, FailureCount, FlakyBisect, Outcome, Search};
use howcome_run::{FlakyRates, Tally, ToldRuns};

/// How the test behaves on each side, and the required level of confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    failing: Rate,
    passing: Rate,
    /// What is known besides, if only the failing side was measured.
    one_side: Option<OneSide>,
    level: f64,
    /// The outcome that is believed sooner than the opposite, if a search has found already that it is probable.
    expected: Option<Outcome>,
    /// Whether the rates come from a search. It ends as soon as it is sure, so its rates are less exact than measured ones, and a
    /// candidate can differ a little from both.
    is_learnt: bool,
    most: u32,
}

/// The two sides cannot be told apart.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the test fails about as often on both sides: {} of {} runs on the failing side, {} of {} on the passing side",
    failing.fail, failing.runs(), passing.fail, passing.runs()
)]
pub struct IndistinctSides {
    /// The runs of the failing side.
    pub failing: Tally,
    /// The runs of the passing side.
    pub passing: Tally,
}

/// The failing side fails too seldom to tell a version that passes from it.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the test fails too seldom: {} of {} runs of the failing side", failing.fail, failing.runs())]
pub struct FailsTooSeldom {
    /// The runs of the failing side.
    pub failing: Tally,
}

/// A test that fails less often than this takes hundreds of runs to be sure that a version passes.
const LEAST_RATE: f64 = 0.08;

/// What to do about a test that fails too seldom.
const MORE_OFTEN: &str = "make the test fail more often on the failing side (for example, run it in a loop), or describe \
    the failure with --fails-when";

impl FailsTooSeldom {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(MORE_OFTEN.to_owned())
    }
}

impl IndistinctSides {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(MORE_OFTEN.to_owned())
    }
}

impl Noise {
    /// How sure the answer of a search must be, unless the user wants something else.
    pub const CONFIDENCE: f64 = 0.999;

    /// The answers to about this many questions share the errors that an answer may have.
    const QUESTIONS: f64 = 100.0;

    /// The number of runs of one configuration after which its test is said to contradict itself, unless that many runs are
    /// necessary to tell the two sides apart.
    pub const MOST_RUNS: u32 = 300;

    /// The number of runs of each side that is enough to measure the noise of most tests. If it is not enough, more
    /// runs might be.
    pub const RUNS_TO_MEASURE: u32 = 30;

    /// The number of failures that is enough to know how often the failing side fails, if nothing else is known.
    const FAILURES_TO_MEASURE: u32 = 20;

    /// So many runs are added until there are enough of them.
    pub(crate) const RUNS_OF_FAILING_SIDE: u32 = 10;

    /// The number of runs of each side after which more runs would not help.
    pub const MOST_RUNS_TO_MEASURE: u32 = 240;

    /// Measures the noise from the runs of both sides. If they are not enough, run [`Noise::RUNS_TO_MEASURE`] more of
    /// each side, up to [`Noise::MOST_RUNS_TO_MEASURE`].
    ///
    /// # Errors
    /// If the two sides are not different enough to tell which of them a candidate is like.
    pub fn measure(failing: Tally, passing: Tally) -> Result<Self, IndistinctSides> {
        let noise = Self::of(Rate::of(&failing), Rate::of(&passing), Self::CONFIDENCE);
        // How soon must a candidate that behaves as expected be decided? Sides that differ after a few runs can be a
        // coincidence, so short measurements must show a larger difference than long ones.
        let looked_for_long = failing.runs().min(passing.runs()) >= Self::MOST_RUNS_TO_MEASURE / 2;
        let runs = if looked_for_long { 75.0 } else { 25.0 };
        let evidence = [noise.failing, noise.passing].map(|rate| {
            let fails = rate.mean() * runs;
            noise.evidence(fails.round(), (runs - fails).round())
        });
        let is_swapped = noise.failing.mean() <= noise.passing.mean();
        let is_soon_decided = evidence[0] >= noise.bound() && evidence[1] <= -noise.bound();
        // Rates that are close but clearly differ take many runs of each candidate.
        let is_different = || {
            failing.runs().min(passing.runs()) >= Self::MOST_RUNS_TO_MEASURE
                && clearly_differ(failing, passing)
        };
        if is_swapped || !is_soon_decided && !is_different() {
            return Err(IndistinctSides { failing, passing });
        }
        Ok(noise)
    }

    /// The noise of a test whose failure rates a search has learnt.
    #[must_use]
    pub fn knowing(rates: &FlakyRates) -> Self {
        let rate = |runs: FailureCount| Rate {
            fails: f64::from(runs.fails) + 0.5,
            others: f64::from(runs.passes) + 0.5,
        };
        let noise = Self::of(rate(rates.failing), rate(rates.passing), rates.confidence);
        Self { is_learnt: true, ..noise }
    }

    /// The noise of a test of which only the failing side is known. A passing version fails at most about a quarter as often.
    ///
    /// # Errors
    /// If the test fails so seldom that it would take too many runs.
    pub fn of_failing_side(failing: Tally, confidence: f64) -> Result<Self, FailsTooSeldom> {
        let rate = Rate::of(&failing);
        if rate.mean() < LEAST_RATE {
            return Err(FailsTooSeldom { failing });
        }
        let one_side = OneSide::of(failing);
        Ok(Self { one_side: Some(one_side), ..Self::of(rate, one_side.assumed(), confidence) })
    }

    /// The same after the runs of candidates that were decided. Measured rates stay as they are.
    #[must_use]
    pub(crate) fn with_told_runs(self, told: &ToldRuns) -> Self {
        let Some(one_side) = self.one_side.map(|one_side| one_side.with(told)) else { return self };
        Self { failing: one_side.failing(), one_side: Some(one_side), ..self }
    }

    /// Whether there are enough runs of the failing side to know how often it fails, if nothing else is known.
    #[must_use]
    pub fn is_enough_of_failing_side(failing: &Tally) -> bool {
        failing.fail >= Self::FAILURES_TO_MEASURE || failing.runs() >= Self::MOST_RUNS_TO_MEASURE
    }

    fn of(failing: Rate, passing: Rate, confidence: f64) -> Self {
        let noise =
            Self { failing, passing, one_side: None, level: 0.0, expected: None, is_learnt: false, most: 0 };
        noise.with_confidence(confidence)
    }

    /// Sets how sure the answer of a search must be, from 0 to 1.
    #[must_use]
    pub fn with_confidence(mut self, confidence: f64) -> Self {
        self.level = ((1.0 - confidence) / Self::QUESTIONS).clamp(1e-12, 0.1);
        let expected = 10.0 * self.expected_runs();
        self.most = if expected.is_finite() { expected as u32 } else { 0 };
        self.most = self.most.clamp(Self::MOST_RUNS, 10 * Self::MOST_RUNS);
        self
    }

    /// The same for a test that confirms an answer: there are few of them, and the search has found already what to expect.
    #[must_use]
    pub(crate) fn of_confirmation(self, expected: Option<Outcome>) -> Self {
        Self { level: (self.level * Self::QUESTIONS).min(0.1), expected, ..self }
    }

    /// Sets the number of runs after which a test is said to contradict itself.
    #[must_use]
    pub fn with_most_runs(mut self, most: u32) -> Self {
        self.most = most;
        self
    }

    /// About how many runs one question takes, after Wald.
    #[must_use]
    pub fn expected_runs(&self) -> f64 {
        let surprise = |p: f64, q: f64| p * (p / q).ln() + (1.0 - p) * ((1.0 - p) / (1.0 - q)).ln();
        let (failing, passing) = (self.failing_rate(), self.passing_rate());
        (1.0 / self.level).ln() / surprise(failing, passing).min(surprise(passing, failing))
    }

    /// How often the failing side fails.
    #[must_use]
    pub fn failing_rate(&self) -> f64 {
        self.failing.mean()
    }

    /// How often the passing side fails.
    #[must_use]
    pub fn passing_rate(&self) -> f64 {
        self.passing.mean()
    }

    /// What follows from the runs so far.
    #[must_use]
    pub fn decide(&self, tally: &Tally) -> Decision {
        if let Some(odds) = self.one_side.and_then(|one_side| one_side.is_unjudged(tally, self.bound())) {
            return Decision::Believe(Outcome::Unresolved, odds);
        }
        let evidence = self.evidence(f64::from(tally.fail), f64::from(tally.runs() - tally.fail));
        let confidence = |outcome| {
            let known = if self.expected == Some(outcome) { EXPECTATION } else { 0.0 };
            1.0 / (1.0 + (-evidence.abs() - known).exp())
        };
        if evidence >= self.bound_for(Outcome::Fail, tally.runs()) {
            Decision::Believe(Outcome::Fail, confidence(Outcome::Fail))
        } else if evidence <= -self.bound_for(Outcome::Pass, tally.runs()) {
            let outcome = if tally.unresolved > tally.pass { Outcome::Unresolved } else { Outcome::Pass };
            Decision::Believe(outcome, confidence(Outcome::Pass))
        } else if tally.runs() >= self.most {
            Decision::Contradiction
        } else {
            Decision::More
        }
    }

    /// The evidence that an outcome needs after some runs. What is expected needs less, and what is not expected needs more.
    fn bound_for(&self, outcome: Outcome, runs: u32) -> f64 {
        let bound = match self.expected {
            None => self.bound(),
            Some(expected) if expected == outcome => self.bound() - EXPECTATION,
            Some(_) => self.bound() + EXPECTATION,
        };
        if !self.is_learnt {
            return bound;
        }
        // From twice to four times as many runs as expected, the bound falls as far as one answer may take so large a share of the
        // errors, and from there to eight times to the least evidence that is worth anything.
        let factor = f64::from(runs) / self.expected_runs();
        let (too_many, far_too_many) =
            ((factor - 2.0).clamp(0.0, 2.0) / 2.0, (factor - 4.0).clamp(0.0, 4.0) / 4.0);
        let large = LARGE_SHARE.ln().min((bound - LEAST_EVIDENCE).max(0.0));
        bound - too_many * large - far_too_many * (bound - large - LEAST_EVIDENCE).max(0.0)
    }

    // Both kinds of error are equally bad, because each misleads the search.
    fn bound(&self) -> f64 {
        ((1.0 - self.level) / self.level).ln()
    }

    /// The logarithm of how much better the failing side than the passing side predicts these numbers of failures and
    /// other outcomes.
    fn evidence(&self, fails: f64, others: f64) -> f64 {
        let passing = match &self.one_side {
            Some(one_side) => one_side.passing_likelihood(fails, others),
            None => self.passing.likelihood(fails, others),
        };
        self.failing.likelihood(fails, others) - passing
    }
}

/// A hundred to one.
const LEAST_EVIDENCE: f64 = 2.0 * EXPECTATION;

/// How many times its usual share of the errors one answer may take.
const LARGE_SHARE: f64 = 20.0;

/// The evidence for what is expected: ten to one.
const EXPECTATION: f64 = std::f64::consts::LN_10;

/// Whether it is almost certain that the failing side fails more often.
fn clearly_differ(failing: Tally, passing: Tally) -> bool {
    let search = FlakyBisect::new(Ancestry::Line(1), Noise::CONFIDENCE);
    let search = search.knowing(passing.into(), failing.into());
    matches!(search.ask(), Ask::Done(found) if found.culprit.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Fail, Pass, Unresolved};

    /// A small random number generator that is the same on every machine: splitmix64.
    struct SplitMix(u64);

    impl SplitMix {
        fn happens(&mut self, probability: f64) -> bool {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 <= probability
        }
    }

    fn tally(fail: u32, pass: u32) -> Tally {
        Tally { fail, pass, unresolved: 0 }
    }

    fn run(random: &mut SplitMix, fails: f64, tally: &mut Tally) {
        tally.add(if random.happens(fails) { Fail } else { Pass });
    }

    /// Measures in rounds until the two sides can be told apart.
    fn learn(random: &mut SplitMix, failing: f64, passing: f64) -> Result<Noise, IndistinctSides> {
        let mut sides = [Tally::default(); 2];
        loop {
            for _ in 0..Noise::RUNS_TO_MEASURE {
                run(random, failing, &mut sides[0]);
                run(random, passing, &mut sides[1]);
            }
            match Noise::measure(sides[0], sides[1]) {
                Err(_) if sides[0].runs() < Noise::MOST_RUNS_TO_MEASURE => {}
                measured => return measured,
            }
        }
    }

    /// Decides about a candidate with this failure rate. Returns the decision and the number of runs.
    fn ask(noise: &Noise, random: &mut SplitMix, fails: f64) -> (Decision, u32) {
        let mut tally = Tally::default();
        loop {
            run(random, fails, &mut tally);
            match noise.decide(&tally) {
                Decision::More => {}
                decision => return (decision, tally.runs()),
            }
        }
    }

    /// How whole searches went.
    #[derive(Debug, Default)]
    struct RunCounts {
        right: u32,
        misled: u32,
        gave_up: u32,
        refused: u32,
        questions: u32,
        tests: u32,
    }

    /// Simulates whole searches with this number of questions, each with its own measurement of the noise.
    fn whole_runs(of: u32, questions: u32, failing: f64, passing: f64) -> RunCounts {
        let mut random = SplitMix(7);
        let mut runs = RunCounts::default();
        for _ in 0..of {
            let Ok(noise) = learn(&mut random, failing, passing) else {
                runs.refused += 1;
                continue;
            };
            let mut ending = &mut runs.right;
            for question in 0..questions {
                let (rate, expected) = if question % 2 == 0 { (failing, Fail) } else { (passing, Pass) };
                let (decision, tests) = ask(&noise, &mut random, rate);
                runs.questions += 1;
                runs.tests += tests;
                match decision {
                    Decision::Believe(outcome, _) if outcome == expected => continue,
                    Decision::Believe(..) => ending = &mut runs.misled,
                    _ => ending = &mut runs.gave_up,
                }
                break;
            }
            *ending += 1;
        }
        runs
    }

    #[test]
    fn a_search_of_300_questions_is_right_although_one_of_ten_runs_is_wrong() {
        let runs = whole_runs(200, 300, 0.9, 0.1);
        assert!(runs.right >= 198, "{runs:?}");
        assert!(runs.tests / runs.questions <= 12, "{runs:?}");
    }

    #[test]
    fn a_test_that_fails_only_sometimes_and_only_on_the_failing_side_never_misleads() {
        let runs = whole_runs(200, 100, 0.3, 0.0);
        assert!(runs.right >= 190 && runs.misled == 0 && runs.refused == 0, "{runs:?}");
        assert!(runs.tests / runs.questions <= 35, "{runs:?}");
    }

    #[test]
    fn a_test_without_noise_is_decided_in_a_few_runs() {
        let noise = Noise::measure(tally(25, 0), tally(0, 25)).unwrap();
        assert_eq!(noise.decide(&tally(1, 0)), Decision::More);
        assert!(
            matches!(noise.decide(&tally(5, 0)), Decision::Believe(Fail, confidence) if confidence > 0.9999)
        );
        assert!(matches!(noise.decide(&tally(0, 5)), Decision::Believe(Pass, _)));
    }

    #[test]
    fn an_outcome_that_is_not_a_failure_is_decided_by_majority() {
        let noise = Noise::measure(tally(25, 0), tally(0, 25)).unwrap();
        let mostly_unresolved = Tally { pass: 2, fail: 0, unresolved: 3 };
        assert!(matches!(noise.decide(&mostly_unresolved), Decision::Believe(Unresolved, _)));
    }

    #[test]
    fn a_test_between_the_two_sides_contradicts_itself_in_the_end() {
        let noise = Noise::measure(tally(23, 2), tally(2, 23)).unwrap().with_most_runs(40);
        assert_eq!(noise.decide(&tally(20, 20)), Decision::Contradiction);
        assert_eq!(noise.decide(&tally(19, 20)), Decision::More);
    }

    #[test]
    fn sides_that_fail_equally_often_are_refused_with_their_counts() {
        let refusal = Noise::measure(tally(6, 19), tally(4, 21)).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "the test fails about as often on both sides: 6 of 25 runs on the failing side, \
             4 of 25 on the passing side"
        );
        assert!(Noise::measure(tally(0, 25), tally(25, 0)).is_err());
        assert!(Noise::measure(tally(60, 180), tally(50, 190)).is_err());
        assert!(Noise::measure(tally(32, 208), tally(88, 152)).is_err(), "the good side fails more often");
    }

    #[test]
    fn rates_that_are_close_but_clearly_differ_are_not_refused() {
        let noise = Noise::measure(tally(88, 152), tally(32, 208)).unwrap();
        assert!(noise.expected_runs() < 100.0, "{}", noise.expected_runs());
        let mut random = SplitMix(1);
        for _ in 0..20 {
            assert!(matches!(ask(&noise, &mut random, 88.0 / 240.0).0, Decision::Believe(Fail, _)));
            assert!(matches!(ask(&noise, &mut random, 32.0 / 240.0).0, Decision::Believe(Pass, _)));
        }
    }

    #[test]
    fn a_candidate_that_differs_a_little_from_the_rates_of_a_search_is_decided() {
        let count = |fails, passes| FailureCount { fails, passes };
        let rates =
            FlakyRates { confidence: 0.999, passing: count(0, 21), failing: count(22, 8), certainty: 0.999 };
        let mut random = SplitMix(1);
        let decisions: Vec<(Decision, u32)> =
            (0..50).map(|_| ask(&Noise::knowing(&rates), &mut random, 0.5)).collect();
        let is_fail = |decided: &&(Decision, u32)| matches!(decided, (Decision::Believe(Fail, _), 0..200));
        assert!(decisions.iter().filter(is_fail).count() >= 48, "{decisions:?}");
        // So sure that the whole answer can still be as sure as it must be.
        let is_sure =
            |decided: &&(Decision, u32)| matches!(decided.0, Decision::Believe(_, sure) if sure > 0.9995);
        assert!(decisions.iter().filter(is_sure).count() >= 40, "{decisions:?}");
        assert!(!decisions.iter().any(|(decision, _)| matches!(decision, Decision::Believe(Pass, _))));
    }

    #[test]
    fn versions_that_fail_a_quarter_as_often_pass_if_only_the_failing_side_is_known() {
        let mut random = SplitMix(11);
        for rate in [0.2, 0.25, 0.5, 0.8, 1.0] {
            let (mut decided, mut misled) = (0, 0);
            for _ in 0..100 {
                let mut failing = Tally::default();
                while !Noise::is_enough_of_failing_side(&failing) {
                    (0..Noise::RUNS_OF_FAILING_SIDE).for_each(|_| run(&mut random, rate, &mut failing));
                }
                let noise = Noise::of_failing_side(failing, 0.999).unwrap();
                for (candidate, expected) in [(rate, Fail), (rate / 8.0, Pass), (0.0, Pass)] {
                    match ask(&noise, &mut random, candidate).0 {
                        Decision::Believe(outcome, _) if outcome == expected => decided += 1,
                        Decision::Believe(..) => misled += 1,
                        _ => {}
                    }
                }
            }
            assert!(decided >= 295 && misled == 0, "{rate}: {decided} decided, {misled} misled");
        }
        assert!(Noise::of_failing_side(tally(2, 48), 0.999).is_err());
    }

    #[test]
    fn a_confirmation_takes_fewer_runs_than_a_question() {
        let noise = Noise::measure(tally(60, 60), tally(0, 120)).unwrap();
        let after = |expected, runs| noise.of_confirmation(expected).decide(&tally(0, runs));
        assert_eq!(noise.decide(&tally(0, 16)), Decision::More);
        assert_eq!([after(None, 9), after(Some(Fail), 12)], [Decision::More; 2]);
        assert!(matches!(after(None, 12), Decision::Believe(Pass, _)));
        let decided = after(Some(Pass), 8);
        assert!(
            matches!(decided, Decision::Believe(Pass, sure) if sure > 0.999),
            "it was expected: {decided:?}"
        );
    }
}
