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
}

/// Kinds of nodes that only group items, whatever their size.
const GROUPS: [&str; 12] = [
    "translation_unit",
    "source_file",
    "module",
    "program",
    "linkage_specification",
    "namespace_definition",
    "declaration_list",
    "impl_item",
    "mod_item",
    "class_definition",
    "class_declaration",
    "class_body",
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
    let mut cutter =
        ItemCutter { text: ParsedText::new(language, bytes, &tree), tree: &tree, bytes, items: Vec::new() };
    cutter.cut(NodeId(0));
    let mut items = with_closed_braces(cutter.items)?;
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
    items: Vec<SourceItem>,
}

impl ItemCutter<'_> {
    fn cut(&mut self, id: NodeId) {
        for child in self.tree.children(id) {
            let node = self.tree.node(child);
            if is_comment(node.kind) || node.range.is_empty() {
                continue;
            }
            let lines = self.text.lines(child);
            let is_class_body = node.kind == "block" && self.tree.node(id).kind == "class_definition";
            let is_group = GROUPS.contains(&node.kind)
                || is_class_body
                || GUARDS.contains(&node.kind) && 2 * node.range.len() > self.bytes.len();
            if is_group && !self.tree.is_leaf(child) && lines.len() > 1 {
                self.cut(child);
            } else {
                self.put(child, lines);
            }
        }
    }

    fn put(&mut self, id: NodeId, lines: Range<u32>) {
        let (start, end) = (lines.start - 1, lines.end - 1);
        let previous = self.items.last().map_or(0, |item| item.lines.end);
        let code = self.code(id);
        match self.items.last_mut() {
            // Such as the semicolon after a type, or the next word of a line that starts a block.
            Some(item) if start < previous => {
                item.lines.end = item.lines.end.max(end);
                item.code.extend(code);
            }
            _ => {
                let head = self.tree.child(id, "body").map(|body| self.code_until(id, Some(body)).concat());
                let key = self.key(id);
                self.items.push(SourceItem { key, lines: previous..end.max(start + 1), code, head });
            }
        }
    }

    fn key(&self, id: NodeId) -> Vec<u8> {
        let node = self.tree.node(id);
        let sort = match node.kind {
            "function_definition" | "function_item" | "function_declaration" | "method_declaration" => {
                "function"
            }
            "declaration" | "field_declaration" => "declaration",
            "preproc_def" | "preproc_function_def" => "macro",
            other => other,
        };
        let name = self.text.name_of(id).unwrap_or_else(|| {
            let line = self.bytes[node.range.clone()].split(|byte| *byte == b'\n').next();
            line.unwrap_or_default().trim_ascii().to_vec()
        });
        [sort.as_bytes(), b" ", &name].concat()
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

/// Joins items of which one opens a brace that another one closes: a parser can lose track in conditional code. `None` if a brace is
/// never closed.
fn with_closed_braces(items: Vec<SourceItem>) -> Option<Vec<SourceItem>> {
    let mut joined: Vec<SourceItem> = Vec::new();
    let mut open = 0_i64;
    for item in items {
        let tokens = || item.code.iter().flat_map(|line| line.split(|byte| *byte == b' '));
        let count = |brace: &[u8]| tokens().filter(|token| *token == brace).count() as i64;
        let balance = count(b"{") - count(b"}");
        match joined.last_mut() {
            Some(last) if open > 0 => {
                last.lines.end = item.lines.end;
                last.code.extend(item.code);
            }
            _ => joined.push(item),
        }
        open = (open + balance).max(0);
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
    fn methods_of_a_class_are_items() {
        let text = "import os\n\nclass A:\n    x = 1\n\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n";
        let found = shown("a.py", text);
        assert!(found.iter().any(|item| item.starts_with("function f")), "{found:?}");
        assert!(found.iter().any(|item| item.starts_with("function g")), "{found:?}");
    }
}
