//! Python.

#[cfg(feature = "common-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, TextKind};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "python",
    extensions: &["py", "pyi", "pyw", "pyx", "bzl", "star", "wsgi"],
    file_names: &["SConstruct", "SConscript", "wscript", "BUILD", "BUILD.bazel", "WORKSPACE"],
    interpreters: &["python", "pypy", "micropython"],
    #[cfg(feature = "common-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_python::LANGUAGE,
        node_types: tree_sitter_python::NODE_TYPES,
    }),
    can_parse: |bytes| widest_indentation(bytes) <= MOST_INDENTATIONS,
    text_kind: TextKind::Python,
    text_kind_extensions: &["py", "pyi", "pyx"],
    definition_groups: &["class_definition"],
    definitions: &["function_definition", "class_definition"],
    definition_wrappers: &["decorated_definition"],
    bodies: &["block"],
    idle_statements: &["pass_statement"],
    smallest_nodes: &[("integer", "0")],
    empty_body: "pass",
    has_object_as_parameter: true,
    ends_statements_with_lines: true,
    has_layout: true,
    has_indented_blocks: true,
    ..LanguageInfo::UNKNOWN
};

/// The parser has room for 253.
const MOST_INDENTATIONS: usize = 240;

/// An upper bound for how deeply blocks are nested: one for each column.
fn widest_indentation(bytes: &[u8]) -> usize {
    let of_line = |line: &[u8]| line.iter().take_while(|byte| b" \t\x0c".contains(byte)).count();
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    // Continuation lines are often far to the right, but only a line deeper than the line before opens a block.
    let mut open: Vec<usize> = Vec::new();
    let mut deepest = 0;
    for width in lines.map(of_line) {
        while open.last().is_some_and(|outer| *outer >= width) {
            open.pop();
        }
        open.push(width);
        deepest = deepest.max(open.len());
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_counted_by_their_columns() {
        assert_eq!(widest_indentation(b"if a:\n  if b:\n    c(\n             d)\n  e\nf\n"), 4);
    }
}
