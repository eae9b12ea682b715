//! Configurations that a domain proposes to try instead of an unresolved one (the failure resolution loop).

use crate::Configuration;

/// The repairs for one question. Those of the latest answer come first, so that a repair that is unresolved is itself
/// repaired before the next one is tried.
#[derive(Clone, Debug)]
pub(crate) struct ProposedRepairs {
    most: u32,
    left: u32,
    /// The last one is next.
    proposed: Vec<Configuration>,
}

impl ProposedRepairs {
    /// Tries at most this many repairs for one question.
    pub(crate) fn new(most: u32) -> Self {
        Self { most, left: most, proposed: Vec::new() }
    }

    /// Adds the repairs of an answer, the best first.
    pub(crate) fn propose(&mut self, repairs: Vec<Configuration>) {
        self.proposed.extend(repairs.into_iter().rev());
    }

    /// The next usable repair, in the form that `usable` gives it.
    pub(crate) fn next(
        &mut self,
        usable: impl Fn(&Configuration) -> Option<Configuration>,
    ) -> Option<Configuration> {
        while self.left > 0 {
            let repair = self.proposed.pop()?;
            if let Some(repair) = usable(&repair) {
                self.left -= 1;
                return Some(repair);
            }
        }
        None
    }

    /// Starts over for another question.
    pub(crate) fn forget(&mut self) {
        self.left = self.most;
        self.proposed.clear();
    }
}
