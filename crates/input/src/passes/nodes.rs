//! Removes nodes that are optional in the grammar, from the outermost to the innermost.

use crate::trees::{TreeCuts, TreeProposals};
use crate::{Delta, Document, DocumentPart, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::{NodeId, SyntaxTree};
use std::ops::Range;

/// Removes nodes.
pub(super) struct NodesPass;

impl Pass for NodesPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "nodes",
            about: "remove what is optional in the grammar: elements, statements, declarations, arguments",
            unit: Unit::Node,
            tier: Tier::Structure,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut outline = TreeProposals::default();
        for (piece, part) in document.parts() {
            if let Some(tree) = part.tree() {
                of_tree(piece, part, tree, &mut outline);
                outline.end_tree();
            }
        }
        outline.finish()
    }
}

fn of_tree(piece: PieceId, part: &DocumentPart, tree: &SyntaxTree, outline: &mut TreeProposals) {
    let cuts = TreeCuts::new(part.bytes(), tree);
    // The ranges that are removed with the nodes around this one.
    let mut around: Vec<(NodeId, Range<usize>)> = Vec::new();
    for (id, node) in tree.iter() {
        around.truncate(around.iter().rposition(|(after, _)| id < *after).map_or(0, |last| last + 1));
        if node.range.is_empty() || !can_go(tree, id) {
            continue;
        }
        let is_first = needs_a_statement(part, tree, id) && cuts.siblings.is_first(id);
        let (range, with) =
            match is_first && !(node.range.len() == 1 && cuts.siblings.has_named_after(tree, id)) {
                // The first statement of a block becomes the shortest statement, so that all others can be removed together.
                true if node.range.len() > 1 => (node.range.clone(), "0"),
                true => continue,
                false => (cuts.with_separator(id), ""),
            };
        let outer = around.last().map_or(0..part.bytes().len(), |(_, range)| range.clone());
        let range = range.start.max(outer.start)..range.end.min(outer.end);
        if range.is_empty() || !around.is_empty() && range == outer {
            continue;
        }
        around.push((node.after, range.clone()));
        outline.push(tree, id, Delta::replace(piece, range, with.as_bytes()));
    }
}

/// Whether the node is optional in the grammar. If the text does not fit the grammar, it might be.
fn can_go(tree: &SyntaxTree, id: NodeId) -> bool {
    let node = tree.node(id);
    let in_error = node.parent.is_some_and(|parent| tree.node(parent).is_error);
    let is_listed = node.is_named || node.slot.allows(node.kind);
    in_error || (is_listed && node.slot.can_go())
}

/// Whether it is a statement in a block that must not be empty, which the description of the grammar does not say.
fn needs_a_statement(part: &DocumentPart, tree: &SyntaxTree, id: NodeId) -> bool {
    let of_block = |parent: NodeId| tree.node(parent).kind == "block";
    part.language().is_some_and(|language| language.info().has_indented_blocks)
        && tree.node(id).parent.is_some_and(of_block)
}
