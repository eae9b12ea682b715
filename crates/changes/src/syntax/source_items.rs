//! A source file cut into its items: functions, types, macros, declarations, includes.

use super::code_tokens::{is_comment, open_braces};
use super::functions::{LARGEST, language_of};
use super::items::ParsedText;
use crate::trees::tree_path::TreePath;
use howcome_syntax::NodeId;
use std::collections::HashMap;
use std::ops::Range;

/// An item of a source file. The items of a file hold all of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceItem {
    /// Its sort and name, which it has in all versions of the file.
    pub(crate) key: Vec<u8>,
    /// Its lines, counted from 0. Comments and blank lines before an item belong to it.
    pub(crate) lines: Range<u32>,
    /// Its tokens without comments, line by line.
    pub(crate) code: Vec<Vec<u8>>,
    /// The tokens before its body, if it has one.
    pub(crate) head: Option<Vec<u8>>,
    /// The names of the classes and modules that it is in.
    pub(crate) scope: Vec<u8>,
    /// The same for the items in it, if it is the first line of a class or module.
    pub(crate) opens: Option<Vec<u8>>,
}

/// Kinds of nodes that only group items if they hold most of a file: the guard of a header.
const GUARDS: [&str; 2] = ["preproc_ifdef", "preproc_if"];

/// The items of a file, in order; `None` if its language is not known.
pub(crate) fn source_items(path: &TreePath, bytes: &[u8]) -> Option<Vec<SourceItem>> {
    if bytes.len() > LARGEST {
        return None;
    }
    let language = language_of(path, bytes).filter(|language| !language.info().is_data)?;
    let tree = language.parse(bytes)?;
    let text = ParsedText::new(language, bytes, &tree);
    let mut cutter = ItemCutter { text, scope: Vec::new(), attributes: Vec::new(), pieces: Vec::new() };
    cutter.cut(NodeId(0), NodeId(0));
    let mut items = with_closed_braces(cutter.pieces)?;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').count() as u32;
    if let Some(last) = items.last_mut() {
        last.lines.end = lines;
    }
    number_equal_keys(&mut items);
    (!items.is_empty()).then_some(items)
}

struct ItemCutter<'a> {
    text: ParsedText<'a>,
    /// The names of the groups that the next item is in.
    scope: Vec<u8>,
    /// The tokens of the attributes before the next item.
    attributes: Vec<Vec<u8>>,
    pieces: Vec<ItemPiece>,
}

/// An item, and how many braces it opens without closing them.
struct ItemPiece {
    item: SourceItem,
    open_braces: i64,
}

impl ItemCutter<'_> {
    /// Cuts a group into its items. `whole` is the group with what is around it, such as its decorators.
    fn cut(&mut self, whole: NodeId, id: NodeId) {
        let outer = self.scope.len();
        let body = self.text.tree.child(id, "body");
        if let Some(body) = body {
            let code = self.text.code_until(whole, Some(body));
            let first = self.text.lines(whole).start - 1;
            let end = self.last_line_before(whole, body);
            let key = self.text.key(&self.scope, whole, id);
            let opens = [&self.scope, &self.text.item_name(id)[..], b"::"].concat();
            self.put(first..end, key, code, None, 0);
            if let Some(piece) = self.pieces.last_mut() {
                piece.item.opens = Some(opens.clone());
            }
            self.scope = opens;
        }
        let group = body.filter(|body| self.is_group(*body, id)).unwrap_or(id);
        for child in self.text.tree.children(group) {
            let is_before_body = group == id && body.is_some_and(|body| child < body);
            if !is_before_body {
                self.cut_child(child, group);
            }
        }
        self.scope.truncate(outer);
    }

    fn cut_child(&mut self, child: NodeId, group: NodeId) {
        let node = self.text.tree.node(child);
        if is_comment(node.kind) || node.range.is_empty() {
            return;
        }
        let code = self.text.code(child);
        if node.kind == "attribute_item" {
            self.attributes.extend(code);
            return;
        }
        let lines = self.text.lines(child);
        let inner = self.text.definition(child);
        if self.is_group(inner, group) && !self.text.tree.is_leaf(inner) && lines.len() > 1 {
            self.cut(child, inner);
            return;
        }
        // The braces of a group are around its items, and not in one of them.
        let is_of_group = self.text.tree.is_leaf(child) && group != NodeId(0);
        let open_braces = if is_of_group { 0 } else { open_braces(&code) };
        let head =
            self.text.tree.child(inner, "body").map(|body| self.text.code_until(child, Some(body)).concat());
        self.put(
            lines.start - 1..lines.end - 1,
            self.text.key(&self.scope, child, inner),
            code,
            head,
            open_braces,
        );
    }

    fn is_group(&self, id: NodeId, parent: NodeId) -> bool {
        let (node, info) = (self.text.tree.node(id), self.text.info);
        let is_of_group = info.definition_groups.contains(&self.text.tree.node(parent).kind);
        info.definition_groups.contains(&node.kind)
            || info.has_indented_blocks && node.kind == "block" && is_of_group
            || GUARDS.contains(&node.kind) && 2 * node.range.len() > self.text.bytes.len()
    }

    /// The end of the line of the last token of a node before its body.
    fn last_line_before(&self, id: NodeId, body: NodeId) -> u32 {
        let tokens = (id.0..body.0).map(NodeId).filter(|node| self.text.tree.is_leaf(*node));
        tokens.map(|token| self.text.lines(token).end - 1).max().unwrap_or(0)
    }

    fn put(
        &mut self,
        lines: Range<u32>,
        key: Vec<u8>,
        code: Vec<Vec<u8>>,
        head: Option<Vec<u8>>,
        open_braces: i64,
    ) {
        let previous = self.pieces.last().map_or(0, |piece| piece.item.lines.end);
        let attributes = std::mem::take(&mut self.attributes);
        let head = head.map(|head| [attributes.concat(), head].concat());
        let code = [attributes, code].concat();
        match self.pieces.last_mut() {
            // Such as the semicolon after a type, or the next word of a line that starts a block.
            Some(ItemPiece { item, open_braces: open }) if lines.start < previous => {
                item.lines.end = item.lines.end.max(lines.end);
                item.code.extend(code);
                *open += open_braces;
            }
            _ => {
                let lines = previous..lines.end.max(lines.start + 1);
                let item = SourceItem { key, lines, code, head, scope: self.scope.clone(), opens: None };
                self.pieces.push(ItemPiece { item, open_braces });
            }
        }
    }
}

/// Joins items of which one opens a brace that another one closes: a parser can lose track in conditional code. `None` if a brace is
/// never closed.
fn with_closed_braces(pieces: Vec<ItemPiece>) -> Option<Vec<SourceItem>> {
    let mut joined: Vec<SourceItem> = Vec::new();
    let mut open = 0_i64;
    for ItemPiece { item, open_braces } in pieces {
        match joined.last_mut() {
            Some(last) if open > 0 => {
                last.lines.end = item.lines.end;
                last.code.extend(item.code);
            }
            _ => joined.push(item),
        }
        open = (open + open_braces).max(0);
    }
    (open == 0).then_some(joined)
}

/// A file can have several items of the same name, such as a macro in each branch of a condition.
fn number_equal_keys(items: &mut [SourceItem]) {
    let mut seen: HashMap<Vec<u8>, u32> = HashMap::new();
    for item in items {
        let number = seen.entry(item.key.clone()).or_default();
        *number += 1;
        if *number > 1 {
            item.key.extend_from_slice(format!(" #{number}").as_bytes());
        }
    }
}

#[cfg(test)]
mod tests;
