//! Bash and other shells.

#[cfg(feature = "more-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, TextKind};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "bash",
    extensions: &["sh", "bash", "ksh", "zsh", "bats", "ebuild"],
    file_names: &[
        ".bashrc",
        ".bash_profile",
        ".bash_aliases",
        ".bash_logout",
        ".profile",
        ".zshrc",
        ".kshrc",
        "PKGBUILD",
        "APKBUILD",
    ],
    interpreters: &["sh", "bash", "dash", "ash", "ksh", "zsh", "busybox"],
    editor_modes: &["sh", "shell-script"],
    #[cfg(feature = "more-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_bash::LANGUAGE,
        node_types: tree_sitter_bash::NODE_TYPES,
    }),
    text_kind: TextKind::Script,
    text_kind_extensions: &["sh", "bash"],
    ends_statements_with_lines: true,
    ..LanguageInfo::UNKNOWN
};
