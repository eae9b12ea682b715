//! In which language a file is written, as far as reading names out of it needs to know.

/// Languages that differ in their comments and in how they define names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Language {
    /// C, C++ and what looks like them; also what nobody knows.
    C,
    Rust,
    Go,
    Java,
    JavaScript,
    Python,
    /// Shell scripts and others whose comments begin with `#`.
    Script,
    /// What builds a program: its words are mostly names of files.
    Build,
    /// Texts for people and data: no names in there are needed by anything.
    Prose,
}

const BY_EXTENSION: &[(&[&str], Language)] = &[
    (&["rs"], Language::Rust),
    (&["go"], Language::Go),
    (&["java", "kt", "scala", "cs"], Language::Java),
    (&["js", "mjs", "cjs", "ts", "jsx", "tsx"], Language::JavaScript),
    (&["py", "pyi", "pyx"], Language::Python),
    (&["sh", "bash", "pl", "pm", "rb", "awk", "sed", "tcl", "exp", "lua"], Language::Script),
    (&["mk", "mak", "am", "ac", "m4", "cmake", "make", "bazel", "build", "toml", "in"], Language::Build),
    (
        &[
            "md", "txt", "rst", "html", "htm", "css", "json", "yml", "yaml", "xml", "svg", "po", "pot",
            "tex", "texi", "adoc", "pod", "log", "csv", "of", "1", "2", "3", "4", "5", "6", "7", "8",
        ],
        Language::Prose,
    ),
];

/// Names of files that say more than their extensions.
const BY_NAME: &[(&str, Language)] = &[
    ("CMakeLists.txt", Language::Build),
    ("Makefile", Language::Build),
    ("makefile", Language::Build),
    ("GNUmakefile", Language::Build),
    ("meson.build", Language::Build),
    ("configure", Language::Script),
    ("README", Language::Prose),
    ("ChangeLog", Language::Prose),
    ("NEWS", Language::Prose),
    ("AUTHORS", Language::Prose),
    ("COPYING", Language::Prose),
    ("LICENSE", Language::Prose),
];

impl Language {
    /// By the name of the file.
    pub(crate) fn of_path(path: &[u8]) -> Self {
        let name = base_name(path);
        let by_name = BY_NAME.iter().find(|(known, _)| known.as_bytes() == name);
        let extension = extension(name);
        let by_extension = || {
            let holds =
                |known: &[&str]| extension.is_some_and(|own| known.iter().any(|k| k.as_bytes() == own));
            BY_EXTENSION.iter().find(|(known, _)| holds(known)).map(|(_, language)| *language)
        };
        // `config.h.in` becomes a header.
        let generated = || name.ends_with(b".h.in").then_some(Self::C);
        by_name.map(|(_, language)| *language).or_else(generated).or_else(by_extension).unwrap_or(Self::C)
    }

    /// Whether `//` and `/*` begin comments.
    pub(crate) fn has_slash_comments(self) -> bool {
        matches!(self, Self::C | Self::Rust | Self::Go | Self::Java | Self::JavaScript)
    }

    /// Whether `#` begins a comment.
    pub(crate) fn has_hash_comments(self) -> bool {
        matches!(self, Self::Python | Self::Script | Self::Build)
    }
}

/// The last part of a path.
pub(crate) fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// A file's name without its extension.
pub(crate) fn stem(name: &[u8]) -> &[u8] {
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(dot) if dot > 0 => &name[..dot],
        _ => name,
    }
}

fn extension(name: &[u8]) -> Option<&[u8]> {
    name.iter().rposition(|&byte| byte == b'.').map(|dot| &name[dot + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_knows_is_read_like_c() {
        assert_eq!(Language::of_path(b"src/parse.y"), Language::C);
        assert_eq!(Language::of_path(b"src/config.h.in"), Language::C);
        assert_eq!(Language::of_path(b"a.b/CMakeLists.txt"), Language::Build);
        assert_eq!(Language::of_path(b"doc/notes.txt"), Language::Prose);
    }
}
