//! Proposals that lie in one another, as levels from the outermost to the innermost.

use crate::{Delta, Proposals};

/// Proposals in the making.
#[derive(Debug, Default)]
pub(crate) struct NestedProposals {
    proposals: Proposals,
    /// The deltas that are not yet over, and their levels.
    open: Vec<(u32, usize)>,
}

/// What lies deeper is proposed when there is less around it: each level costs a test at least.
pub(crate) const DEEPEST: usize = 32;

impl NestedProposals {
    /// Adds what lies so deep. All that is in a delta follows it, with a higher level.
    pub(crate) fn add(&mut self, level: usize, delta: Delta) {
        self.close(level);
        self.open.push((self.proposals.deltas.len() as u32, level));
        self.proposals.deltas.push(delta);
    }

    /// The proposals.
    pub(crate) fn finish(mut self) -> Proposals {
        self.close(0);
        self.proposals.levels.retain(|level| !level.is_empty());
        self.proposals
    }

    fn close(&mut self, level: usize) {
        let next = self.proposals.deltas.len() as u32;
        while let Some((delta, deeper)) = self.open.last().copied().filter(|(_, deeper)| *deeper >= level) {
            self.open.pop();
            let levels = &mut self.proposals.levels;
            levels.resize(levels.len().max(deeper + 1), Vec::new());
            levels[deeper].push(delta..next);
        }
    }
}
