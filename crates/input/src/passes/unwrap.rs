//! Keeps only the inside of a node: the statements of a loop, the children of an element, the declarations of a namespace.

use crate::trees::FittingNodes;
use crate::{Delta, Document, DocumentPart, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::{NodeId, SyntaxTree};
use std::ops::Range;

/// Replaces a node of a list by all nodes inside it that fit in the list.
pub(super) struct UnwrapPass;

impl Pass for UnwrapPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "unwrap",
            about: "keep only the inside of blocks, conditions, loops, elements, classes, functions",
            unit: Unit::Node,
            tier: Tier::Structure,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            let Some(tree) = part.tree() else { continue };
            let fitting = FittingNodes { tree, language: part.language() };
            let text = NestedText::new(part, tree);
            for (id, node) in tree.iter() {
                if !node.is_named || !node.slot.is_repeated {
                    continue;
                }
                let mut inside = fitting.inside(id);
                // The content of a statement's only block moves out of the block and the statement.
                if let [block] = inside[..] {
                    let deeper = fitting.inside_of(block, id);
                    inside = if deeper.is_empty() { inside } else { deeper };
                }
                // The pass `children` replaces a node by a single one, unless its lines must move to the left.
                if inside.len() > 1 || text.is_indented && !inside.is_empty() {
                    deltas.extend(text.only(piece, id, &inside));
                }
            }
        }
        deltas.retain(|delta| delta.gain() > 0);
        Proposals::flat(deltas)
    }
}

struct NestedText<'t> {
    bytes: &'t [u8],
    tree: &'t SyntaxTree,
    /// The offsets of the lines.
    lines: Vec<usize>,
    /// Whether indentation marks blocks.
    is_indented: bool,
}

impl<'t> NestedText<'t> {
    fn new(part: &'t DocumentPart, tree: &'t SyntaxTree) -> Self {
        let newlines = part.bytes().iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let lines = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        let is_indented = part.language().is_some_and(|language| language.info().has_indented_blocks);
        Self { bytes: part.bytes(), tree, lines, is_indented }
    }

    /// Keeps only some nodes inside a node. The text between two nodes of the same list stays.
    fn only(&self, piece: PieceId, id: NodeId, inside: &[NodeId]) -> Option<Delta> {
        let node = self.tree.node(id);
        let (first, last) = (self.tree.node(*inside.first()?), self.tree.node(*inside.last()?));
        let column = self.column(node.range.start);
        let mut delta = Delta::cut(piece, node.range.start..first.range.start);
        let mut block_start = first.range.start;
        for pair in inside.windows(2) {
            let (before, after) = (self.tree.node(pair[0]), self.tree.node(pair[1]));
            if before.parent == after.parent {
                continue;
            }
            delta = delta.and(self.dedented(piece, block_start..before.range.end, column));
            delta = delta.and(self.between(piece, id, before.range.end..after.range.start));
            block_start = after.range.start;
        }
        delta = delta.and(self.dedented(piece, block_start..last.range.end, column));
        Some(delta.and(Delta::cut(piece, last.range.end..node.range.end)))
    }

    /// Replaces the text between two blocks by the separator of the list.
    fn between(&self, piece: PieceId, id: NodeId, between: Range<usize>) -> Delta {
        let node = self.tree.node(id);
        if !self.is_indented {
            let separator: &[u8] = match () {
                () if node.slot.allows("element") => b"",
                () if self.is_in_commas(id) => b",",
                () => b" ",
            };
            return Delta::replace(piece, between, separator);
        }
        let line = self.line_start(between.end);
        let (outer, start) = (self.line_start(node.range.start).len(), between.end - line.len());
        // The newline and the outer indentation stay as they are, since other deltas change them.
        match start > between.start && self.bytes[start - 1] == b'\n' && line.len() >= outer {
            true => {
                Delta::cut(piece, between.start..start - 1).and(Delta::cut(piece, start + outer..between.end))
            }
            false => Delta::replace(piece, between, [b"\n", self.line_start(node.range.start)].concat()),
        }
    }

    /// Whether the node is in a list with commas.
    fn is_in_commas(&self, id: NodeId) -> bool {
        let Some(parent) = self.tree.node(id).parent else { return false };
        let (next, end) = (self.tree.node(id).after, self.tree.node(parent).after);
        next < end && self.tree.node(next).kind == ","
    }

    /// The blanks at the start of the line of a byte.
    fn line_start(&self, at: usize) -> &[u8] {
        let start = self.lines[self.lines.partition_point(|start| *start <= at) - 1];
        let blanks = self.bytes[start..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        &self.bytes[start..start + blanks]
    }

    fn column(&self, at: usize) -> usize {
        self.line_start(at).len()
    }

    /// Removes the additional indentation of a block. The outer indentation stays, so that unwrapping both an outer and an
    /// inner node adds up.
    fn dedented(&self, piece: PieceId, block: Range<usize>, column: usize) -> Delta {
        let deeper = self.column(block.start);
        if !self.is_indented || deeper <= column {
            return Delta::default();
        }
        let newlines = self.bytes[block.clone()].iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = newlines.map(|(at, _)| block.start + at + 1);
        let indented =
            |start: &usize| self.bytes[*start..].iter().take(deeper).all(|byte| matches!(byte, b' ' | b'\t'));
        let cuts = starts.filter(indented).map(|start| Delta::cut(piece, start + column..start + deeper));
        cuts.reduce(Delta::and).unwrap_or_default()
    }
}
