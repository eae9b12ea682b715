//! From a syntax tree to the functions and types in it.

use super::code_item::CodeItem;
use howcome_syntax::{Language, LanguageInfo, NodeId, SyntaxTree};
use std::ops::Range;

/// The functions and types of a text, each before those within it.
pub(super) fn items(language: Language, bytes: &[u8]) -> Vec<CodeItem> {
    let Some(tree) = language.parse(bytes) else { return Vec::new() };
    let info = language.info();
    let text = ParsedText::new(language, bytes, &tree);
    let found = tree.iter().filter(|(_, node)| node.is_named && info.definitions.contains(&node.kind));
    found.filter_map(|(id, _)| text.item(id)).collect()
}

/// A text with its syntax tree.
pub(super) struct ParsedText<'a> {
    pub(super) info: &'static LanguageInfo,
    pub(super) bytes: &'a [u8],
    pub(super) tree: &'a SyntaxTree,
    /// Where the lines end.
    ends: Vec<usize>,
}

impl<'a> ParsedText<'a> {
    pub(super) fn new(language: Language, bytes: &'a [u8], tree: &'a SyntaxTree) -> Self {
        Self { info: language.info(), bytes, tree, ends: ends_of_lines(bytes) }
    }

    /// The name that a node declares, if it has one.
    pub(super) fn name_of(&self, id: NodeId) -> Option<Vec<u8>> {
        let tree = self.tree;
        let wrapped = || {
            let inner = tree.children(id).find(|child| tree.node(*child).field == Some("definition"))?;
            tree.child(inner, "name")
        };
        let name = tree.child(id, "name").or_else(|| self.innermost_declarator(id)).or_else(wrapped)?;
        Some(self.bytes_of(name))
    }

    fn item(&self, id: NodeId) -> Option<CodeItem> {
        let tree = self.tree;
        let node = tree.node(id);
        if self.info.definitions_with_body.contains(&node.kind) && tree.child(id, "body").is_none() {
            return None;
        }
        if self.info.definitions_as_values.contains(&node.kind) {
            let named_by = node.parent.and_then(|parent| {
                let kind = tree.node(parent).kind;
                let (_, field) = self.info.naming_fields.iter().find(|(known, _)| *known == kind)?;
                let name = tree.child(parent, field)?;
                (name != id).then_some((parent, name))
            });
            // An item without a name is part of the expression around it.
            let (whole, name) = named_by.or_else(|| Some((id, tree.child(id, "name")?)))?;
            return Some(CodeItem { name: self.bytes_of(name), lines: self.lines(whole) });
        }
        let outwards = std::iter::successors(node.parent, |outer| tree.node(*outer).parent);
        let is_wrapper = |outer: &NodeId| self.info.definition_wrappers.contains(&tree.node(*outer).kind);
        let whole = outwards.take_while(is_wrapper).last().unwrap_or(id);
        let name = tree.child(id, "name").or_else(|| self.innermost_declarator(id));
        let name = name.or_else(|| self.innermost_declarator(whole));
        Some(CodeItem {
            name: name.map_or_else(Vec::new, |name| self.bytes_of(name)),
            lines: self.lines(whole),
        })
    }

    /// The name in a declaration of C, without pointers, parameters and brackets.
    fn innermost_declarator(&self, id: NodeId) -> Option<NodeId> {
        let tree = self.tree;
        let mut name = tree.child(id, "declarator")?;
        // Parentheses and references have no field for their content.
        while let Some(inner) = tree.child(name, "declarator").or_else(|| {
            matches!(tree.node(name).kind, "parenthesized_declarator" | "reference_declarator")
                .then(|| tree.children(name).find(|child| tree.node(*child).is_named))
                .flatten()
        }) {
            name = inner;
        }
        Some(name)
    }

    fn bytes_of(&self, id: NodeId) -> Vec<u8> {
        self.bytes[self.tree.node(id).range.clone()].to_vec()
    }

    /// The lines of a node, counted from 1.
    pub(super) fn lines(&self, id: NodeId) -> Range<u32> {
        let Range { start, end } = self.tree.node(id).range;
        let line = |at: usize| self.ends.partition_point(|end| *end < at) as u32 + 1;
        // A macro ends where the next line begins, which is still its own line.
        let last = if end > start { end - 1 } else { end };
        line(start)..line(last) + 1
    }
}

/// Where the lines of a text end: at their newlines.
fn ends_of_lines(bytes: &[u8]) -> Vec<usize> {
    bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect()
}
