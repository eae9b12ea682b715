//! A search that gives up where most of its questions are unresolved.

use crate::search::as_the_search_inside;
use crate::{Answer, Ask, Configuration, Difference, Outcome, Search};

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

impl<S: Search> Search for UnresolvedLimit<S> {
    type Finding = Option<S::Finding>;
    const SEES_UNRESOLVED: bool = true;
    const KEEPS_WHAT_PASSES: bool = S::KEEPS_WHAT_PASSES;

    fn ask(&self) -> Ask<Self::Finding> {
        match self.search.ask() {
            Ask::Done(finding) => Ask::Done(Some(finding)),
            Ask::Test(_) if self.unresolved_left == 0 => Ask::Done(None),
            Ask::Test(question) => Ask::Test(question),
        }
    }

    fn tell(&mut self, answer: Answer) {
        if let (Outcome::Unresolved, Ask::Test(_)) = (answer.outcome, self.ask()) {
            self.unresolved_left -= 1;
        }
        self.search.tell(answer);
    }

    as_the_search_inside!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Knowledge, Narrow, drive};

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
