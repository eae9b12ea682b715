//! Nodes that can replace the node around them, because its slot allows their kind.

use howcome_syntax::{Language, NodeId, SyntaxNode, SyntaxTree};

/// How many nodes that do not fit are looked at. Without a limit, a deep tree in which nothing fits would take quadratic time.
const LOOKED_AT: usize = 200;

/// A tree and its language.
pub(crate) struct FittingNodes<'t> {
    pub(crate) tree: &'t SyntaxTree,
    pub(crate) language: Option<Language>,
}

impl FittingNodes<'_> {
    /// The outermost nodes inside a node that can replace it, in order.
    pub(crate) fn inside(&self, id: NodeId) -> Vec<NodeId> {
        self.inside_of(id, id)
    }

    /// The outermost nodes inside a node that can replace another node, in order.
    pub(crate) fn inside_of(&self, whole: NodeId, place: NodeId) -> Vec<NodeId> {
        let (mut found, after) = (Vec::new(), self.tree.node(whole).after);
        let (mut at, mut in_vain) = (NodeId(whole.0 + 1), 0);
        while at < after && in_vain < LOOKED_AT {
            if self.fits(place, at) {
                found.push(at);
                at = self.tree.node(at).after;
            } else {
                in_vain += usize::from(self.tree.node(at).is_named);
                at = NodeId(at.0 + 1);
            }
        }
        found
    }

    /// Whether the grammar allows a node in the place of another one.
    fn fits(&self, place: NodeId, id: NodeId) -> bool {
        let (place, node) = (self.tree.node(place), self.tree.node(id));
        let is_something = node.is_named && !node.is_error && !node.range.is_empty();
        is_something
            && !node.kind.contains("comment")
            && place.slot.allows(node.kind)
            && self.is_sensible(place, node)
    }

    /// Grammars allow more than languages: in most languages, a program cannot consist of statements.
    fn is_sensible(&self, place: &SyntaxNode, node: &SyntaxNode) -> bool {
        let is_top = place.parent.is_some_and(|parent| self.tree.node(parent).parent.is_none());
        let declares = |kind: &str| {
            ["_definition", "_declaration", "_item", "_specifier"].iter().any(|end| kind.ends_with(end))
                || kind == "declaration"
                || kind.starts_with("preproc_")
        };
        match self.language.map(Language::info) {
            Some(info) if info.irreplaceable.contains(&place.kind) => false,
            Some(info) if info.has_only_declarations_at_top && is_top => declares(node.kind),
            _ => true,
        }
    }
}
