//! Deltas of nodes, as levels from the outermost to the innermost.

use crate::{Delta, Proposals};
use howcome_syntax::{NodeId, SyntaxTree};
use std::ops::Range;

/// Nodes that are nested deeper are all tried on one level: each further level would cost a test.
const DEEPEST: usize = 24;

/// Builds proposals with levels. The delta of a node is followed by the deltas of the nodes inside, so a subtree is a range.
#[derive(Default)]
pub(crate) struct TreeProposals {
    proposals: Proposals,
    /// The deltas whose nodes are not complete yet, and where these nodes end.
    open: Vec<(u32, NodeId)>,
}

impl TreeProposals {
    /// Adds a delta of a node. Nodes come in the order of their tree; a node can have several deltas.
    pub(crate) fn push(&mut self, tree: &SyntaxTree, id: NodeId, delta: Delta) {
        self.close(id);
        self.open.push((self.proposals.deltas.len() as u32, tree.node(id).after));
        self.proposals.deltas.push(delta);
    }

    /// Ends a tree.
    pub(crate) fn end_tree(&mut self) {
        self.close(NodeId(u32::MAX));
    }

    pub(crate) fn finish(mut self) -> Proposals {
        self.end_tree();
        self.proposals
    }

    fn close(&mut self, at: NodeId) {
        while let Some((delta, after)) = self.open.last().copied()
            && after <= at
        {
            self.open.pop();
            let end = self.proposals.deltas.len() as u32;
            match self.open.len() {
                level @ ..DEEPEST => self.put(level, delta..end),
                _ => self.put(DEEPEST, delta..delta + 1),
            }
        }
    }

    fn put(&mut self, level: usize, group: Range<u32>) {
        let levels = &mut self.proposals.levels;
        if levels.len() <= level {
            levels.resize(level + 1, Vec::new());
        }
        levels[level].push(group);
    }
}
