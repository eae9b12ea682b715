//! What all wrappers share: whatever a wrapper does not change, it passes on to the search inside.

use crate::{Answer, Ask, Configuration, Difference, Search};
use std::fmt;

/// A search around another search. It changes what the inner search asks, or what it is told, and nothing else.
///
/// Every wrapper is a [`Search`]: the progress it reports is that of the search inside.
pub trait SearchWrapper: Clone {
    /// The search inside.
    type Inner: Search;

    /// What the wrapper concludes.
    type Finding: Clone + PartialEq + fmt::Debug;

    /// See [`Search::SEES_UNRESOLVED`].
    const SEES_UNRESOLVED: bool;

    /// The search inside.
    fn inner(&self) -> &Self::Inner;

    /// What the wrapper asks when the search inside asks `ask`.
    fn outer_ask(&self, ask: Ask<<Self::Inner as Search>::Finding>) -> Ask<Self::Finding>;

    /// Takes the answer to what the wrapper asked, and tells the search inside what it needs to know.
    fn outer_tell(&mut self, answer: Answer);
}

impl<W: SearchWrapper> Search for W {
    type Finding = W::Finding;
    const SEES_UNRESOLVED: bool = W::SEES_UNRESOLVED;
    const KEEPS_WHAT_PASSES: bool = W::Inner::KEEPS_WHAT_PASSES;

    fn ask(&self) -> Ask<Self::Finding> {
        self.outer_ask(self.inner().ask())
    }

    fn tell(&mut self, answer: Answer) {
        self.outer_tell(answer);
    }

    fn best_so_far(&self) -> &Configuration {
        self.inner().best_so_far()
    }

    fn best_difference(&self) -> Difference {
        self.inner().best_difference()
    }

    fn left(&self) -> usize {
        self.inner().left()
    }

    fn questions_left(&self) -> Option<f64> {
        self.inner().questions_left()
    }
}
