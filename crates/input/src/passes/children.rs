//! Replaces a node by a node inside it that fits in its place: `a + b` by `a`, `{"k": [1]}` by `[1]`.

use crate::trees::FittingNodes;
use crate::{Delta, Document, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::{NodeId, SyntaxTree};
use std::cmp::Reverse;

/// Replaces nodes by their largest fitting child. Deltas of nested nodes add up, so a group of them replaces a node by a
/// value deep inside.
pub(super) struct ChildrenPass;

/// Replaces nodes by a smaller one of their fitting children.
pub(super) struct SmallerChildrenPass;

/// How many of the smaller children are tried for each node.
const SMALLER: usize = 3;

impl Pass for ChildrenPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "children",
            about: "replace a node by the largest one inside that fits: a sum by its left side, a list by an element",
            unit: Unit::Node,
            tier: Tier::Structure,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        each_choice(document, |piece, tree, id, by_size| {
            deltas.extend(by_size.first().map(|child| only(piece, tree, id, *child)));
        });
        Proposals::flat(deltas)
    }
}

impl Pass for SmallerChildrenPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "smaller-children",
            about: "replace a node by a smaller one inside that fits: a sum by its right side, a call by an argument",
            unit: Unit::Node,
            tier: Tier::Fine,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        // Two replacements of the same node would remove both children, so each is on a level of its own.
        let mut choices: [Vec<Delta>; SMALLER] = Default::default();
        each_choice(document, |piece, tree, id, by_size| {
            for (child, choice) in by_size.iter().skip(1).zip(&mut choices) {
                choice.push(only(piece, tree, id, *child));
            }
        });
        let mut proposals = Proposals::default();
        for choice in choices {
            let first = proposals.deltas.len() as u32;
            proposals.deltas.extend(choice);
            let level = first..proposals.deltas.len() as u32;
            proposals.levels.push(level.map(|delta| delta..delta + 1).collect());
        }
        proposals.levels.retain(|level: &Vec<_>| !level.is_empty());
        proposals
    }
}

/// Calls a function with each node and the nodes that fit in its place, the largest first.
fn each_choice(document: &Document, mut choose: impl FnMut(PieceId, &SyntaxTree, NodeId, &[NodeId])) {
    for (piece, part) in document.parts() {
        let Some(tree) = part.tree() else { continue };
        let fitting = FittingNodes { tree, language: part.language() };
        for (id, node) in tree.iter() {
            if !node.is_named || node.slot.kinds.is_none() {
                continue;
            }
            let mut inside = fitting.inside(id);
            inside.retain(|child| tree.node(*child).range.len() < node.range.len());
            inside.sort_by_key(|child| Reverse(tree.node(*child).range.len()));
            if !inside.is_empty() {
                choose(piece, tree, id, &inside);
            }
        }
    }
}

/// Keeps only a child of a node. These are two cuts and not one replacement, so that changes inside the child count, too.
fn only(piece: PieceId, tree: &SyntaxTree, id: NodeId, child: NodeId) -> Delta {
    let (node, child) = (&tree.node(id).range, &tree.node(child).range);
    let cuts = [node.start..child.start, child.end..node.end];
    let cuts = cuts.into_iter().filter(|cut| !cut.is_empty()).map(|cut| Delta::cut(piece, cut));
    cuts.reduce(Delta::and).unwrap_or_default()
}
