//! TypeScript.

use super::javascript::{BODIES, IDLE_STATEMENTS, SMALLEST_NODES, TAKES_SINGLE_STATEMENT};
#[cfg(feature = "more-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, TextKind};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "typescript",
    extensions: &["ts", "tsx", "mts", "cts"],
    interpreters: &["deno", "bun", "ts-node", "tsx"],
    // The grammar of TSX has everything of TypeScript except types in angle brackets before a value.
    #[cfg(feature = "more-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_typescript::LANGUAGE_TSX,
        node_types: tree_sitter_typescript::TSX_NODE_TYPES,
    }),
    text_kind: TextKind::JavaScript,
    text_kind_extensions: &["ts", "tsx"],
    bodies: BODIES,
    takes_single_statement: TAKES_SINGLE_STATEMENT,
    idle_statements: IDLE_STATEMENTS,
    smallest_nodes: SMALLEST_NODES,
    ends_statements_with_lines: true,
    ..LanguageInfo::UNKNOWN
};
