//! A syntax tree as a list of nodes.

use crate::Slot;
use std::ops::Range;

/// The place of a node in the list of its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// As an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One node.
#[derive(Clone, Debug)]
pub struct Node {
    /// What the grammar calls it: `if_statement`, or the token itself: `(`.
    pub kind: &'static str,
    /// What its parent calls it: `condition`.
    pub field: Option<&'static str>,
    /// Its bytes.
    pub range: Range<usize>,
    /// The node that it is in; none for the root.
    pub parent: Option<NodeId>,
    /// The first node behind all that is in it.
    pub after: NodeId,
    /// How many nodes it is in.
    pub depth: u32,
    /// Whether it is more than a token that the grammar spells out.
    pub is_named: bool,
    /// Whether the text does not fit the grammar here.
    pub is_error: bool,
    /// What the grammar says of its place.
    pub slot: Slot,
}

/// A syntax tree: its nodes, parents before children, the root first.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    #[cfg(feature = "trees")]
    pub(crate) fn new(nodes: Vec<Node>) -> Self {
        Self { nodes }
    }

    /// All nodes.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// One node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All nodes with their places.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> + ExactSizeIterator {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId(index as u32), node))
    }

    /// The children of a node, in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let after = self.node(id).after;
        let first = NodeId(id.0 + 1);
        std::iter::successors((first < after).then_some(first), move |child| {
            let next = self.node(*child).after;
            (next < after).then_some(next)
        })
    }

    /// The child of a node that the grammar calls so.
    #[must_use]
    pub fn child(&self, id: NodeId, field: &str) -> Option<NodeId> {
        self.children(id).find(|child| self.node(*child).field == Some(field))
    }

    /// All nodes inside a node, itself not included.
    #[must_use]
    pub fn inside(&self, id: NodeId) -> Range<u32> {
        id.0 + 1..self.node(id).after.0
    }

    /// Whether a node has no nodes in it.
    #[must_use]
    pub fn is_leaf(&self, id: NodeId) -> bool {
        self.inside(id).is_empty()
    }
}
