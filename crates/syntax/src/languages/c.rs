//! C.

#[cfg(feature = "common-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, c_family};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "c",
    extensions: &["c", "i", "cu", "h"],
    recognizes: |text| c_family::starts_with_directive(text) && !c_family::looks_like_cpp(text),
    #[cfg(feature = "common-grammars")]
    grammar: Some(GrammarSource { language: tree_sitter_c::LANGUAGE, node_types: tree_sitter_c::NODE_TYPES }),
    definitions: c_family::DEFINITIONS,
    definitions_with_body: c_family::TYPES,
    definition_wrappers: c_family::DEFINITION_WRAPPERS,
    definition_groups: c_family::DEFINITION_GROUPS,
    bodies: c_family::BODIES,
    takes_single_statement: c_family::TAKES_SINGLE_STATEMENT,
    smallest_nodes: c_family::SMALLEST_NODES,
    irreplaceable: c_family::IRREPLACEABLE,
    has_only_declarations_at_top: true,
    has_type_before_name: true,
    is_c_family: true,
    ..LanguageInfo::UNKNOWN
};
