//! Stops a search after too many unresolved answers.

use crate::{Answer, Ask, Outcome, Search, SearchWrapper};

/// A search that finds nothing if too many of its answers are unresolved.
#[derive(Clone, Debug)]
pub struct UnresolvedLimit<S> {
    search: S,
    unresolved_left: u32,
    /// A prediction costs no test but takes a moment, so there are many of them, but not any number.
    predictions_left: u32,
}

/// How many unresolved predictions are allowed for each unresolved test.
const PREDICTIONS_PER_TEST: u32 = 64;

impl<S: Search> UnresolvedLimit<S> {
    /// Allows `most_unresolved` unresolved answers of tests. The next one ends the search.
    #[must_use]
    pub fn new(search: S, most_unresolved: u32) -> Self {
        let unresolved_left = most_unresolved.saturating_add(1);
        let predictions_left = unresolved_left.saturating_mul(PREDICTIONS_PER_TEST);
        Self { search, unresolved_left, predictions_left }
    }
}

impl<S: Search> SearchWrapper for UnresolvedLimit<S> {
    type Inner = S;
    type Finding = Option<S::Finding>;
    const SEES_UNRESOLVED: bool = true;

    fn inner(&self) -> &S {
        &self.search
    }

    fn outer_ask(&self, ask: Ask<S::Finding>) -> Ask<Self::Finding> {
        match ask {
            Ask::Done(finding) => Ask::Done(Some(finding)),
            Ask::Test(_) if self.unresolved_left == 0 || self.predictions_left == 0 => Ask::Done(None),
            Ask::Test(question) => Ask::Test(question),
        }
    }

    fn outer_tell(&mut self, answer: Answer) {
        if let Ask::Done(_) = self.ask() {
            return;
        }
        if answer.outcome == Outcome::Unresolved {
            *if answer.is_predicted { &mut self.predictions_left } else { &mut self.unresolved_left } -= 1;
        }
        self.search.tell(answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Configuration, Difference, Hints, Knowledge, Narrow, drive};

    fn search(most_unresolved: u32) -> (Option<Difference>, u32) {
        let mut unresolved = 0;
        let bounded = UnresolvedLimit::new(Narrow::new(Configuration::all(8)), most_unresolved);
        let conversation = drive(bounded, &Configuration::all(8), &Knowledge::none(), |_| {
            unresolved += 1;
            Outcome::Unresolved
        });
        (conversation.finding, unresolved)
    }

    #[test]
    fn a_search_that_resolves_nothing_is_stopped() {
        assert_eq!(search(5), (None, 6));
    }

    #[test]
    fn predictions_cost_no_tests_but_do_not_go_on_forever() {
        let mut search = UnresolvedLimit::new(Narrow::new(Configuration::all(1000)), 1);
        let mut predicted = 0;
        while let Ask::Test(_) = search.ask() {
            search.tell(Answer::rejected(Hints::default()));
            predicted += 1;
        }
        assert_eq!((search.ask(), predicted), (Ask::Done(None), 2 * PREDICTIONS_PER_TEST));
    }

    #[test]
    fn a_search_that_ends_before_the_limit_finds_the_same() {
        let (found, _) = search(1000);
        assert_eq!(found.map(|found| found.failing), Some(Configuration::all(8)));
    }
}
