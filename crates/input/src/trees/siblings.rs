//! The neighbours of each node, found in one walk over the tree: searching the children of a wide parent each time would take
//! quadratic time.

use howcome_syntax::{NodeId, SyntaxTree};

/// The nodes before and after each node, with the same parent.
pub(crate) struct Siblings {
    before: Vec<Option<NodeId>>,
    /// How many named siblings come before it.
    named_before: Vec<u32>,
}

impl Siblings {
    pub(crate) fn of(tree: &SyntaxTree) -> Self {
        let count = tree.nodes().len();
        let mut last_child: Vec<Option<NodeId>> = vec![None; count];
        let mut named_children: Vec<u32> = vec![0; count];
        let (mut before, mut named_before) = (vec![None; count], vec![0; count]);
        for (id, node) in tree.iter() {
            if let Some(parent) = node.parent {
                before[id.index()] = last_child[parent.index()].replace(id);
                named_before[id.index()] = named_children[parent.index()];
                named_children[parent.index()] += u32::from(node.is_named);
            }
        }
        Self { before, named_before }
    }

    /// The node right before it.
    pub(crate) fn before(&self, id: NodeId) -> Option<NodeId> {
        self.before[id.index()]
    }

    /// The node right after it.
    pub(crate) fn after(&self, tree: &SyntaxTree, id: NodeId) -> Option<NodeId> {
        let parent = tree.node(id).parent?;
        let next = tree.node(id).after;
        (next < tree.node(parent).after).then_some(next)
    }

    /// Whether no named node of the same parent comes before it.
    pub(crate) fn is_first(&self, id: NodeId) -> bool {
        self.named_before[id.index()] == 0
    }

    /// Whether a named node of the same parent comes after it.
    pub(crate) fn has_named_after(&self, tree: &SyntaxTree, id: NodeId) -> bool {
        let mut next = self.after(tree, id);
        while let Some(sibling) = next
            && !tree.node(sibling).is_named
        {
            next = self.after(tree, sibling);
        }
        next.is_some()
    }
}
