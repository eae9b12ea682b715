//! A search that gives up where most of its questions are unresolved.

use crate::{Answer, Ask, Outcome, Search, SearchWrapper};

/// Another search, given up once so many of its answers were unresolved. Then it finds nothing.
#[derive(Clone, Debug)]
pub struct UnresolvedLimit<S> {
    search: S,
    unresolved_left: u32,
}

impl<S: Search> UnresolvedLimit<S> {
    /// The search ends with the unresolved answer after so many of them.
    #[must_use]
    pub fn new(search: S, most_unresolved: u32) -> Self {
        Self { search, unresolved_left: most_unresolved.saturating_add(1) }
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
            Ask::Test(_) if self.unresolved_left == 0 => Ask::Done(None),
            Ask::Test(question) => Ask::Test(question),
        }
    }

    fn outer_tell(&mut self, answer: Answer) {
        if let Ask::Done(_) = self.ask() {
            return;
        }
        if answer.outcome == Outcome::Unresolved {
            self.unresolved_left -= 1;
        }
        self.search.tell(answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Configuration, Difference, Knowledge, Narrow, drive};

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
    fn a_search_in_the_dark_is_given_up() {
        assert_eq!(search(5), (None, 6));
    }

    #[test]
    fn a_search_that_comes_to_an_end_before_finds_the_same() {
        let (found, _) = search(1000);
        assert_eq!(found.map(|found| found.failing), Some(Configuration::all(8)));
    }
}
