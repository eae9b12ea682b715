//! What a domain proposes to try instead of a configuration that could not be resolved (the failure resolution loop).

use crate::Configuration;

/// Proposals for one question, the latest answer's first, so that a repair is repaired before another one is tried.
#[derive(Clone, Debug)]
pub(crate) struct ProposedRepairs {
    most: u32,
    left: u32,
    /// The next one is the last.
    proposed: Vec<Configuration>,
}

impl ProposedRepairs {
    /// At most so many are tried for one question.
    pub(crate) fn new(most: u32) -> Self {
        Self { most, left: most, proposed: Vec::new() }
    }

    /// Takes in what came with an answer, the best first.
    pub(crate) fn propose(&mut self, repairs: Vec<Configuration>) {
        self.proposed.extend(repairs.into_iter().rev());
    }

    /// The next one that is of use, in the form in which it is.
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

    /// The next question is another one.
    pub(crate) fn forget(&mut self) {
        self.left = self.most;
        self.proposed.clear();
    }
}
