//! The kind of a text, by the name of its file.

use crate::{Language, TextKind};

/// Extensions of files that are in none of the languages of this crate.
const OTHER_EXTENSIONS: &[(&[&str], TextKind)] = &[
    (&["kt", "scala", "cs"], TextKind::Java),
    (&["pl", "pm", "rb", "awk", "sed", "tcl", "exp", "lua"], TextKind::Script),
    (&["mk", "mak", "am", "ac", "m4", "cmake", "make", "bazel", "build", "in"], TextKind::Build),
    (
        &[
            "md", "txt", "rst", "po", "pot", "tex", "texi", "adoc", "pod", "log", "csv", "of", "1", "2", "3",
            "4", "5", "6", "7", "8",
        ],
        TextKind::Prose,
    ),
];

/// Names of files that say more than their extensions.
const FILE_NAMES: &[(&str, TextKind)] = &[
    ("CMakeLists.txt", TextKind::Build),
    ("Makefile", TextKind::Build),
    ("makefile", TextKind::Build),
    ("GNUmakefile", TextKind::Build),
    ("meson.build", TextKind::Build),
    ("configure", TextKind::Script),
    ("README", TextKind::Prose),
    ("ChangeLog", TextKind::Prose),
    ("NEWS", TextKind::Prose),
    ("AUTHORS", TextKind::Prose),
    ("COPYING", TextKind::Prose),
    ("LICENSE", TextKind::Prose),
];

impl TextKind {
    /// The kind of a file.
    #[must_use]
    pub fn of_path(path: &[u8]) -> Self {
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        let by_name = FILE_NAMES.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, kind)| *kind);
        // `config.h.in` becomes a header.
        let generated = || name.ends_with(b".h.in").then_some(Self::CLike);
        let extension = name.iter().rposition(|&byte| byte == b'.').map(|dot| &name[dot + 1..]);
        let by_extension = || extension.and_then(Self::of_extension);
        by_name.or_else(generated).or_else(by_extension).unwrap_or(Self::CLike)
    }

    fn of_extension(extension: &[u8]) -> Option<Self> {
        let is_among = |known: &[&str]| known.iter().any(|known| known.as_bytes() == extension);
        let languages = Language::ALL.map(Language::info);
        let languages = languages.iter().map(|language| (language.text_kind_extensions, language.text_kind));
        let others = OTHER_EXTENSIONS.iter().copied();
        languages.chain(others).find(|(known, _)| is_among(known)).map(|(_, kind)| kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_file_is_read_like_c() {
        assert_eq!(TextKind::of_path(b"src/parse.y"), TextKind::CLike);
        assert_eq!(TextKind::of_path(b"src/config.h.in"), TextKind::CLike);
        assert_eq!(TextKind::of_path(b"a.b/CMakeLists.txt"), TextKind::Build);
        assert_eq!(TextKind::of_path(b"doc/notes.txt"), TextKind::Prose);
        assert_eq!(TextKind::of_path(b"lib/a.tsx"), TextKind::JavaScript);
        assert_eq!(TextKind::of_path(b"lib/a.kt"), TextKind::Java);
    }
}
