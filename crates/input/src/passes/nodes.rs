//! Nodes of a syntax tree that the grammar allows to leave out, from the outermost to the innermost.

use crate::{Delta, Document, Pass, PieceId, Proposals, Tier};
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
        let mut proposals = Nested::default();
        for (piece, part) in document.parts() {
            if let Some(tree) = part.tree() {
                Cuts { piece, bytes: part.bytes(), tree, siblings: siblings(tree) }.propose(&mut proposals);
            }
        }
        proposals.finish()
    }
}

/// Deltas that lie in each other: each is followed by those inside of it, so that it is a run of deltas with them.
#[derive(Default)]
pub(super) struct Nested {
    proposals: Proposals,
    /// The deltas whose nodes are not yet over, and where those end.
    open: Vec<(u32, NodeId)>,
}

impl Nested {
    /// Ends all that end before a node.
    pub(super) fn close(&mut self, at: NodeId) {
        let next = self.proposals.deltas.len() as u32;
        while let Some((delta, after)) = self.open.last().copied()
            && after <= at
        {
            self.open.pop();
            let level = self.open.len();
            if self.proposals.levels.len() <= level {
                self.proposals.levels.resize(level + 1, Vec::new());
            }
            self.proposals.levels[level].push(delta..next);
        }
    }

    pub(super) fn push(&mut self, delta: Delta, after: NodeId) {
        self.open.push((self.proposals.deltas.len() as u32, after));
        self.proposals.deltas.push(delta);
    }

    pub(super) fn finish(mut self) -> Proposals {
        self.close(NodeId(u32::MAX));
        self.proposals
    }
}

/// What can be cut out of one tree.
struct Cuts<'a> {
    piece: PieceId,
    bytes: &'a [u8],
    tree: &'a Tree,
    siblings: Vec<[Option<NodeId>; 2]>,
}

impl Cuts<'_> {
    fn propose(&self, proposals: &mut Nested) {
        for (id, node) in self.tree.iter() {
            proposals.close(id);
            if self.can_go(id) {
                proposals.push(Delta::cut(self.piece, self.cut(id)), node.after);
            }
            if let Some(range) = self.contents(id) {
                proposals.push(Delta::cut(self.piece, range), node.after);
            }
        }
        proposals.close(NodeId(self.tree.nodes().len() as u32));
    }

    fn can_go(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let in_error = || node.parent.is_some_and(|parent| self.tree.node(parent).is_error);
        !node.range.is_empty() && (node.slot.can_go() || in_error())
    }

    /// All that can go of a node that holds several such, as the statements of a block: where nothing else stands between.
    fn contents(&self, id: NodeId) -> Option<Range<usize>> {
        let mut contents: Option<Range<usize>> = None;
        let mut count = 0;
        let mut is_over = false;
        for child in self.tree.children(id) {
            if self.can_go(child) {
                if is_over {
                    return None;
                }
                let cut = self.cut(child);
                count += 1;
                contents =
                    Some(contents.map_or(cut.clone(), |all| all.start.min(cut.start)..all.end.max(cut.end)));
            } else {
                is_over |= count > 0 && !self.is_separator(child);
            }
        }
        contents.filter(|all| count > 1 && *all != self.tree.node(id).range)
    }

    fn is_separator(&self, id: NodeId) -> bool {
        matches!(self.tree.node(id).kind, "," | ";" | "|")
    }

    /// The bytes of a node with the comma behind it, or before it if it is the last; and with its line, if it is alone there.
    fn cut(&self, id: NodeId) -> Range<usize> {
        let mut range = self.tree.node(id).range.clone();
        let [before, after] = self.siblings[id.index()];
        if let Some(after) = after.filter(|after| self.is_separator(*after)) {
            range.end = self.tree.node(after).range.end;
        } else if let Some(before) = before.filter(|before| self.is_separator(*before)) {
            range.start = self.tree.node(before).range.start;
        }
        with_line(self.bytes, range)
    }
}

/// For each node the sibling before and behind it.
fn siblings(tree: &Tree) -> Vec<[Option<NodeId>; 2]> {
    let mut siblings = vec![[None; 2]; tree.nodes().len()];
    for (id, _) in tree.iter() {
        let mut before: Option<NodeId> = None;
        for child in tree.children(id) {
            if let Some(before) = before {
                siblings[before.index()][1] = Some(child);
            }
            siblings[child.index()][0] = before;
            before = Some(child);
        }
    }
    siblings
}

/// With the whole line, if nothing else stands in it; otherwise with the blanks before it.
fn with_line(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let before = bytes[..range.start].iter().rev().take_while(is_blank).count();
    let behind = bytes[range.end..].iter().take_while(is_blank).count();
    let begins_line = range.start == before || bytes[range.start - before - 1] == b'\n';
    match bytes.get(range.end + behind) {
        Some(b'\n') if begins_line => range.start - before..range.end + behind + 1,
        _ if begins_line => range,
        _ => range.start - before..range.end,
    }
}
