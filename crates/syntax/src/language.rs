//! The languages, and how they are told from names and texts.

use std::path::Path;

/// A language whose syntax we know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Language {
    Bash,
    C,
    Cpp,
    Css,
    Go,
    Html,
    Java,
    JavaScript,
    Json,
    Python,
    Rust,
    Sql,
    Toml,
    TypeScript,
    Xml,
    Yaml,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 16] = [
        Self::Bash,
        Self::C,
        Self::Cpp,
        Self::Css,
        Self::Go,
        Self::Html,
        Self::Java,
        Self::JavaScript,
        Self::Json,
        Self::Python,
        Self::Rust,
        Self::Sql,
        Self::Toml,
        Self::TypeScript,
        Self::Xml,
        Self::Yaml,
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::C => "c",
            Self::Cpp => "c++",
            Self::Css => "css",
            Self::Go => "go",
            Self::Html => "html",
            Self::Java => "java",
            Self::JavaScript => "javascript",
            Self::Json => "json",
            Self::Python => "python",
            Self::Rust => "rust",
            Self::Sql => "sql",
            Self::Toml => "toml",
            Self::TypeScript => "typescript",
            Self::Xml => "xml",
            Self::Yaml => "yaml",
        }
    }

    /// The language of a name on the command line.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.name() == name)
    }

    /// By the name of the file; where that tells nothing, by its content.
    ///
    /// The grammars read UTF-8 and what is like it, so that a text in UTF-16 is in no language.
    #[must_use]
    pub fn of(path: &Path, bytes: &[u8]) -> Option<Self> {
        let is_wide = match bytes {
            [0xfe, 0xff, ..] | [0xff, 0xfe, ..] => true,
            [first, second, third, fourth, ..] => {
                (*first == 0) != (*second == 0)
                    && (*first == 0) == (*third == 0)
                    && (*second == 0) == (*fourth == 0)
            }
            _ => false,
        };
        if is_wide {
            return None;
        }
        Self::of_name(path, bytes).or_else(|| Self::of_content(bytes))
    }
}
