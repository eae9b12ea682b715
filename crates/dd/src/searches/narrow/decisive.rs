//! What the first round has found, if it takes too many tests to find what that needs in order to fail alone: then it is enough that
//! everything else passes.

use crate::{Configuration, Difference};

/// The deltas of the first round, and when to ask whether everything without them passes.
#[derive(Clone, Debug)]
pub(super) struct DecisiveDeltas {
    /// After this many unresolved tests that looked for what they need. `None` if that is not asked.
    after: Option<u32>,
    unresolved: u32,
    found: Option<Configuration>,
    /// What passed when they were found.
    passing: Configuration,
    asked: DecisiveAsked,
}

/// Whether it was asked if everything without them passes.
#[derive(Clone, Debug, Default)]
enum DecisiveAsked {
    #[default]
    NotYet,
    Now,
    Never,
    Passed(Difference),
}

impl DecisiveDeltas {
    /// Asks after this many unresolved tests.
    pub(super) fn after(after: Option<u32>) -> Self {
        let (found, passing) = (None, Configuration::empty());
        Self { after, unresolved: 0, found, passing, asked: DecisiveAsked::NotYet }
    }

    /// Notes what the first round has found, and what passed without it.
    pub(super) fn note_found(&mut self, deltas: &Configuration, passing: &Configuration) {
        if self.after.is_some() && self.found.is_none() {
            (self.found, self.passing) = (Some(deltas.clone()), passing.clone());
        }
    }

    /// Notes an unresolved test.
    pub(super) fn note_unresolved(&mut self) {
        if self.found.is_some() {
            self.unresolved += 1;
        }
    }

    /// The deltas, if it is time to ask.
    pub(super) fn is_due(&self) -> Option<&Configuration> {
        let is_time = self.after.is_some_and(|after| self.unresolved >= after);
        self.found.as_ref().filter(|_| is_time && matches!(self.asked, DecisiveAsked::NotYet))
    }

    /// Whether a configuration is known to pass since they were found.
    pub(super) fn has_passed(&self, without: &Configuration) -> bool {
        *without == self.passing
    }

    /// It is asked now, or it makes no sense to ask.
    pub(super) fn ask(&mut self, makes_sense: bool) {
        self.asked = if makes_sense { DecisiveAsked::Now } else { DecisiveAsked::Never };
    }

    /// Whether the last question was about them.
    pub(super) fn is_asking(&self) -> bool {
        matches!(self.asked, DecisiveAsked::Now)
    }

    /// Takes the answer: whether everything without them passes.
    pub(super) fn answered(&mut self, passes: bool, without: Configuration, all: &Configuration) {
        self.asked = match passes {
            true => DecisiveAsked::Passed(Difference { passing: without, failing: all.clone() }),
            false => DecisiveAsked::Never,
        };
    }

    /// The difference that ends the search.
    pub(super) fn difference(&self) -> Option<&Difference> {
        match &self.asked {
            DecisiveAsked::Passed(difference) => Some(difference),
            _ => None,
        }
    }
}
