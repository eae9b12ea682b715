//! YAML.

#[cfg(feature = "more-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, TextKind};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "yaml",
    extensions: &["yaml", "yml"],
    file_names: &[".clang-format", ".clang-tidy", ".clangd", ".yamllint", "CITATION.cff"],
    #[cfg(feature = "more-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_yaml::LANGUAGE,
        node_types: tree_sitter_yaml::NODE_TYPES,
    }),
    can_parse: |bytes| deepest_indentation(bytes) <= MOST_INDENTATIONS,
    text_kind: TextKind::Prose,
    text_kind_extensions: &["yml", "yaml"],
    has_layout: true,
    is_data: true,
    ..LanguageInfo::UNKNOWN
};

/// The parser has room for 253. It does not return if a text needs more.
const MOST_INDENTATIONS: usize = 240;

/// An upper bound for how deeply blocks are nested: two for each column of the indentation, a mapping and a sequence, and
/// one for each mark in the line.
fn deepest_indentation(bytes: &[u8]) -> usize {
    let of_line = |line: &[u8]| {
        let indentation = line.iter().take_while(|byte| **byte == b' ').count();
        let is_mark = |pair: &&[u8]| b"-?:|>".contains(&pair[0]) && pair[1].is_ascii_whitespace();
        2 * (indentation + 1) + line.windows(2).filter(is_mark).count() + 2
    };
    bytes.split(|byte| *byte == b'\n').map(of_line).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_counted_by_their_columns_and_marks() {
        assert_eq!(deepest_indentation(b"a: 1\nb:\n  - c: 1\n"), 6 + 2 + 2);
    }
}
