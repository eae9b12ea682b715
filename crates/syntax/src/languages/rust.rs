//! Rust.

#[cfg(feature = "common-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, TextKind};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "rust",
    extensions: &["rs"],
    #[cfg(feature = "common-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_rust::LANGUAGE,
        node_types: tree_sitter_rust::NODE_TYPES,
    }),
    text_kind: TextKind::Rust,
    text_kind_extensions: &["rs"],
    definition_groups: &["impl_item", "trait_item", "mod_item", "declaration_list"],
    definitions: &[
        "function_item",
        "struct_item",
        "enum_item",
        "union_item",
        "trait_item",
        "macro_definition",
    ],
    bodies: &["block"],
    idle_statements: &["empty_statement"],
    smallest_nodes: &[("integer_literal", "0"), ("unit_type", "()"), ("block", "{}")],
    empty_body: "loop{}",
    has_only_declarations_at_top: true,
    has_object_as_parameter: true,
    ..LanguageInfo::UNKNOWN
};
