//! Nodes of a syntax tree that the grammar allows to leave out, from the outermost to the innermost.

use crate::{Delta, Document, Part, Pass, PieceId, Proposals, Tier};
use howcome_syntax::{NodeId, Tree};
use std::ops::Range;

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
        let mut proposals = Proposals::default();
        for (piece, part) in document.parts() {
            if let Some(tree) = part.tree() {
                of_tree(piece, part, tree, &mut proposals);
            }
        }
        proposals
    }
}

/// Each node that can go is a delta, with those inside right behind it, so that a subtree is a run of deltas.
fn of_tree(piece: PieceId, part: &Part, tree: &Tree, proposals: &mut Proposals) {
    // The deltas whose nodes are not yet over, and where those end.
    let mut open: Vec<(u32, NodeId)> = Vec::new();
    let mut ended: Vec<(u32, usize)> = Vec::new();
    let close = |open: &mut Vec<(u32, NodeId)>,
                 at: NodeId,
                 next: u32,
                 ended: &mut Vec<(u32, usize)>,
                 levels: &mut Vec<Vec<Range<u32>>>| {
        while let Some((delta, after)) = open.last().copied()
            && after <= at
        {
            open.pop();
            let level = open.len();
            if levels.len() <= level {
                levels.resize(level + 1, Vec::new());
            }
            levels[level].push(delta..next);
        }
        ended.clear();
    };
    for (id, node) in tree.iter() {
        let next = proposals.deltas.len() as u32;
        close(&mut open, id, next, &mut ended, &mut proposals.levels);
        let can_go = node.slot.can_go() || node.parent.is_some_and(|parent| tree.node(parent).is_error);
        if can_go && !node.range.is_empty() {
            proposals.deltas.push(Delta::cut(piece, with_separator(part.bytes(), tree, id)));
            open.push((next, node.after));
        }
    }
    let (end, next) = (NodeId(tree.nodes().len() as u32), proposals.deltas.len() as u32);
    close(&mut open, end, next, &mut ended, &mut proposals.levels);
}

/// The bytes of a node with the comma behind it, or before it if it is the last; and with its line, if it is alone there.
fn with_separator(bytes: &[u8], tree: &Tree, id: NodeId) -> Range<usize> {
    let node = tree.node(id);
    let mut range = node.range.clone();
    let is_separator = |id: NodeId| matches!(tree.node(id).kind, "," | ";" | "|");
    if let Some(parent) = node.parent {
        let mut before = None;
        let mut after = None;
        for sibling in tree.children(parent) {
            if sibling < id {
                before = Some(sibling);
            } else if sibling > id {
                after = Some(sibling);
                break;
            }
        }
        if let Some(after) = after.filter(|after| is_separator(*after)) {
            range.end = tree.node(after).range.end;
        } else if let Some(before) = before.filter(|before| is_separator(*before)) {
            range.start = tree.node(before).range.start;
        }
    }
    let blanks_before =
        bytes[..range.start].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let blanks_after = bytes[range.end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let begins_line = range.start == blanks_before || bytes[range.start - blanks_before - 1] == b'\n';
    match bytes.get(range.end + blanks_after) {
        Some(b'\n') if begins_line => range.start - blanks_before..range.end + blanks_after + 1,
        _ if begins_line => range,
        _ => range.start - blanks_before..range.end,
    }
}
