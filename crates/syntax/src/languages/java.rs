//! Java.

#[cfg(feature = "common-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, TextKind};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "java",
    extensions: &["java"],
    #[cfg(feature = "common-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_java::LANGUAGE,
        node_types: tree_sitter_java::NODE_TYPES,
    }),
    text_kind: TextKind::Java,
    text_kind_extensions: &["java"],
    definition_groups: &["class_declaration", "class_body", "interface_declaration", "interface_body"],
    definitions: &[
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
        "method_declaration",
        "constructor_declaration",
        "compact_constructor_declaration",
    ],
    bodies: &["block", "constructor_body"],
    takes_single_statement: &[
        "if_statement",
        "for_statement",
        "enhanced_for_statement",
        "while_statement",
        "do_statement",
    ],
    idle_statements: &["empty_statement"],
    smallest_nodes: &[
        ("decimal_integer_literal", "0"),
        ("integral_type", "int"),
        (";", ";"),
        ("block", "{}"),
    ],
    empty_body: "throw null;",
    has_only_declarations_at_top: true,
    has_type_before_name: true,
    ..LanguageInfo::UNKNOWN
};
