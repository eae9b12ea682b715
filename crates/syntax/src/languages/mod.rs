//! The list of all languages. A new language is one file in this folder and one entry here.

mod bash;
mod c;
mod cpp;
mod css;
mod go;
mod html;
mod java;
mod javascript;
mod json;
mod python;
mod rust;
mod sql;
mod toml;
mod typescript;
mod xml;
mod yaml;

use crate::LanguageInfo;

macro_rules! languages {
    ($($language:ident: $file:ident,)*) => {
        /// A language whose syntax is known.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum Language {
            $($language,)*
        }

        impl Language {
            /// All languages.
            pub const ALL: [Language; [$(Language::$language),*].len()] = [$(Language::$language),*];

            /// Everything that is known about the language.
            #[must_use]
            pub fn info(self) -> &'static LanguageInfo {
                match self {
                    $(Language::$language => &$file::INFO,)*
                }
            }
        }
    };
}

languages! {
    Bash: bash,
    C: c,
    Cpp: cpp,
    Css: css,
    Go: go,
    Html: html,
    Java: java,
    JavaScript: javascript,
    Json: json,
    Python: python,
    Rust: rust,
    Sql: sql,
    Toml: toml,
    TypeScript: typescript,
    Xml: xml,
    Yaml: yaml,
}
