//! A source file cut into its items: functions, types, macros, declarations, includes.

use super::functions::{LARGEST, language_of};
use super::items::ParsedText;
use crate::trees::tree_path::TreePath;
use howcome_syntax::{NodeId, SyntaxTree};
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

/// Kinds of nodes that only group items, whatever their size.
const GROUPS: [&str; 17] = [
    "translation_unit",
    "source_file",
    "module",
    "program",
    "linkage_specification",
    "namespace_definition",
    "declaration_list",
    "impl_item",
    "trait_item",
    "mod_item",
    "class_definition",
    "class_declaration",
    "class_body",
    "interface_declaration",
    "interface_body",
    "import_declaration",
    "import_spec_list",
];

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
    let mut cutter = ItemCutter {
        text,
        tree: &tree,
        bytes,
        scope: Vec::new(),
        attributes: Vec::new(),
        pieces: Vec::new(),
    };
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
    tree: &'a SyntaxTree,
    bytes: &'a [u8],
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
        let body = self.tree.child(id, "body");
        if let Some(body) = body {
            let code = self.code_until(whole, Some(body));
            let first = self.text.lines(whole).start - 1;
            let end = self.last_line_before(whole, body);
            let key = self.key(whole, id);
            let opens = [&self.scope, &self.name(id)[..], b"::"].concat();
            self.put(first..end, key, code, None, 0);
            if let Some(piece) = self.pieces.last_mut() {
                piece.item.opens = Some(opens.clone());
            }
            self.scope = opens;
        }
        let group = body.filter(|body| self.is_group(*body, id)).unwrap_or(id);
        for child in self.tree.children(group) {
            let is_before_body = group == id && body.is_some_and(|body| child < body);
            if !is_before_body {
                self.cut_child(child, group);
            }
        }
        self.scope.truncate(outer);
    }

    fn cut_child(&mut self, child: NodeId, group: NodeId) {
        let node = self.tree.node(child);
        if is_comment(node.kind) || node.range.is_empty() {
            return;
        }
        let code = self.code(child);
        if node.kind == "attribute_item" {
            self.attributes.extend(code);
            return;
        }
        let lines = self.text.lines(child);
        let inner = self.definition(child);
        if self.is_group(inner, group) && !self.tree.is_leaf(inner) && lines.len() > 1 {
            self.cut(child, inner);
            return;
        }
        // The braces of a group are around its items, and not in one of them.
        let is_of_group = self.tree.is_leaf(child) && group != NodeId(0);
        let open_braces = if is_of_group { 0 } else { open_braces(&code) };
        let head = self.tree.child(inner, "body").map(|body| self.code_until(child, Some(body)).concat());
        self.put(lines.start - 1..lines.end - 1, self.key(child, inner), code, head, open_braces);
    }

    fn is_group(&self, id: NodeId, parent: NodeId) -> bool {
        let node = self.tree.node(id);
        GROUPS.contains(&node.kind)
            || node.kind == "block" && self.tree.node(parent).kind == "class_definition"
            || GUARDS.contains(&node.kind) && 2 * node.range.len() > self.bytes.len()
    }

    /// The definition in a node that decorates or exports it.
    fn definition(&self, id: NodeId) -> NodeId {
        let field = match self.tree.node(id).kind {
            "decorated_definition" => "definition",
            "export_statement" => "declaration",
            _ => return id,
        };
        self.tree.child(id, field).unwrap_or(id)
    }

    /// The end of the line of the last token of a node before its body.
    fn last_line_before(&self, id: NodeId, body: NodeId) -> u32 {
        let tokens = (id.0..body.0).map(NodeId).filter(|node| self.tree.is_leaf(*node));
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

    fn key(&self, whole: NodeId, id: NodeId) -> Vec<u8> {
        let sort = match self.tree.node(id).kind {
            "function_definition"
            | "function_item"
            | "function_declaration"
            | "method_declaration"
            | "method_definition"
            | "constructor_declaration" => "function",
            "declaration" | "field_declaration" => "declaration",
            "preproc_def" | "preproc_function_def" => "macro",
            other => other,
        };
        let name =
            if whole == id { self.name(id) } else { self.text.name_of(whole).unwrap_or(self.name(id)) };
        [sort.as_bytes(), b" ", &self.scope, &name].concat()
    }

    /// The name of an item, or its first line if it has none.
    fn name(&self, id: NodeId) -> Vec<u8> {
        let tree = self.tree;
        let node = tree.node(id);
        let text = |id: NodeId| self.bytes[tree.node(id).range.clone()].to_vec();
        // The field of a class in Java. Its declarator includes its value.
        let declarator = tree.child(id, "declarator");
        let declarator = declarator.filter(|declarator| tree.node(*declarator).kind == "variable_declarator");
        if let Some(name) = declarator.and_then(|declarator| tree.child(declarator, "name")) {
            return text(name);
        }
        if let Some(name) = self.text.name_of(id) {
            // The method of a type in Go.
            let receiver = tree.child(id, "receiver").map(|receiver| [&text(receiver)[..], b"."].concat());
            return [receiver.unwrap_or_default(), name].concat();
        }
        let assigned = match node.kind {
            "expression_statement" => tree.children(id).find_map(|child| tree.child(child, "left")),
            "type_declaration" | "var_declaration" | "const_declaration" | "lexical_declaration" => {
                let mut named = tree.children(id).filter_map(|child| tree.child(child, "name"));
                named.next().filter(|_| named.next().is_none())
            }
            _ => None,
        };
        let first_line = || {
            let line = self.bytes[node.range.clone()].split(|byte| *byte == b'\n').next().unwrap_or_default();
            let line = line.trim_ascii();
            line.strip_suffix(b"{").unwrap_or(line).trim_ascii_end().to_vec()
        };
        assigned.map_or_else(first_line, text)
    }

    /// The tokens of a node without comments, line by line.
    fn code(&self, id: NodeId) -> Vec<Vec<u8>> {
        self.code_until(id, None)
    }

    fn code_until(&self, id: NodeId, end: Option<NodeId>) -> Vec<Vec<u8>> {
        let end = end.map_or(self.tree.node(id).after, |end| end);
        let mut lines: Vec<Vec<u8>> = Vec::new();
        let mut line = None;
        let mut next = id;
        while next < end {
            let node = self.tree.node(next);
            if is_comment(node.kind) {
                next = node.after;
                continue;
            }
            if self.tree.is_leaf(next) {
                let here = self.text.lines(next).start;
                if line.replace(here) != Some(here) {
                    lines.push(Vec::new());
                }
                if let Some(last) = lines.last_mut() {
                    last.extend_from_slice(&self.bytes[node.range.clone()]);
                    last.push(b' ');
                }
            }
            next = NodeId(next.0 + 1);
        }
        lines.retain(|line| !line.trim_ascii().is_empty());
        lines
    }
}

fn is_comment(kind: &str) -> bool {
    kind.ends_with("comment")
}

fn open_braces(code: &[Vec<u8>]) -> i64 {
    let tokens = || code.iter().flat_map(|line| line.split(|byte| *byte == b' '));
    let count = |brace: &[u8]| tokens().filter(|token| *token == brace).count() as i64;
    count(b"{") - count(b"}")
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
mod tests {
    use super::*;

    fn shown(path: &str, text: &str) -> Vec<String> {
        let items = source_items(&TreePath::new(path.as_bytes()).unwrap(), text.as_bytes()).unwrap();
        let show = |item: &SourceItem| format!("{} {:?}", String::from_utf8_lossy(&item.key), item.lines);
        items.iter().map(show).collect()
    }

    #[test]
    fn a_file_of_c_is_cut_into_includes_macros_types_declarations_and_functions() {
        let text = "#include <a.h>\n#define X 1\n\n/* about s */\nstruct s {\n  int a;\n};\nstatic int n;\nint f(void);\nint\nf(void)\n{\n  return n;\n}\n";
        assert_eq!(
            shown("a.c", text),
            [
                "preproc_include #include <a.h> 0..1",
                "macro X 1..2",
                "struct_specifier s 2..7",
                "declaration n 7..8",
                "declaration f 8..9",
                "function f 9..14",
            ]
        );
    }

    #[test]
    fn a_function_that_the_parser_tears_apart_is_one_item() {
        let text = "jv f(double x) {\n  jv j = {\n#ifdef A\n    B,\n#else\n    C,\n#endif\n    0, {.number = x}\n  };\n  return j;\n}\nint g;\n";
        let found = shown("a.c", text);
        assert_eq!(found.last().unwrap(), "declaration g 11..12", "{found:?}");
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn rust_attributes_belong_to_their_item_and_methods_are_items_of_their_own() {
        let text = r##"use std::fmt;
use std::io;

const N: u32 = 1;

/// About s.
#[derive(Debug)]
pub struct S {
    a: u32,
}

impl S {
    /// About f.
    pub fn f(&self) -> u32 {
        self.a
    }

    #[must_use]
    fn g(&self) -> u32 {
        N
    }
}

impl fmt::Display for S {
    fn fmt(&self) {}
}

macro_rules! m {
    () => {};
}

fn main() {
    m!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t() {
        f();
    }
}
"##;
        assert_eq!(
            shown("a.rs", text),
            [
                "use_declaration use std::fmt; 0..1",
                "use_declaration use std::io; 1..2",
                "const_item N 2..4",
                "struct_item S 4..10",
                "impl_item impl S 10..12",
                "function impl S::f 12..16",
                "function impl S::g 16..21",
                "} impl S::} 21..22",
                "impl_item impl fmt::Display for S 22..24",
                "function impl fmt::Display for S::fmt 24..25",
                "} impl fmt::Display for S::} 25..26",
                "macro_definition m 26..30",
                "function main 30..34",
                "mod_item tests 34..37",
                "use_declaration tests::use super::*; 37..38",
                "function tests::t 38..43",
                "} tests::} 43..44",
            ]
        );
    }

    #[test]
    fn java_methods_fields_and_imports_are_items_of_their_own() {
        let text = r##"package a;

import java.util.List;
import java.util.Map;

/** About A. */
public class A extends B {
    private int n = 1;
    static final int M = 2;

    A(int n) {
        this.n = n;
    }

    /** About f. */
    @Override
    public int f(int x) {
        return x + n;
    }

    int f(long x) {
        return 1;
    }

    enum E {
        X,
        Y
    }
}

interface I {
    int g();

    int h();
}
"##;
        assert_eq!(
            shown("A.java", text),
            [
                "package_declaration package a; 0..1",
                "import_declaration import java.util.List; 1..3",
                "import_declaration import java.util.Map; 3..4",
                "class_declaration A 4..7",
                "declaration A::n 7..8",
                "declaration A::M 8..9",
                "function A::A 9..13",
                "function A::f 13..19",
                "function A::f #2 19..23",
                "enum_declaration A::E 23..28",
                "} A::} 28..29",
                "interface_declaration I 29..31",
                "function I::g 31..32",
                "function I::h 32..34",
                "} I::} 34..35",
            ]
        );
    }

    #[test]
    fn go_methods_are_told_apart_by_their_receiver_and_imports_are_items() {
        let text = r##"package a

import (
	"fmt"
	"os"
)

const (
	x = 1
	y = 2
)

var n int

// About T.
type T struct {
	a int
}

// About f.
func (t *T) f() int {
	return t.a
}

func (t U) f() int {
	return 1
}

func main() {
	fmt.Println(x)
}
"##;
        assert_eq!(
            shown("a.go", text),
            [
                "package_clause package a 0..1",
                "import import 1..3",
                "import_spec \"fmt\" 3..4",
                "import_spec \"os\" 4..5",
                ") ) 5..6",
                "const_declaration const ( 6..11",
                "var_declaration n 11..13",
                "type_declaration T 13..18",
                "function (t *T).f 18..23",
                "function (t U).f 23..27",
                "function main 27..31",
            ]
        );
    }

    #[test]
    fn python_decorators_belong_to_their_function_and_methods_are_items() {
        let text = r##"#!/usr/bin/env python3
"""About a."""
import os
from sys import argv

N = 1


class A(object):
    """About A."""

    x = 1

    def __init__(self):
        self.y = 2

    @property
    def f(self):
        return 1

    async def g(self):
        return 2


@cached
def f():
    # Why.
    return 3


def g(a,
      b):
    return 4


if __name__ == '__main__':
    f()
"##;
        assert_eq!(
            shown("a.py", text),
            [
                "expression_statement \"\"\"About a.\"\"\" 0..2",
                "import_statement os 2..3",
                "import_from_statement argv 3..4",
                "expression_statement N 4..6",
                "class_definition A 6..9",
                "expression_statement A::\"\"\"About A.\"\"\" 9..10",
                "expression_statement A::x 10..12",
                "function A::__init__ 12..15",
                "function A::f 15..19",
                "function A::g 19..22",
                "function f 22..28",
                "function g 28..33",
                "if_statement if __name__ == '__main__': 33..37",
            ]
        );
    }
}
