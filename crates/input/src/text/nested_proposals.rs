//! Deltas inside other deltas, as levels from the outermost to the innermost.

use crate::{Delta, Proposals};

/// Builds proposals with levels.
#[derive(Debug, Default)]
pub(crate) struct NestedProposals {
    proposals: Proposals,
    /// The deltas that are not complete yet, and their levels.
    open: Vec<(u32, usize)>,
}

/// Each level costs at least one test, so deeper deltas are proposed only when there is less around them.
pub(crate) const DEEPEST: usize = 32;

impl NestedProposals {
    /// Adds a delta at a depth. The deltas inside a delta follow it, with a greater depth.
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
