//! Ends a search as soon as an outcome is seen.

use super::stop_early::{StopRule, ToldAnswer};
use crate::{Configuration, Difference, Outcome, Search};
use std::fmt;

/// Ends a search as soon as a test has a certain outcome.
#[derive(Clone, Debug)]
pub struct UntilOutcome {
    awaited: Option<Outcome>,
    seen: Option<Configuration>,
}

/// How a search until an outcome has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundUntil<F> {
    /// What the search has found, or the best so far if the outcome ended it.
    pub finding: Result<F, Difference>,
    /// The first configuration with the outcome, if it was seen.
    pub seen: Option<Configuration>,
}

impl UntilOutcome {
    /// Waits for an outcome. Without one, the search runs to its end.
    #[must_use]
    pub fn new(awaited: Option<Outcome>) -> Self {
        Self { awaited, seen: None }
    }
}

impl<F: Clone + PartialEq + fmt::Debug> StopRule<F> for UntilOutcome {
    type Finding = FoundUntil<F>;

    fn is_met(&self) -> bool {
        self.seen.is_some()
    }

    fn told<S: Search>(&mut self, _search: &S, told: &ToldAnswer) {
        if self.seen.is_none() && self.awaited == Some(told.outcome) {
            self.seen = Some(told.asked.clone());
        }
    }

    fn conclude(&self, finding: Result<F, Difference>) -> Self::Finding {
        FoundUntil { finding, seen: self.seen.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Knowledge, Narrow, StopEarly, drive};

    /// One of 16 deltas is needed to fail.
    fn search(awaited: Option<Outcome>) -> (FoundUntil<Difference>, usize) {
        let all = Configuration::all(16);
        let needed: Configuration = "12".parse().unwrap();
        let search = StopEarly::new(Narrow::new(all.clone()), UntilOutcome::new(awaited));
        let test =
            |asked: &Configuration| if needed.is_subset(asked) { Outcome::Fail } else { Outcome::Pass };
        let conversation = drive(search, &all, &Knowledge::none(), test);
        (conversation.finding, conversation.told.len())
    }

    #[test]
    fn the_outcome_ends_the_search() {
        let (found, tests) = search(Some(Outcome::Pass));
        assert!(found.finding.is_err() && found.seen.is_some(), "{found:?}");
        let (whole, tests_of_whole) = search(None);
        assert_eq!((whole.finding.unwrap().failing.to_string(), whole.seen), ("12".to_owned(), None));
        assert!(tests < tests_of_whole);
    }
}
