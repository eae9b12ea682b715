//! Which bytes are removed with a node: its separator, and the blanks or the line around it.

use super::Siblings;
use howcome_syntax::{NodeId, SyntaxNode, SyntaxTree};
use std::ops::Range;

/// A tree and its text, to cut nodes out of it.
pub(crate) struct TreeCuts<'t> {
    pub(crate) bytes: &'t [u8],
    pub(crate) tree: &'t SyntaxTree,
    pub(crate) siblings: Siblings,
}

impl<'t> TreeCuts<'t> {
    pub(crate) fn new(bytes: &'t [u8], tree: &'t SyntaxTree) -> Self {
        Self { bytes, tree, siblings: Siblings::of(tree) }
    }

    /// The bytes of a node with the comma after it, or before it if it is the last, or with the token that introduces it (`=
    /// 1`); and with its line, if nothing else is on the line.
    pub(crate) fn with_separator(&self, id: NodeId) -> Range<usize> {
        let node = self.tree.node(id);
        let mut range = node.range.clone();
        let after = self.siblings.after(self.tree, id).map(|id| self.tree.node(id));
        let before = self.siblings.before(id).map(|id| self.tree.node(id));
        let leads_in = |kind: &str| !node.slot.is_repeated && leads_in(kind);
        match (before.filter(|before| !before.is_named), after) {
            (Some(before), _) if leads_in(before.kind) => range.start = before.range.start,
            _ if !node.slot.is_repeated => {}
            (_, Some(after)) if is_separator(after.kind) => range.end = after.range.end,
            (Some(before), _) if is_separator(before.kind) => range.start = before.range.start,
            (_, Some(after)) if self.is_own_end(id, after) => range.end = after.range.end,
            _ => {}
        }
        self.with_blanks(range)
    }

    /// Whether a semicolon ends this element and not the node around it.
    fn is_own_end(&self, id: NodeId, after: &SyntaxNode) -> bool {
        let parent = self.tree.node(id).parent.map(|parent| self.tree.node(parent));
        let ends_all =
            parent.is_some_and(|parent| parent.parent.is_some() && parent.range.end == after.range.end);
        after.kind == ";" && !ends_all
    }

    /// Some bytes with their line, if nothing else is on it; otherwise with the blanks before or after them.
    pub(crate) fn with_blanks(&self, range: Range<usize>) -> Range<usize> {
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let before = self.bytes[..range.start].iter().rev().take_while(is_blank).count();
        let after = self.bytes[range.end..].iter().take_while(is_blank).count();
        let begins_line = range.start == before || self.bytes[range.start - before - 1] == b'\n';
        match self.bytes.get(range.end + after) {
            Some(b'\n') if begins_line => range.start - before..range.end + after + 1,
            // A line must not start with a blank that was in the middle of it.
            Some(_) if begins_line => range.start..range.end + after,
            _ => range.start - before..range.end,
        }
    }
}

fn is_separator(kind: &str) -> bool {
    matches!(kind, "," | "|" | "&" | "+" | "&&" | "||")
}

/// Tokens that introduce an optional node, and are removed with it.
fn leads_in(kind: &str) -> bool {
    let words = ["as", "else", "from", "if", "extends", "where", "throws", "implements"];
    matches!(kind, "=" | ":" | "->" | "=>" | ":=" | "?") || words.contains(&kind)
}
