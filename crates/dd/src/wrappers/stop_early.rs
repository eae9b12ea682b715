//! What all wrappers that end a search early share.

use crate::{Answer, Ask, Configuration, Difference, Outcome, Question, Search, SearchWrapper};
use std::fmt;

/// A search that ends as soon as a rule says so. It finds what it has found so far.
#[derive(Clone, Debug)]
pub struct StopEarly<S, R> {
    search: S,
    rule: R,
}

/// When to end a search early. `F` is what the search finds at its own end.
pub trait StopRule<F = Difference>: Clone {
    /// What the search finds under this rule.
    type Finding: Clone + PartialEq + fmt::Debug;

    /// See [`Search::SEES_UNRESOLVED`].
    const SEES_UNRESOLVED: bool = false;

    /// Whether the search is to end now.
    fn is_met(&self) -> bool;

    /// Takes note of an answer. The search knows it already.
    fn told<S: Search>(&mut self, search: &S, told: &ToldAnswer);

    /// What the search has found at its own end, or the best so far if this rule has ended it.
    fn conclude(&self, found: Result<F, Difference>) -> Self::Finding;
}

/// What a rule sees of an answer.
#[derive(Clone, Debug)]
pub struct ToldAnswer {
    /// The outcome.
    pub outcome: Outcome,
    /// Whether nothing was built or run for it.
    pub is_predicted: bool,
    /// What was asked.
    pub asked: Configuration,
    /// The deltas that the best configuration has no longer.
    pub removed: Configuration,
    /// How many suspects there were before it.
    pub left_before: usize,
}

impl<S: Search, R: StopRule<S::Finding>> StopEarly<S, R> {
    /// Ends a search by a rule.
    #[must_use]
    pub fn new(search: S, rule: R) -> Self {
        Self { search, rule }
    }
}

impl<S: Search, R: StopRule<S::Finding>> SearchWrapper for StopEarly<S, R> {
    type Inner = S;
    type Finding = R::Finding;
    const SEES_UNRESOLVED: bool = S::SEES_UNRESOLVED || R::SEES_UNRESOLVED;

    fn inner(&self) -> &S {
        &self.search
    }

    fn outer_ask(&self, ask: Ask<S::Finding>) -> Ask<R::Finding> {
        match ask {
            Ask::Done(found) => Ask::Done(self.rule.conclude(Ok(found))),
            Ask::Test(_) if self.rule.is_met() => {
                Ask::Done(self.rule.conclude(Err(self.search.best_difference())))
            }
            Ask::Test(question) => Ask::Test(question),
        }
    }

    fn outer_tell(&mut self, answer: Answer) {
        let Ask::Test(Question { configuration: asked, .. }) = self.ask() else { return };
        let (outcome, is_predicted) = (answer.outcome, answer.is_predicted);
        let left_before = self.search.left();
        let before = (outcome == Outcome::Fail).then(|| self.search.best_so_far().clone());
        self.search.tell(answer);
        let best = self.search.best_so_far();
        let removed = before.map_or_else(Configuration::empty, |before| before.without(best));
        self.rule.told(&self.search, &ToldAnswer { outcome, is_predicted, asked, removed, left_before });
    }
}
