//! A sequential probability ratio test after Wald: how often must a flaky test be run?
//!
//! Wald compares two known rates. Ours are measured in a few dozen runs, and treating them as exact is misleading: a
//! test that fails in one of ten runs often does not fail in any of 25. So each side is the distribution of rates that
//! its runs leave possible, and the comparison is how well each side predicts the runs of the candidate.

use crate::decision::Decision;
use howcome_dd::Outcome;
use howcome_run::Tally;

/// How the test behaves on each side, and the required level of confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    failing: Rate,
    passing: Rate,
    level: f64,
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

impl IndistinctSides {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(
            "make the test fail more often on the failing side (for example, run it in a loop), or describe \
             the failure with --fails-when"
                .to_owned(),
        )
    }
}

impl Noise {
    /// The probability of a wrong answer to one question. With it, a few hundred answers are all right in 99 of 100
    /// searches.
    pub const LEVEL: f64 = 1e-5;

    /// The number of runs of one configuration after which its test is said to contradict itself.
    pub const MOST_RUNS: u32 = 300;

    /// The number of runs of each side that is enough to measure the noise of most tests. If it is not enough, more
    /// runs might be.
    pub const RUNS_TO_MEASURE: u32 = 30;

    /// The number of runs of each side after which more runs would not help.
    pub const MOST_RUNS_TO_MEASURE: u32 = 240;

    /// Measures the noise from the runs of both sides. If they are not enough, run [`Noise::RUNS_TO_MEASURE`] more of
    /// each side, up to [`Noise::MOST_RUNS_TO_MEASURE`].
    ///
    /// # Errors
    /// If the two sides are not different enough to tell which of them a candidate is like.
    pub fn measure(failing: Tally, passing: Tally) -> Result<Self, IndistinctSides> {
        let noise = Self {
            failing: Rate::of(&failing),
            passing: Rate::of(&passing),
            level: Self::LEVEL,
            most: Self::MOST_RUNS,
        };
        // How soon must a candidate that behaves as expected be decided? Sides that differ after a few runs can be a
        // coincidence, so short measurements must show a larger difference than long ones.
        let looked_for_long = failing.runs().min(passing.runs()) >= Self::MOST_RUNS_TO_MEASURE / 2;
        let runs = if looked_for_long { 75.0 } else { 25.0 };
        let evidence = [noise.failing, noise.passing].map(|rate| {
            let fails = rate.mean() * runs;
            noise.evidence(fails.round(), (runs - fails).round())
        });
        let is_swapped = noise.failing.mean() <= noise.passing.mean();
        if is_swapped || evidence[0] < noise.bound() || evidence[1] > -noise.bound() {
            return Err(IndistinctSides { failing, passing });
        }
        Ok(noise)
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
        let evidence = self.evidence(f64::from(tally.fail), f64::from(tally.runs() - tally.fail));
        let confidence = 1.0 / (1.0 + (-evidence.abs()).exp());
        if evidence >= self.bound() {
            Decision::Believe(Outcome::Fail, confidence)
        } else if evidence <= -self.bound() {
            let outcome = if tally.unresolved > tally.pass { Outcome::Unresolved } else { Outcome::Pass };
            Decision::Believe(outcome, confidence)
        } else if tally.runs() >= self.most {
            Decision::Contradiction
        } else {
            Decision::More
        }
    }

    // Both kinds of error are equally bad, because each misleads the search.
    fn bound(&self) -> f64 {
        ((1.0 - self.level) / self.level).ln()
    }

    /// The logarithm of how much better the failing side than the passing side predicts these numbers of failures and
    /// other outcomes.
    fn evidence(&self, fails: f64, others: f64) -> f64 {
        self.failing.likelihood(fails, others) - self.passing.likelihood(fails, others)
    }
}

/// A beta distribution: the rates that are possible after some runs, starting with Jeffreys' prior.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rate {
    fails: f64,
    others: f64,
}

impl Rate {
    fn of(tally: &Tally) -> Self {
        Self { fails: f64::from(tally.fail) + 0.5, others: f64::from(tally.runs() - tally.fail) + 0.5 }
    }

    fn mean(self) -> f64 {
        self.fails / (self.fails + self.others)
    }

    /// The logarithm of the probability of these numbers of failures and other outcomes, in a given order.
    fn likelihood(self, fails: f64, others: f64) -> f64 {
        rising(self.fails, fails) + rising(self.others, others)
            - rising(self.fails + self.others, fails + others)
    }
}

/// The logarithm of `from * (from + 1) * …` with this number of factors.
fn rising(from: f64, factors: f64) -> f64 {
    let (mut sum, mut done) = (0.0, 0.0);
    while done < factors {
        sum += (from + done).ln();
        done += 1.0;
    }
    sum
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
    }
}
