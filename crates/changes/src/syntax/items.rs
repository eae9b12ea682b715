//! From a syntax tree to the functions and types in it.

use super::Item;
use super::grammar::{is_c_type, is_javascript_value, is_wrapper, javascript_name_field};
use super::language::Language;
use std::ops::Range;
use tree_sitter::{Node, Parser};

/// The functions and types of a text, each before those within it.
pub(super) fn items(language: Language, bytes: &[u8]) -> Vec<Item> {
    let mut parser = Parser::new();
    if parser.set_language(&language.grammar()).is_err() {
        return Vec::new();
    }
    let Some(tree) = parser.parse(bytes, None) else { return Vec::new() };

    // No recursion: a tree can be deeper than a stack.
    let mut items = Vec::new();
    let mut cursor = tree.walk();
    let mut ancestors = Vec::new();
    loop {
        let node = cursor.node();
        if node.is_named() && language.is_item(node.kind()) {
            items.extend(item(node, &ancestors, bytes));
        }
        if cursor.goto_first_child() {
            ancestors.push(node);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return items;
            }
            ancestors.pop();
        }
    }
}

fn item(node: Node<'_>, ancestors: &[Node<'_>], bytes: &[u8]) -> Option<Item> {
    let text = |node: Node<'_>| bytes[node.byte_range()].to_vec();
    let parent = ancestors.last().copied();
    if is_c_type(node.kind()) && node.child_by_field_name("body").is_none() {
        return None;
    }
    if is_javascript_value(node.kind()) {
        let named_by = parent.and_then(|parent| {
            let name = parent.child_by_field_name(javascript_name_field(parent.kind())?)?;
            (name.id() != node.id()).then_some((parent, name))
        });
        // One without any name is a part of the expression that it stands in.
        let (whole, name) = named_by.or_else(|| Some((node, node.child_by_field_name("name")?)))?;
        return Some(Item { name: text(name), lines: lines(whole) });
    }
    let wrappers = ancestors.iter().rev().take_while(|ancestor| is_wrapper(ancestor.kind()));
    let whole = wrappers.last().copied().unwrap_or(node);
    let name = node.child_by_field_name("name").or_else(|| innermost_declarator(node));
    let name = name.or_else(|| innermost_declarator(whole));
    Some(Item { name: name.map_or_else(Vec::new, text), lines: lines(whole) })
}

/// The name in a declaration of C: what is left without pointers, parameters and brackets.
fn innermost_declarator(node: Node<'_>) -> Option<Node<'_>> {
    let mut name = node.child_by_field_name("declarator")?;
    // Parentheses and references have no field for what they hold.
    while let Some(inner) = name.child_by_field_name("declarator").or_else(|| {
        matches!(name.kind(), "parenthesized_declarator" | "reference_declarator")
            .then(|| name.named_child(0))
            .flatten()
    }) {
        name = inner;
    }
    Some(name)
}

fn lines(node: Node<'_>) -> Range<u32> {
    let (start, end) = (node.start_position(), node.end_position());
    // A macro ends where the next line begins.
    let last = if end.column == 0 && end.row > start.row { end.row - 1 } else { end.row };
    start.row as u32 + 1..last as u32 + 2
}
