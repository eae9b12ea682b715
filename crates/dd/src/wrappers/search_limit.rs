//! Ends a search that no longer gets on.

use super::stop_early::{StopRule, ToldAnswer};
use crate::{Difference, Outcome, Search};

/// Ends a search after too many tests that leave no fewer suspects, or hardly fewer, after too many that are unresolved, or after too
/// many in all.
#[derive(Clone, Debug)]
pub struct SearchLimit {
    without_progress_left: u32,
    most_without_progress: u32,
    /// If at most this many suspects are left, other limits hold.
    few: usize,
    most_if_few: u32,
    unresolved_left: u32,
    most_unresolved: u32,
    tests_left: u32,
    most_tests: u32,
    /// A prediction costs no test but takes a moment, so there are many of them, but not any number.
    predictions_left: u32,
    /// Progress is at least one part in this many of the suspects; `usize::MAX` if any is.
    share: usize,
    /// How many suspects there were at the last progress.
    left_then: Option<usize>,
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
    /// This many tests in a row left no fewer suspects, or hardly fewer.
    WithoutProgress(u32),
    /// This many tests were unresolved.
    Unresolved(u32),
    /// This many tests were run in all.
    InAll(u32),
}

/// How many predictions without progress are allowed for each test.
const PREDICTIONS_PER_TEST: u32 = 64;

impl SearchLimit {
    /// Ends a search after `most` tests in a row without progress.
    #[must_use]
    pub fn of_progress(most: u32) -> Self {
        Self {
            without_progress_left: most,
            most_without_progress: most,
            few: 0,
            most_if_few: most,
            unresolved_left: u32::MAX,
            most_unresolved: u32::MAX,
            tests_left: u32::MAX,
            most_tests: u32::MAX,
            predictions_left: most.saturating_mul(PREDICTIONS_PER_TEST),
            share: usize::MAX,
            left_then: None,
        }
    }

    /// Tests that together remove less than an eighth of the suspects are no progress. Otherwise, a search with hundreds of suspects
    /// could spend many tests on each of them.
    #[must_use]
    pub fn by_eighths(self) -> Self {
        Self { share: 8, ..self }
    }

    /// Ends it after fewer tests in a row without progress if at most `few` suspects are left: for a search that another one goes on with.
    #[must_use]
    pub fn and_if_few(self, few: usize, most: u32) -> Self {
        Self { few, most_if_few: most.min(self.most_without_progress), ..self }
    }

    /// Ends it also after `most` unresolved tests in all.
    #[must_use]
    pub fn and_unresolved(self, most: u32) -> Self {
        Self { unresolved_left: most, most_unresolved: most, ..self }
    }

    /// Ends it also after `most` tests in all.
    #[must_use]
    pub fn and_in_all(self, most: u32) -> Self {
        Self { tests_left: most, most_tests: most, ..self }
    }

    /// Takes note of an answer after which this many suspects are left.
    fn note(&mut self, left: usize, told: &ToldAnswer) {
        let left_then = *self.left_then.get_or_insert(told.left_before);
        let is_progress = left + (left_then / self.share).max(1) <= left_then;
        if is_progress && left <= self.few {
            self.most_without_progress = self.most_if_few;
        }
        let most = self.most_without_progress;
        if is_progress {
            self.without_progress_left = most;
            self.predictions_left = most.saturating_mul(PREDICTIONS_PER_TEST);
            self.left_then = Some(left);
        } else if told.is_predicted {
            self.predictions_left = self.predictions_left.saturating_sub(1);
        } else if most < u32::MAX {
            self.without_progress_left = self.without_progress_left.saturating_sub(1);
        }
        if told.outcome == Outcome::Unresolved && !told.is_predicted && self.unresolved_left < u32::MAX {
            self.unresolved_left = self.unresolved_left.saturating_sub(1);
        }
        if !told.is_predicted && self.tests_left < u32::MAX {
            self.tests_left = self.tests_left.saturating_sub(1);
        }
    }
}

impl StopRule for SearchLimit {
    type Finding = FoundWithinLimit;
    const SEES_UNRESOLVED: bool = true;

    fn is_met(&self) -> bool {
        let left = [self.without_progress_left, self.unresolved_left, self.predictions_left, self.tests_left];
        left.contains(&0)
    }

    fn told<S: Search>(&mut self, search: &S, told: &ToldAnswer) {
        self.note(search.left(), told);
    }

    fn conclude(&self, found: Result<Difference, Difference>) -> FoundWithinLimit {
        let limit = match (self.unresolved_left, self.tests_left) {
            (0, _) => LimitReached::Unresolved(self.most_unresolved),
            (_, 0) => LimitReached::InAll(self.most_tests),
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
    fn a_search_with_few_suspects_left_ends_earlier() {
        let half: Configuration = "1-32".parse().unwrap();
        let limit = SearchLimit::of_progress(20).and_if_few(32, 3);
        let (finding, tests) = search(limit, &half);
        assert_eq!((finding.limit, tests), (Some(LimitReached::WithoutProgress(3)), 4));
        let limit = SearchLimit::of_progress(20).and_if_few(31, 3);
        assert_eq!(search(limit, &half).0.limit, Some(LimitReached::WithoutProgress(20)));
    }

    #[test]
    fn a_search_without_progress_ends_with_what_it_has() {
        let half: Configuration = "1-32".parse().unwrap();
        let (finding, tests) = search(SearchLimit::of_progress(6), &half);
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
    fn a_search_ends_after_so_many_tests_in_all_whatever_its_progress() {
        let all = Configuration::all(64);
        let search = StopEarly::new(Narrow::new(all.clone()), SearchLimit::of_progress(6).and_in_all(3));
        let conversation = drive(search, &all, &Knowledge::none(), |tested| {
            if tested.contains(crate::DeltaId(5)) { Outcome::Fail } else { Outcome::Pass }
        });
        assert_eq!(conversation.told.len(), 3);
        assert_eq!(conversation.finding.limit, Some(LimitReached::InAll(3)));
        assert_eq!(conversation.finding.found.failing, "1-8".parse().unwrap());
    }

    /// How many tests a search takes if every sixth of them removes one of 64 suspects.
    fn trickle(mut limit: SearchLimit) -> usize {
        let mut tests = 0;
        while !StopRule::<Difference>::is_met(&limit) && tests < 100 {
            let left_before = 64 - tests / 6;
            tests += 1;
            let (outcome, removed) = (Outcome::Unresolved, Configuration::empty());
            let asked = Configuration::empty();
            let told = ToldAnswer { outcome, is_predicted: false, asked, removed, left_before };
            limit.note(64 - tests / 6, &told);
        }
        tests
    }

    #[test]
    fn a_search_that_hardly_gets_on_ends_too() {
        assert_eq!(trickle(SearchLimit::of_progress(25).by_eighths()), 25);
        assert_eq!(trickle(SearchLimit::of_progress(25)), 100);
    }

    #[test]
    fn a_search_with_too_many_unresolved_tests_ends_with_what_it_has() {
        let (finding, tests) =
            search(SearchLimit::of_progress(100).and_unresolved(4), &Configuration::empty());
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
        let mut search = StopEarly::new(search, SearchLimit::of_progress(2));
        let mut predicted = 0;
        while let Ask::Test(_) = search.ask() {
            search.tell(Answer::rejected(Hints::default()));
            predicted += 1;
        }
        assert_eq!(predicted, 2 * PREDICTIONS_PER_TEST);
    }
}
