//! From a text to its tree.

use crate::grammar::Grammar;
use crate::limits;
use crate::{Language, Node, NodeId, Slot, Tree};
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, ParseState};

impl Language {
    /// The tree of a text, broken or not.
    ///
    /// None where the text is nested deeper than the grammar can bear, or takes very long, or its grammar was left out
    /// when this was built.
    #[must_use]
    pub fn parse(self, bytes: &[u8]) -> Option<Tree> {
        if !limits::can_bear(self, bytes) {
            return None;
        }
        let grammar = Grammar::of(self)?;
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(grammar.language).ok()?;
        let mut patience = limits::patience(bytes.len());
        let mut progress =
            |_: &ParseState| match patience.checked_sub(1).map(|left| patience = left).is_some() {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut rest = |at: usize, _: tree_sitter::Point| bytes.get(at..).unwrap_or_default();
        let tree = parser.parse_with_options(&mut rest, None, Some(options))?;
        let mut nodes: Vec<Node> = Vec::new();
        // No recursion: a tree can be deeper than a stack.
        let mut open: Vec<NodeId> = Vec::new();
        let mut cursor = tree.walk();
        loop {
            let found = cursor.node();
            let id = NodeId(u32::try_from(nodes.len()).ok()?);
            let parent = open.last().copied();
            let field = cursor.field_id().and_then(|id| grammar.language.field_name_for_id(id.get()));
            let slot =
                parent.map_or_else(Slot::default, |parent| grammar.slot(nodes[parent.index()].kind, field));
            nodes.push(Node {
                kind: grammar.language.node_kind_for_id(found.kind_id()).unwrap_or("ERROR"),
                field,
                range: found.byte_range(),
                parent,
                after: NodeId(id.0 + 1),
                depth: open.len() as u32,
                is_named: found.is_named(),
                is_error: found.is_error() || found.is_missing(),
                slot,
            });
            if cursor.goto_first_child() {
                open.push(id);
                continue;
            }
            while !cursor.goto_next_sibling() {
                let Some(parent) = open.pop() else { return Some(Tree::new(nodes)) };
                cursor.goto_parent();
                nodes[parent.index()].after = NodeId(nodes.len() as u32);
            }
        }
    }
}
