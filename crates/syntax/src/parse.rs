//! Parses a text into a tree.

use crate::grammar::Grammar;
use crate::{GrammarSlot, Language, NodeId, SyntaxNode, SyntaxTree};
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, ParseState};

impl Language {
    /// Parses a text. A text with errors has a tree too.
    ///
    /// `None` if the text is nested too deeply for the parser, if parsing takes too long, or if the grammar was left out of
    /// the build.
    #[must_use]
    pub fn parse(self, bytes: &[u8]) -> Option<SyntaxTree> {
        if !(self.info().can_parse)(bytes) {
            return None;
        }
        let grammar = Grammar::of(self)?;
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(grammar.language).ok()?;
        let mut steps_left = most_steps(bytes.len());
        let mut progress =
            |_: &ParseState| match steps_left.checked_sub(1).map(|left| steps_left = left).is_some() {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut rest = |at: usize, _: tree_sitter::Point| bytes.get(at..).unwrap_or_default();
        let tree = parser.parse_with_options(&mut rest, None, Some(options))?;
        let mut nodes: Vec<SyntaxNode> = Vec::new();
        // No recursion, because a tree can be deeper than the stack.
        let mut open: Vec<NodeId> = Vec::new();
        let mut cursor = tree.walk();
        loop {
            let found = cursor.node();
            let id = NodeId(u32::try_from(nodes.len()).ok()?);
            let parent = open.last().copied();
            let field = cursor.field_id().and_then(|id| grammar.language.field_name_for_id(id.get()));
            let slot = parent
                .map_or_else(GrammarSlot::default, |parent| grammar.slot(nodes[parent.index()].kind, field));
            nodes.push(SyntaxNode {
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
                let Some(parent) = open.pop() else { return Some(SyntaxTree::new(nodes)) };
                cursor.goto_parent();
                nodes[parent.index()].after = NodeId(nodes.len() as u32);
            }
        }
    }
}

/// The time to parse some broken texts grows with the square of their length. No other text comes near this number of steps.
/// A limit in seconds would give different results on a busy machine.
fn most_steps(bytes: usize) -> usize {
    20_000 + bytes
}
