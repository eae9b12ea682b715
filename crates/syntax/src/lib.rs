//! Syntax trees of sixteen languages in one plain form, and everything that other crates know about these languages.
//!
//! **You provide** a text and its [`Language`], or the name of the file, from which [`Language::of`] finds the language.
//! **You get** a [`SyntaxTree`]: all nodes in one list, parents before their children. Each node has a [`GrammarSlot`], which
//! says whether the grammar allows the node to be removed and which nodes could replace it. A text with errors has a
//! tree too. [`Language::info`] has the facts about the language that a tree alone does not tell.
//! **It does not** resolve names or know types, and it does no I/O.
//!
//! ```
//! # #[cfg(feature = "common-grammars")]
//! # {
//! use howcome_syntax::Language;
//!
//! let language = Language::of("data.json".as_ref(), b"[1, 2]").unwrap();
//! let tree = language.parse(b"[1, 2]").unwrap();
//! let numbers = tree.nodes().iter().filter(|node| node.kind == "number");
//! assert_eq!(numbers.map(|node| node.range.clone()).collect::<Vec<_>>(), [1..2, 4..5]);
//! assert!(language.info().is_data);
//! # }
//! ```
//!
//! # A new language
//!
//! Add `languages/NAME.rs` with a constant [`LanguageInfo`], and an entry for it in `languages/mod.rs`.
//!
//! # Files
//!
//! | file | idea |
//! |---|---|
//! | `languages/mod.rs` | the list of all languages |
//! | `languages/bash.rs`, `languages/c.rs`, `languages/cpp.rs`, `languages/css.rs`, `languages/go.rs`, `languages/html.rs`, `languages/java.rs`, `languages/javascript.rs`, `languages/json.rs`, `languages/python.rs`, `languages/rust.rs`, `languages/sql.rs`, `languages/toml.rs`, `languages/typescript.rs`, `languages/xml.rs`, `languages/yaml.rs` | one language each |
//! | `language_info.rs` | what there is to know about a language |
//! | `c_family.rs` | what C and C++ have in common |
//! | `markup.rs` | what HTML and XML have in common |
//! | `detection.rs` | the language of a file, by its name or its content |
//! | `text_kind.rs` | kinds of texts, for reading names out of a file without a parser |
//! | `text_detection.rs` | the kind of a text, by the name of its file |
//! | `grammar.rs` | a grammar, and what it allows at each position |
//! | `parse.rs` | from a text to its tree |
//! | `tree.rs` | a tree as a list of nodes |
//! | `slot.rs` | what a grammar allows at a position |
//! | `languages` | the list of all languages |

mod c_family;
mod detection;
#[cfg(feature = "trees")]
mod grammar;
mod language_info;
mod languages;
mod markup;
#[cfg(feature = "trees")]
mod parse;
mod slot;
mod text_detection;
mod text_kind;
mod tree;

pub use language_info::LanguageInfo;
pub use languages::Language;
pub use slot::GrammarSlot;
pub use text_kind::TextKind;
pub use tree::{NodeId, SyntaxNode, SyntaxTree};

#[cfg(not(feature = "trees"))]
impl Language {
    /// Without grammars there are no trees.
    #[must_use]
    pub fn parse(self, _: &[u8]) -> Option<SyntaxTree> {
        None
    }
}
