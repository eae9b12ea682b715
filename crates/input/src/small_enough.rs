//! Ends a search when the candidate is as small as the user wants it.

use crate::Candidates;
use howcome_dd::{Difference, Outcome, Search, StopRule, ToldAnswer};
use std::sync::Arc;

/// Ends a search over the deltas of a document when what is left of it has at most so many bytes.
#[derive(Clone)]
pub(crate) struct SmallEnough {
    candidates: Arc<Candidates>,
    /// The size that is small enough. `None` if the search always runs to its end.
    until: Option<u64>,
    is_small: bool,
}

impl SmallEnough {
    pub(crate) fn new(candidates: &Arc<Candidates>, until: Option<u64>) -> Self {
        Self { candidates: Arc::clone(candidates), until, is_small: false }
    }
}

impl StopRule for SmallEnough {
    type Finding = Difference;

    fn is_met(&self) -> bool {
        self.is_small
    }

    fn told<S: Search>(&mut self, search: &S, told: &ToldAnswer) {
        if let Some(until) = self.until.filter(|_| told.outcome == Outcome::Fail) {
            self.is_small = self.candidates.document(search.best_so_far()).size() <= until;
        }
    }

    fn conclude(&self, found: Result<Difference, Difference>) -> Difference {
        found.unwrap_or_else(|best| best)
    }
}
