//! Wald's sequential probability ratio test: how often must a flaky test be run?

use crate::belief::Decision;
use howcome_dd::Outcome;
use howcome_run::Tally;

/// How often the test fails on each side, and how sure one wants to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    failing: f64,
    passing: f64,
    level: f64,
    most: u32,
}

/// The two sides cannot be told apart.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the test fails about as often on both sides: {} of {} runs on the failing side, {} of {} on the passing side",
    failing.fail, failing.runs(), passing.fail, passing.runs()
)]
pub struct Indistinct {
    /// The runs of the failing side.
    pub failing: Tally,
    /// The runs of the passing side.
    pub passing: Tally,
}

impl Indistinct {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(
            "make the test fail more often on the failing side (run it in a loop, say), or tell the failure \
             from other failures with --fails-when"
                .to_owned(),
        )
    }
}

impl Noise {
    /// The probability of a wrong answer to one question: a few hundred of them are all right with 99 in 100.
    pub const LEVEL: f64 = 1e-5;

    /// The runs of one configuration after which its test is said to contradict itself.
    pub const MOST_RUNS: u32 = 200;

    /// The runs of each side that are enough to learn how noisy the test is.
    pub const RUNS_TO_MEASURE: u32 = 25;

    /// What the runs of both sides tell.
    ///
    /// # Errors
    /// Where the failing side does not fail clearly more often than the passing side.
    pub fn measure(failing: Tally, passing: Tally) -> Result<Self, Indistinct> {
        let noise = Self {
            failing: rate(&failing),
            passing: rate(&passing),
            level: Self::LEVEL,
            most: Self::MOST_RUNS,
        };
        // The rates are themselves measured, so they must differ by more than chance explains: three deviations.
        let spread = (variance(&failing) + variance(&passing)).sqrt();
        if noise.failing - noise.passing < 3.0 * spread || noise.expected_runs() > f64::from(noise.most) / 2.0
        {
            return Err(Indistinct { failing, passing });
        }
        Ok(noise)
    }

    /// The same with another probability of a wrong answer to one question.
    #[must_use]
    pub fn with_level(mut self, level: f64) -> Self {
        self.level = level.clamp(1e-12, 0.25);
        self
    }

    /// The same with another number of runs after which a test is said to contradict itself.
    #[must_use]
    pub fn with_most_runs(mut self, most: u32) -> Self {
        self.most = most;
        self
    }

    /// How often the failing side fails.
    #[must_use]
    pub fn failing_rate(&self) -> f64 {
        self.failing
    }

    /// How often the passing side fails.
    #[must_use]
    pub fn passing_rate(&self) -> f64 {
        self.passing
    }

    /// How many runs a question will take on average, by Wald's approximation, for the side that takes longer.
    #[must_use]
    pub fn expected_runs(&self) -> f64 {
        let drift = |rate: f64| (rate * self.weight_of_fail() + (1.0 - rate) * self.weight_of_other()).abs();
        self.bound() / drift(self.failing).min(drift(self.passing))
    }

    /// What follows from the runs so far.
    #[must_use]
    pub fn decide(&self, tally: &Tally) -> Decision {
        let others = f64::from(tally.pass) + f64::from(tally.unresolved);
        let evidence = f64::from(tally.fail) * self.weight_of_fail() + others * self.weight_of_other();
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

    // Both kinds of error are equally bad: each leads a search astray.
    fn bound(&self) -> f64 {
        ((1.0 - self.level) / self.level).ln()
    }

    fn weight_of_fail(&self) -> f64 {
        (self.failing / self.passing).ln()
    }

    fn weight_of_other(&self) -> f64 {
        ((1.0 - self.failing) / (1.0 - self.passing)).ln()
    }
}

// The mean of a Beta distribution with Jeffreys' prior. It never is 0 or 1, so a single run never decides for good.
fn rate(tally: &Tally) -> f64 {
    (f64::from(tally.fail) + 0.5) / (f64::from(tally.runs()) + 1.0)
}

fn variance(tally: &Tally) -> f64 {
    rate(tally) * (1.0 - rate(tally)) / (f64::from(tally.runs()) + 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Fail, Pass, Unresolved};

    /// A small generator of random numbers, the same on every machine: splitmix64.
    struct Random(u64);

    impl Random {
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

    fn measured(random: &mut Random, fails: f64, runs: u32) -> Tally {
        let fail = (0..runs).filter(|_| random.happens(fails)).count() as u32;
        tally(fail, runs - fail)
    }

    /// Asks about a candidate that fails so often; the decision and the number of runs.
    fn ask(noise: &Noise, random: &mut Random, fails: f64) -> (Decision, u32) {
        let mut tally = Tally::default();
        loop {
            tally.add(if random.happens(fails) { Fail } else { Pass });
            match noise.decide(&tally) {
                Decision::More => {}
                decision => return (decision, tally.runs()),
            }
        }
    }

    /// Whole runs of so many questions, each with noise measured afresh: how many of them had all answers right, how
    /// many were refused, and the mean number of runs a question.
    fn whole_runs(of: u32, questions: u32, failing: f64, passing: f64) -> (u32, u32, f64) {
        let mut random = Random(7);
        let (mut right, mut refused, mut asked, mut spent) = (0, 0, 0, 0);
        for _ in 0..of {
            let sides = [failing, passing].map(|rate| measured(&mut random, rate, Noise::RUNS_TO_MEASURE));
            let Ok(noise) = Noise::measure(sides[0], sides[1]) else {
                refused += 1;
                continue;
            };
            let all_right = (0..questions).all(|question| {
                let fails = question % 2 == 0;
                let (decision, runs) = ask(&noise, &mut random, if fails { failing } else { passing });
                asked += 1;
                spent += runs;
                matches!(
                    (decision, fails),
                    (Decision::Believe(Fail, _), true) | (Decision::Believe(Pass, _), false)
                )
            });
            right += u32::from(all_right);
        }
        (right, refused, f64::from(spent) / f64::from(asked))
    }

    #[test]
    fn a_test_that_lies_in_one_of_ten_runs_leads_a_search_of_300_questions_right() {
        let (right, refused, runs) = whole_runs(200, 300, 0.9, 0.1);
        assert_eq!(refused, 0);
        assert!(right >= 198, "{right} of 200 runs were right");
        assert!(runs < 12.0, "{runs} runs a question");
    }

    #[test]
    fn a_test_that_fails_now_and_then_on_the_failing_side_only_is_understood() {
        let (right, refused, runs) = whole_runs(200, 100, 0.3, 0.0);
        assert!(refused <= 20, "{refused} of 200 were refused");
        assert!(right >= 198 - refused, "{right} of 200 runs were right, {refused} refused");
        assert!(runs < 45.0, "{runs} runs a question");
    }

    #[test]
    fn a_test_without_noise_is_decided_in_a_few_runs() {
        let noise = Noise::measure(tally(25, 0), tally(0, 25)).unwrap();
        assert_eq!(noise.decide(&tally(1, 0)), Decision::More);
        assert!(
            matches!(noise.decide(&tally(3, 0)), Decision::Believe(Fail, confidence) if confidence > 0.9999)
        );
        assert!(matches!(noise.decide(&tally(0, 3)), Decision::Believe(Pass, _)));
    }

    #[test]
    fn what_does_not_fail_passes_or_is_unresolved_by_majority() {
        let noise = Noise::measure(tally(25, 0), tally(0, 25)).unwrap();
        let mostly_unresolved = Tally { pass: 1, fail: 0, unresolved: 3 };
        assert!(matches!(noise.decide(&mostly_unresolved), Decision::Believe(Unresolved, _)));
    }

    #[test]
    fn a_test_that_is_between_the_two_sides_contradicts_itself_in_the_end() {
        let noise = Noise::measure(tally(23, 2), tally(2, 23)).unwrap().with_most_runs(40);
        assert_eq!(noise.decide(&tally(20, 20)), Decision::Contradiction);
        assert_eq!(noise.decide(&tally(19, 20)), Decision::More);
    }

    #[test]
    fn sides_that_fail_alike_are_refused_with_what_was_seen() {
        let refusal = Noise::measure(tally(6, 19), tally(4, 21)).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "the test fails about as often on both sides: 6 of 25 runs on the failing side, \
             4 of 25 on the passing side"
        );
        assert!(Noise::measure(tally(0, 25), tally(25, 0)).is_err());
    }
}
