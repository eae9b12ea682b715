//! TOML.

#[cfg(feature = "more-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, TextKind};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "toml",
    extensions: &["toml"],
    file_names: &["Cargo.lock", "Pipfile", "poetry.lock", "pdm.lock", "uv.lock"],
    #[cfg(feature = "more-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_toml_ng::LANGUAGE,
        node_types: tree_sitter_toml_ng::NODE_TYPES,
    }),
    text_kind: TextKind::Build,
    text_kind_extensions: &["toml"],
    smallest_nodes: &[("integer", "0")],
    is_data: true,
    ..LanguageInfo::UNKNOWN
};
