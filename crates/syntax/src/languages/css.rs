//! CSS and its dialects.

#[cfg(feature = "more-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, TextKind};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "css",
    extensions: &["css", "scss", "less"],
    #[cfg(feature = "more-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_css::LANGUAGE,
        node_types: tree_sitter_css::NODE_TYPES,
    }),
    text_kind: TextKind::Prose,
    text_kind_extensions: &["css"],
    smallest_nodes: &[("integer_value", "0")],
    ..LanguageInfo::UNKNOWN
};
