//! What could stand in the place of a node: nodes inside it of a kind that its slot allows.

use howcome_syntax::{Language, Node, NodeId, Tree};

/// How many nodes are looked at to find those that fit. Without a bound a deep tree in which nothing fits would be a square.
const LOOKED_AT: usize = 200;

/// A tree and its language.
pub(crate) struct Fitting<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) language: Option<Language>,
}

impl Fitting<'_> {
    /// The outermost nodes inside a node that fit in its place, in order.
    pub(crate) fn inside(&self, id: NodeId) -> Vec<NodeId> {
        let (mut found, after) = (Vec::new(), self.tree.node(id).after);
        let mut at = NodeId(id.0 + 1);
        for _ in 0..LOOKED_AT {
            if at >= after {
                break;
            }
            let fits = self.fits(id, at);
            if fits {
                found.push(at);
            }
            at = if fits { self.tree.node(at).after } else { NodeId(at.0 + 1) };
        }
        found
    }

    /// Whether the grammar allows one node in the place of another.
    fn fits(&self, place: NodeId, id: NodeId) -> bool {
        let (place, node) = (self.tree.node(place), self.tree.node(id));
        let is_something = node.is_named && !node.is_error && !node.range.is_empty();
        is_something
            && !node.kind.contains("comment")
            && place.slot.allows(node.kind)
            && self.is_sensible(place, node)
    }

    /// Grammars allow more than languages do: scripts are statements, but most programs are declarations.
    fn is_sensible(&self, place: &Node, node: &Node) -> bool {
        use Language::{C, Cpp, Go, Java, Rust};
        let is_top = place.parent.is_some_and(|parent| self.tree.node(parent).parent.is_none());
        let declares = |kind: &str| {
            ["_definition", "_declaration", "_item", "_specifier"].iter().any(|end| kind.ends_with(end))
                || kind == "declaration"
                || kind.starts_with("preproc_")
        };
        match self.language {
            Some(C | Cpp | Go | Java | Rust) if is_top => declares(node.kind),
            _ => true,
        }
    }
}
