//! Go.

#[cfg(feature = "common-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, TextKind};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "go",
    extensions: &["go"],
    #[cfg(feature = "common-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_go::LANGUAGE,
        node_types: tree_sitter_go::NODE_TYPES,
    }),
    text_kind: TextKind::Go,
    text_kind_extensions: &["go"],
    definition_groups: &["import_declaration", "import_spec_list"],
    definitions: &["function_declaration", "method_declaration", "type_spec", "type_alias"],
    bodies: &["block"],
    idle_statements: &["empty_statement"],
    smallest_nodes: &[("int_literal", "0"), ("type_identifier", "int"), ("block", "{}")],
    empty_body: "panic(0)",
    has_only_declarations_at_top: true,
    ends_statements_with_lines: true,
    ..LanguageInfo::UNKNOWN
};
