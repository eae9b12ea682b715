//! SQL.

use crate::LanguageInfo;
#[cfg(feature = "more-grammars")]
use crate::language_info::GrammarSource;

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "sql",
    extensions: &["sql", "ddl", "dml", "psql"],
    #[cfg(feature = "more-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_sequel::LANGUAGE,
        node_types: tree_sitter_sequel::NODE_TYPES,
    }),
    ..LanguageInfo::UNKNOWN
};
