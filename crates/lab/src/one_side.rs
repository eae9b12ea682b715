//! A flaky test of which only the failing side was measured.
//!
//! Nobody knows yet how often a version fails that passes. At first it is assumed to fail at most a quarter as often. Each candidate that is
//! decided says more about both sides, so the next ones take fewer runs.

use crate::rate::Rate;
use howcome_run::{Tally, ToldRuns};

/// What is known if only the failing side was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OneSide {
    measured: Tally,
    told: ToldRuns,
}

/// How many runs an assumed rate counts for. With fewer runs, almost any rate would be possible there, and no number of failures would be
/// evidence against it.
const ASSUMED_RUNS: f64 = 400.0;

/// The measured side and the candidates together count for at most this many runs. Candidates can differ a little.
const MOST_RUNS: f64 = 120.0;

impl OneSide {
    pub(crate) fn of(measured: Tally) -> Self {
        Self { measured, told: ToldRuns::default() }
    }

    /// The same after these runs of decided candidates.
    pub(crate) fn with(self, told: &ToldRuns) -> Self {
        Self { told: *told, ..self }
    }

    /// How often the failing side fails.
    pub(crate) fn failing(&self) -> Rate {
        let mut all = self.measured;
        all += self.told.failing;
        let Rate { fails, others } = Rate::of(&all);
        let share = (MOST_RUNS / (fails + others)).min(1.0);
        Rate { fails: fails * share, others: others * share }
    }

    /// The highest rate of a version that passes.
    pub(crate) fn assumed(&self) -> Rate {
        certainly(self.highest())
    }

    fn highest(&self) -> f64 {
        Rate::of(&self.measured).mean() / 4.0
    }

    /// The rate of the candidates that pass, as far as these were seen.
    fn seen(&self) -> Rate {
        let Tally { fail, pass, unresolved } = self.told.passing;
        let expected = self.highest() / 2.0;
        let runs = f64::from(fail + pass + unresolved);
        certainly(((f64::from(fail) + 0.5) / (runs + 0.5 / expected)).min(self.highest()))
    }

    /// The logarithm of the probability that a version which passes has these runs. Its rate is the highest one, or that of the
    /// candidates so far; these tell which of the two is more probable.
    pub(crate) fn passing_likelihood(&self, fails: f64, others: f64) -> f64 {
        let Tally { fail, pass, unresolved } = self.told.passing;
        let (told_fails, told_others) = (f64::from(fail), f64::from(pass + unresolved));
        let [before, after] = [(0.0, 0.0), (fails, others)].map(|(more_fails, more_others)| {
            let likelihoods = [self.assumed(), self.seen()]
                .map(|rate| rate.likelihood(told_fails + more_fails, told_others + more_others));
            logarithm_of_sum(likelihoods)
        });
        after - before
    }

    /// The certainty that a candidate cannot be judged, if that much evidence says so: the runs of the failing side can be.
    pub(crate) fn is_unjudged(&self, tally: &Tally, bound: f64) -> Option<f64> {
        let mut all = self.measured;
        all += self.told.failing;
        let (unjudged, judged) = (f64::from(tally.unresolved), f64::from(tally.fail + tally.pass));
        let rate = |unjudged: u32, judged: u32| Rate {
            fails: f64::from(unjudged) + 0.5,
            others: f64::from(judged) + 0.5,
        };
        let of_failing = rate(all.unresolved, all.fail + all.pass);
        let of_unjudged = rate(4, 0);
        let evidence = of_unjudged.likelihood(unjudged, judged) - of_failing.likelihood(unjudged, judged);
        (evidence >= bound).then(|| 1.0 / (1.0 + (-evidence).exp()))
    }
}

/// A rate that is known as well as if it had been measured.
fn certainly(rate: f64) -> Rate {
    Rate { fails: rate * ASSUMED_RUNS, others: (1.0 - rate) * ASSUMED_RUNS }
}

fn logarithm_of_sum([one, other]: [f64; 2]) -> f64 {
    let most = one.max(other);
    most + ((one - most).exp() + (other - most).exp()).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::Decision;
    use crate::noise::Noise;
    use howcome_dd::Outcome;

    fn tally(fail: u32, pass: u32, unresolved: u32) -> Tally {
        Tally { pass, fail, unresolved }
    }

    /// How many runs with the same outcome are believed.
    fn runs_until(noise: &Noise, run: Tally) -> (Outcome, u32) {
        let mut seen = Tally::default();
        loop {
            seen += run;
            match noise.decide(&seen) {
                Decision::Believe(outcome, _) => return (outcome, seen.runs()),
                Decision::More => {}
                Decision::Contradiction => panic!("{seen:?}"),
            }
        }
    }

    #[test]
    fn a_candidate_that_cannot_be_judged_is_known_after_a_few_runs() {
        let noise = Noise::of_failing_side(tally(24, 10, 0), 0.999).unwrap();
        let unjudged = tally(0, 0, 1);
        assert_eq!(runs_until(&noise, unjudged), (Outcome::Unresolved, 4));
        let mixed = Noise::of_failing_side(tally(24, 10, 10), 0.999).unwrap();
        assert!(runs_until(&mixed, unjudged).1 > 8);
    }

    #[test]
    fn what_was_decided_makes_further_decisions_shorter() {
        let noise = Noise::of_failing_side(tally(24, 10, 0), 0.999).unwrap();
        let told = ToldRuns { failing: tally(40, 20, 0), passing: tally(0, 34, 0) };
        let later = noise.with_told_runs(&told);
        for run in [tally(0, 1, 0), tally(1, 1, 0)] {
            let [(before, many), (after, few)] = [noise, later].map(|noise| runs_until(&noise, run));
            assert_eq!(before, after);
            assert!(few < many, "{run:?}: {few} instead of {many}");
        }
        // Candidates that sometimes fail still pass.
        assert_eq!(runs_until(&later, tally(1, 9, 0)).0, Outcome::Pass);
    }
}
