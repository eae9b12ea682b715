//! JavaScript.

#[cfg(feature = "common-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, TextKind};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "javascript",
    extensions: &["js", "mjs", "cjs", "jsx", "es6"],
    interpreters: &["node", "nodejs", "qjs"],
    editor_modes: &["js"],
    #[cfg(feature = "common-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_javascript::LANGUAGE,
        node_types: tree_sitter_javascript::NODE_TYPES,
    }),
    text_kind: TextKind::JavaScript,
    text_kind_extensions: &["js", "mjs", "cjs", "jsx"],
    definition_groups: &["class_declaration", "class_body"],
    definitions: &[
        "function_declaration",
        "generator_function_declaration",
        "class_declaration",
        "method_definition",
        "function_expression",
        "generator_function",
        "arrow_function",
        "class",
    ],
    definitions_as_values: &["function_expression", "generator_function", "arrow_function", "class"],
    naming_fields: &[
        ("variable_declarator", "name"),
        ("assignment_expression", "left"),
        ("pair", "key"),
        ("field_definition", "property"),
    ],
    definition_wrappers: &["export_statement"],
    bodies: BODIES,
    takes_single_statement: TAKES_SINGLE_STATEMENT,
    idle_statements: IDLE_STATEMENTS,
    smallest_nodes: SMALLEST_NODES,
    ends_statements_with_lines: true,
    ..LanguageInfo::UNKNOWN
};

pub(super) const BODIES: &[&str] = &["statement_block"];

pub(super) const TAKES_SINGLE_STATEMENT: &[&str] =
    &["if_statement", "else_clause", "for_statement", "for_in_statement", "while_statement", "do_statement"];

pub(super) const IDLE_STATEMENTS: &[&str] = &["empty_statement"];

pub(super) const SMALLEST_NODES: &[(&str, &str)] =
    &[("number", "0"), ("empty_statement", ";"), ("statement_block", "{}"), ("predefined_type", "any")];
