//! Stops a search that no longer gets on.

use crate::{Answer, Ask, Difference, Search, SearchWrapper};

/// A search that ends after a number of tests that did not leave fewer suspects. It finds what it has found so far.
#[derive(Clone, Debug)]
pub struct ProgressLimit<S> {
    search: S,
    most: u32,
    without_progress: u32,
    least_left: usize,
}

impl<S: Search<Finding = Difference>> ProgressLimit<S> {
    /// Allows `most` tests without progress. The next one ends the search.
    #[must_use]
    pub fn new(search: S, most: u32) -> Self {
        let least_left = search.left();
        Self { search, most, without_progress: 0, least_left }
    }
}

impl<S: Search<Finding = Difference>> SearchWrapper for ProgressLimit<S> {
    type Inner = S;
    type Finding = Difference;
    const SEES_UNRESOLVED: bool = S::SEES_UNRESOLVED;

    fn inner(&self) -> &S {
        &self.search
    }

    fn outer_ask(&self, ask: Ask<Difference>) -> Ask<Difference> {
        if self.without_progress > self.most { Ask::Done(self.search.best_difference()) } else { ask }
    }

    fn outer_tell(&mut self, answer: Answer) {
        let Ask::Test(_) = self.ask() else { return };
        let is_test = !answer.is_predicted;
        self.search.tell(answer);
        let left = self.search.left();
        if left < self.least_left {
            (self.least_left, self.without_progress) = (left, 0);
        } else if is_test {
            self.without_progress += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Configuration, Knowledge, Narrow, Outcome, drive};

    #[test]
    fn a_search_without_progress_ends_with_what_it_has() {
        let all = Configuration::all(64);
        let half: Configuration = "1-32".parse().unwrap();
        let search = ProgressLimit::new(Narrow::new(all.clone()), 5);
        let conversation = drive(search, &all, &Knowledge::none(), |tested| {
            if *tested == half { Outcome::Fail } else { Outcome::Unresolved }
        });
        assert_eq!(conversation.finding.failing, half);
        assert_eq!(conversation.told.len(), 7, "one with progress, and six without");
    }
}
