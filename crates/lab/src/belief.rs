//! When to believe an outcome: after one run, after several equal ones, or when a sequential test has decided.

use crate::decision::Decision;
use crate::noise::Noise;
use howcome_dd::Outcome;
use howcome_run::{Tally, ToldRuns};

/// How often a test is run before its outcome is believed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Repeat {
    /// Until one outcome was seen this many times.
    Times(u32),
    /// Until the runs show whether the test behaves like the failing side or like the passing side.
    Flaky(Noise),
}

impl Default for Repeat {
    fn default() -> Self {
        Repeat::Times(1)
    }
}

impl Repeat {
    /// How often a test that confirms an answer is run. The search has found already what to expect, and confirmations are
    /// few.
    #[must_use]
    pub(crate) fn of_confirmation(self, expected: Option<Outcome>) -> Self {
        match self {
            Repeat::Times(_) => self,
            Repeat::Flaky(noise) => Repeat::Flaky(noise.of_confirmation(expected)),
        }
    }

    /// The same after the runs of candidates that were decided.
    #[must_use]
    pub(crate) fn knowing(self, told: &ToldRuns) -> Self {
        match self {
            Repeat::Times(_) => self,
            Repeat::Flaky(noise) => Repeat::Flaky(noise.with_told_runs(told)),
        }
    }

    /// What follows from the runs so far.
    #[must_use]
    pub fn decide(&self, tally: &Tally) -> Decision {
        match self {
            Repeat::Times(times) => decide_by_count(tally, (*times).max(1)),
            Repeat::Flaky(noise) => noise.decide(tally),
        }
    }
}

// With three outcomes, one of them has been seen n times after 3n-2 runs at the latest.
fn decide_by_count(tally: &Tally, times: u32) -> Decision {
    let believed = Outcome::ALL.into_iter().find(|outcome| tally.count(*outcome) >= times);
    believed.map_or(Decision::More, |outcome| Decision::Believe(outcome, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Fail, Pass, Unresolved};

    fn after(repeat: Repeat, runs: &[Outcome]) -> Decision {
        let mut tally = Tally::default();
        runs.iter().for_each(|outcome| tally.add(*outcome));
        repeat.decide(&tally)
    }

    #[test]
    fn one_run_is_enough_by_default() {
        assert_eq!(after(Repeat::default(), &[Fail]), Decision::Believe(Fail, 1.0));
    }

    #[test]
    fn an_outcome_is_believed_once_it_was_seen_often_enough_even_if_others_were_seen_too() {
        let three = Repeat::Times(3);
        assert_eq!(after(three, &[Fail, Pass, Fail, Pass, Unresolved, Unresolved]), Decision::More);
        assert_eq!(after(three, &[Fail, Pass, Fail, Pass, Pass]), Decision::Believe(Pass, 1.0));
    }

    #[test]
    fn zero_repeats_mean_one_run() {
        assert_eq!(after(Repeat::Times(0), &[]), Decision::More);
        assert_eq!(after(Repeat::Times(0), &[Pass]), Decision::Believe(Pass, 1.0));
    }
}
