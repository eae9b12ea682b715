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

    /// By the extension of the file; without one, by the interpreter that its first line names.
    #[must_use]
    pub fn of(path: &Path, bytes: &[u8]) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Some(match extension {
            "sh" | "bash" => Self::Bash,
            "c" | "i" => Self::C,
            "h" if looks_like_cpp(bytes) => Self::Cpp,
            "h" => Self::C,
            "cc" | "cpp" | "cxx" | "c++" | "C" | "ii" => Self::Cpp,
            "hh" | "hpp" | "hxx" | "h++" | "H" | "ipp" | "tcc" => Self::Cpp,
            "css" => Self::Css,
            "go" => Self::Go,
            "htm" | "html" | "xhtml" => Self::Html,
            "java" => Self::Java,
            "js" | "mjs" | "cjs" | "jsx" => Self::JavaScript,
            "json" => Self::Json,
            "py" | "pyi" | "pyw" => Self::Python,
            "rs" => Self::Rust,
            "sql" => Self::Sql,
            "toml" => Self::Toml,
            "ts" | "tsx" | "mts" | "cts" => Self::TypeScript,
            "xml" | "svg" | "xsd" | "xsl" | "xslt" | "rss" | "plist" => Self::Xml,
            "yaml" | "yml" => Self::Yaml,
            _ => return None,
        })
    }
}

/// Whether a header has a line that begins as only one of C++ does.
fn looks_like_cpp(bytes: &[u8]) -> bool {
    let begins =
        [&b"class "[..], b"namespace ", b"template<", b"template <", b"public:", b"private:", b"using "];
    let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    lines.any(|line| begins.iter().any(|begin| line.starts_with(begin)))
}
