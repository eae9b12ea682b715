//! Nodes of a syntax tree that the grammar allows to leave out, from the outermost to the innermost.

use crate::trees::{Cuts, Outline};
use crate::{Delta, Document, Part, Pass, PieceId, Proposals, Tier};
use howcome_syntax::{Language, NodeId, Tree};

/// Takes nodes away.
pub(super) struct Nodes;

impl Pass for Nodes {
    fn name(&self) -> &'static str {
        "nodes"
    }

    fn about(&self) -> &'static str {
        "take away what the grammar allows to leave out: elements, statements, declarations, arguments"
    }

    fn unit(&self) -> &'static str {
        "node"
    }

    fn tier(&self) -> Tier {
        Tier::Structure
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut outline = Outline::default();
        for (piece, part) in document.parts() {
            if let Some(tree) = part.tree() {
                of_tree(piece, part, tree, &mut outline);
                outline.end_tree();
            }
        }
        outline.finish()
    }
}

fn of_tree(piece: PieceId, part: &Part, tree: &Tree, outline: &mut Outline) {
    let cuts = Cuts::new(part.bytes(), tree);
    for (id, node) in tree.iter() {
        if node.range.is_empty() || !can_go(tree, id) {
            continue;
        }
        let is_first = needs_a_statement(part, tree, id) && cuts.siblings.is_first(id);
        let delta = match is_first && !(node.range.len() == 1 && cuts.siblings.has_named_behind(tree, id)) {
            // The first statement of a block stays as the shortest one there is, so that all others can go together.
            true if node.range.len() > 1 => Delta::replace(piece, node.range.clone(), *b"0"),
            true => continue,
            false => Delta::cut(piece, cuts.with_separator(id)),
        };
        outline.push(tree, id, delta);
    }
}

/// Whether the grammar can do without it. Where the text does not fit the grammar, nobody knows.
fn can_go(tree: &Tree, id: NodeId) -> bool {
    let node = tree.node(id);
    let in_error = node.parent.is_some_and(|parent| tree.node(parent).is_error);
    let is_listed = node.is_named || node.slot.allows(node.kind);
    in_error || (is_listed && node.slot.can_go())
}

/// Whether it is a statement of a block that must have one, which the grammar's own description does not tell.
fn needs_a_statement(part: &Part, tree: &Tree, id: NodeId) -> bool {
    let of_block = |parent: NodeId| tree.node(parent).kind == "block";
    part.language() == Some(Language::Python) && tree.node(id).parent.is_some_and(of_block)
}
