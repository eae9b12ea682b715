//! Ends a search that no longer gets on.

use super::stop_early::{StopRule, ToldAnswer};
use crate::{Difference, Outcome, Search};

/// Ends a search after too many tests that leave no fewer suspects, or after too many that are unresolved.
#[derive(Clone, Debug)]
pub struct SearchLimit {
    without_progress_left: u32,
    most_without_progress: u32,
    unresolved_left: u32,
    most_unresolved: u32,
    /// A prediction costs no test but takes a moment, so there are many of them, but not any number.
    predictions_left: u32,
    least_left: Option<usize>,
}

/// What a search with a limit has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundWithinLimit {
    /// The finding.
    pub found: Difference,
    /// The limit that ended the search, if it did not come to its own end.
    pub limit: Option<LimitReached>,
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitReached {
    /// This many tests in a row left no fewer suspects.
    WithoutProgress(u32),
    /// This many tests were unresolved.
    Unresolved(u32),
}

/// How many predictions without progress are allowed for each test.
const PREDICTIONS_PER_TEST: u32 = 64;

impl SearchLimit {
    /// Allows `most` tests in a row without progress. The next one ends the search.
    #[must_use]
    pub fn of_progress(most: u32) -> Self {
        let left = most.saturating_add(1);
        Self {
            without_progress_left: left,
            most_without_progress: left,
            unresolved_left: u32::MAX,
            most_unresolved: u32::MAX,
            predictions_left: left.saturating_mul(PREDICTIONS_PER_TEST),
            least_left: None,
        }
    }

    /// Allows `most` unresolved tests in all. The next one ends the search.
    #[must_use]
    pub fn and_unresolved(self, most: u32) -> Self {
        let left = most.saturating_add(1);
        Self { unresolved_left: left, most_unresolved: left, ..self }
    }
}

impl StopRule for SearchLimit {
    type Finding = FoundWithinLimit;
    const SEES_UNRESOLVED: bool = true;

    fn is_met(&self) -> bool {
        self.without_progress_left == 0 || self.unresolved_left == 0 || self.predictions_left == 0
    }

    fn told<S: Search>(&mut self, search: &S, told: &ToldAnswer) {
        let left = search.left();
        let least = self.least_left.unwrap_or(told.left_before);
        let is_progress = left < least;
        let most = self.most_without_progress;
        if is_progress {
            self.without_progress_left = most;
            self.predictions_left = most.saturating_mul(PREDICTIONS_PER_TEST);
        } else if told.is_predicted {
            self.predictions_left = self.predictions_left.saturating_sub(1);
        } else if most < u32::MAX {
            self.without_progress_left = self.without_progress_left.saturating_sub(1);
        }
        if told.outcome == Outcome::Unresolved && !told.is_predicted && self.unresolved_left < u32::MAX {
            self.unresolved_left = self.unresolved_left.saturating_sub(1);
        }
        self.least_left = Some(least.min(left));
    }

    fn conclude(&self, found: Result<Difference, Difference>) -> FoundWithinLimit {
        let limit = match self.unresolved_left {
            0 => LimitReached::Unresolved(self.most_unresolved),
            _ => LimitReached::WithoutProgress(self.most_without_progress),
        };
        let (found, limit) = found.map_or_else(|best| (best, Some(limit)), |found| (found, None));
        FoundWithinLimit { found, limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Ask, Configuration, Hints, Knowledge, Narrow, StopEarly, drive};

    fn search(limit: SearchLimit, fails: &Configuration) -> (FoundWithinLimit, usize) {
        let all = Configuration::all(64);
        let search = StopEarly::new(Narrow::new(all.clone()), limit);
        let conversation = drive(search, &all, &Knowledge::none(), |tested| {
            if tested == fails { Outcome::Fail } else { Outcome::Unresolved }
        });
        (conversation.finding, conversation.told.len())
    }

    #[test]
    fn a_search_without_progress_ends_with_what_it_has() {
        let half: Configuration = "1-32".parse().unwrap();
        let (finding, tests) = search(SearchLimit::of_progress(5), &half);
        assert_eq!(
            finding,
            FoundWithinLimit {
                found: Difference { passing: Configuration::empty(), failing: half },
                limit: Some(LimitReached::WithoutProgress(6)),
            }
        );
        assert_eq!(tests, 7, "one with progress, and six without");
    }

    #[test]
    fn a_search_with_too_many_unresolved_tests_ends_with_what_it_has() {
        let (finding, tests) =
            search(SearchLimit::of_progress(100).and_unresolved(3), &Configuration::empty());
        assert_eq!((finding.limit, tests), (Some(LimitReached::Unresolved(4)), 4));
    }

    #[test]
    fn a_search_that_ends_before_its_limit_is_complete() {
        let (finding, _) = search(SearchLimit::of_progress(u32::MAX), &Configuration::empty());
        assert_eq!(finding.limit, None);
    }

    #[test]
    fn predictions_cost_no_tests_but_do_not_go_on_forever() {
        let search = Narrow::new(Configuration::all(1000));
        let mut search = StopEarly::new(search, SearchLimit::of_progress(1));
        let mut predicted = 0;
        while let Ask::Test(_) = search.ask() {
            search.tell(Answer::rejected(Hints::default()));
            predicted += 1;
        }
        assert_eq!(predicted, 2 * PREDICTIONS_PER_TEST);
    }
}
