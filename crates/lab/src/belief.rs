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

    /// How many more runs it takes at least, whatever they show.
    #[must_use]
    pub(crate) fn surely_needed(&self, tally: &Tally) -> u32 {
        let is_enough = |more: &u32| {
            Outcome::ALL.into_iter().any(|outcome| {
                let mut tally = *tally;
                (0..*more).for_each(|_| tally.add(outcome));
                self.decide(&tally) != Decision::More
            })
        };
        (1..=MOST_AT_ONCE).find(is_enough).unwrap_or(MOST_AT_ONCE)
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

/// More runs of a candidate than this never run at the same time.
const MOST_AT_ONCE: u32 = 16;

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
    fn only_runs_that_are_needed_in_any_case_are_needed_surely() {
        let needed = |repeat: Repeat, runs: &[Outcome]| {
            let mut tally = Tally::default();
            runs.iter().for_each(|outcome| tally.add(*outcome));
            repeat.surely_needed(&tally)
        };
        assert_eq!(needed(Repeat::default(), &[]), 1);
        assert_eq!(needed(Repeat::Times(3), &[]), 3);
        assert_eq!(needed(Repeat::Times(3), &[Fail, Pass, Fail]), 1);
        let tally = |fail, pass| Tally { fail, pass, ..Tally::default() };
        let noise = Repeat::Flaky(Noise::measure(tally(20, 20), tally(0, 40)).unwrap());
        let few = needed(noise, &[]);
        assert!((2..10).contains(&few), "{few}");
        assert_eq!(after(noise, &vec![Fail; few as usize - 1]), Decision::More);
        assert!(matches!(after(noise, &vec![Fail; few as usize]), Decision::Believe(Fail, _)));
    }

    #[test]
    fn zero_repeats_mean_one_run() {
        assert_eq!(after(Repeat::Times(0), &[]), Decision::More);
        assert_eq!(after(Repeat::Times(0), &[Pass]), Decision::Believe(Pass, 1.0));
    }
}
