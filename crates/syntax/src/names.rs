//! Languages told from the names of files.

use crate::Language;
use std::path::Path;

impl Language {
    /// By the extension of a file, or by its whole name.
    pub(crate) fn of_name(path: &Path, bytes: &[u8]) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        if let Some(language) = Self::of_whole_name(name) {
            return Some(language);
        }
        let extension = path.extension()?.to_str()?;
        Self::of_extension(extension, bytes)
            .or_else(|| Self::of_extension(&extension.to_ascii_lowercase(), bytes))
    }

    fn of_extension(extension: &str, bytes: &[u8]) -> Option<Self> {
        Some(match extension {
            "sh" | "bash" | "ksh" | "zsh" | "bats" | "ebuild" => Self::Bash,
            "c" | "i" | "cu" => Self::C,
            "h" | "inc" if looks_like_cpp(bytes) => Self::Cpp,
            "h" => Self::C,
            "cc" | "cpp" | "cxx" | "c++" | "C" | "ii" | "cppm" | "ixx" => Self::Cpp,
            "hh" | "hpp" | "hxx" | "h++" | "H" | "ipp" | "inl" | "tcc" | "tpp" => Self::Cpp,
            "css" | "scss" | "less" => Self::Css,
            "go" => Self::Go,
            "htm" | "html" | "xhtml" | "shtml" | "vue" => Self::Html,
            "java" => Self::Java,
            "js" | "mjs" | "cjs" | "jsx" | "es6" => Self::JavaScript,
            "json" | "jsonc" | "json5" | "jsonl" | "ndjson" | "geojson" | "har" | "ipynb" | "webmanifest"
            | "sarif" | "topojson" => Self::Json,
            "py" | "pyi" | "pyw" | "pyx" | "bzl" | "star" | "wsgi" => Self::Python,
            "rs" => Self::Rust,
            "sql" | "ddl" | "dml" | "psql" => Self::Sql,
            "toml" => Self::Toml,
            "ts" | "tsx" | "mts" | "cts" => Self::TypeScript,
            "xml" | "svg" | "xsd" | "xsl" | "xslt" | "rss" | "atom" | "plist" | "kml" | "gpx" | "dtd"
            | "wsdl" | "rdf" | "rng" | "xul" | "xaml" | "csproj" | "vcxproj" | "pom" | "ui" | "tei"
            | "mathml" => Self::Xml,
            "yaml" | "yml" => Self::Yaml,
            _ => return None,
        })
    }

    /// Files that are called the same everywhere. `Makefile` and its like are in languages that we do not know.
    fn of_whole_name(name: &str) -> Option<Self> {
        Some(match name {
            ".bashrc" | ".bash_profile" | ".bash_aliases" | ".bash_logout" | ".profile" | ".zshrc"
            | ".kshrc" | "PKGBUILD" | "APKBUILD" => Self::Bash,
            ".babelrc" | ".eslintrc" | ".jshintrc" | ".prettierrc" | ".swcrc" | "composer.lock"
            | "flake.lock" | "Pipfile.lock" => Self::Json,
            "SConstruct" | "SConscript" | "wscript" | "BUILD" | "BUILD.bazel" | "WORKSPACE" => Self::Python,
            "Cargo.lock" | "Pipfile" | "poetry.lock" | "pdm.lock" | "uv.lock" => Self::Toml,
            ".clang-format" | ".clang-tidy" | ".clangd" | ".yamllint" | "CITATION.cff" => Self::Yaml,
            _ => return None,
        })
    }
}

/// Whether a header has a line that begins as only one of C++ does.
pub(crate) fn looks_like_cpp(bytes: &[u8]) -> bool {
    let begins = [
        &b"class "[..],
        b"namespace ",
        b"template<",
        b"template <",
        b"public:",
        b"private:",
        b"using ",
        b"extern \"C++\"",
        b"constexpr ",
    ];
    let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    lines.any(|line| begins.iter().any(|begin| line.starts_with(begin)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(path: &str, text: &str) -> Option<Language> {
        Language::of(path.as_ref(), text.as_bytes())
    }

    #[test]
    fn a_header_is_of_c_unless_it_looks_otherwise() {
        assert_eq!(language("a.h", "struct a { int class_of; };\n"), Some(Language::C));
        assert_eq!(language("a.h", "#pragma once\n  namespace a {\n}\n"), Some(Language::Cpp));
        assert_eq!(language("a.c", "int class;\n"), Some(Language::C));
    }

    #[test]
    fn extensions_may_be_in_capitals_but_two_of_cpp_must_be() {
        assert_eq!(language("PAGE.HTM", ""), Some(Language::Html));
        assert_eq!(language("a.C", ""), Some(Language::Cpp));
        assert_eq!(language("a.H", ""), Some(Language::Cpp));
        assert_eq!(language("a.Json", ""), Some(Language::Json));
        assert_eq!(language("a.CSS", ""), Some(Language::Css));
    }

    #[test]
    fn files_that_are_called_the_same_everywhere_are_known() {
        assert_eq!(language("x/Cargo.lock", ""), Some(Language::Toml));
        assert_eq!(language(".bashrc", ""), Some(Language::Bash));
        assert_eq!(language("Makefile", "all:\n\tcc a.c\n"), None);
        assert_eq!(language("CMakeLists.txt", "project(a)\n"), None);
    }
}
