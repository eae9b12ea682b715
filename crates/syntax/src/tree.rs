//! A syntax tree as a list of nodes.

use crate::GrammarSlot;
use std::ops::Range;

/// The position of a node in the list of all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One node.
#[derive(Clone, Debug)]
pub struct SyntaxNode {
    /// The kind of node in the grammar, such as `if_statement`, or the token itself, such as `(`.
    pub kind: &'static str,
    /// The field of the parent that the node is in, such as `condition`.
    pub field: Option<&'static str>,
    /// The bytes of the node.
    pub range: Range<usize>,
    /// The parent. `None` for the root.
    pub parent: Option<NodeId>,
    /// The first node after this node and everything in it.
    pub after: NodeId,
    /// How many nodes are around it.
    pub depth: u32,
    /// Whether it is more than a fixed token of the grammar.
    pub is_named: bool,
    /// Whether the text does not fit the grammar here.
    pub is_error: bool,
    /// What the grammar allows at this position.
    pub slot: GrammarSlot,
}

/// A syntax tree: a list of nodes, parents before children, the root first.
#[derive(Clone, Debug)]
pub struct SyntaxTree {
    nodes: Vec<SyntaxNode>,
}

impl SyntaxTree {
    #[cfg(feature = "trees")]
    pub(crate) fn new(nodes: Vec<SyntaxNode>) -> Self {
        Self { nodes }
    }

    /// All nodes.
    #[must_use]
    pub fn nodes(&self) -> &[SyntaxNode] {
        &self.nodes
    }

    /// One node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &SyntaxNode {
        &self.nodes[id.index()]
    }

    /// All nodes with their positions.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (NodeId, &SyntaxNode)> + ExactSizeIterator {
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

    /// The child of a node in this field.
    #[must_use]
    pub fn child(&self, id: NodeId, field: &str) -> Option<NodeId> {
        self.children(id).find(|child| self.node(*child).field == Some(field))
    }

    /// All nodes inside a node, without the node itself.
    #[must_use]
    pub fn inside(&self, id: NodeId) -> Range<u32> {
        id.0 + 1..self.node(id).after.0
    }

    /// Whether a node has no children.
    #[must_use]
    pub fn is_leaf(&self, id: NodeId) -> bool {
        self.inside(id).is_empty()
    }
}
