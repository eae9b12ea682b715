//! Ends a search when the candidate is as small as the user wants it.

use crate::Candidates;
use howcome_dd::{Answer, Ask, Difference, Outcome, Search, SearchWrapper};
use std::sync::Arc;

/// A search over the deltas of a document that ends when what is left of it has at most so many bytes.
#[derive(Clone)]
pub(crate) struct StopWhenSmall<S> {
    search: S,
    candidates: Arc<Candidates>,
    /// The size that is small enough. `None` if the search always runs to its end.
    until: Option<u64>,
    is_small: bool,
}

impl<S: Search<Finding = Difference>> StopWhenSmall<S> {
    pub(crate) fn new(search: S, candidates: &Arc<Candidates>, until: Option<u64>) -> Self {
        Self { search, candidates: Arc::clone(candidates), until, is_small: false }
    }
}

impl<S: Search<Finding = Difference>> SearchWrapper for StopWhenSmall<S> {
    type Inner = S;
    type Finding = Difference;
    const SEES_UNRESOLVED: bool = S::SEES_UNRESOLVED;

    fn inner(&self) -> &S {
        &self.search
    }

    fn outer_ask(&self, ask: Ask<Difference>) -> Ask<Difference> {
        if self.is_small { Ask::Done(self.search.best_difference()) } else { ask }
    }

    fn outer_tell(&mut self, answer: Answer) {
        if self.is_small {
            return;
        }
        let is_failure = answer.outcome == Outcome::Fail;
        self.search.tell(answer);
        if let Some(until) = self.until.filter(|_| is_failure) {
            self.is_small = self.candidates.document(self.search.best_so_far()).size() <= until;
        }
    }
}
