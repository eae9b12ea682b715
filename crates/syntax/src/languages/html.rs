//! HTML.

#[cfg(feature = "common-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, TextKind, markup};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "html",
    extensions: &["htm", "html", "xhtml", "shtml", "vue"],
    recognizes: markup::is_html,
    #[cfg(feature = "common-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_html::LANGUAGE,
        node_types: tree_sitter_html::NODE_TYPES,
    }),
    can_parse: markup::is_shallow,
    text_kind: TextKind::Prose,
    text_kind_extensions: &["html", "htm"],
    ..LanguageInfo::UNKNOWN
};
