//! Syntax trees of sixteen languages, in one plain form.
//!
//! You provide a text and its [`Language`] (or let it be told from a name and the text); you get a [`Tree`]: all nodes in
//! one list, parents before their children, each with the [`Slot`] that the grammar gives it: whether it may be left out,
//! and what could stand there instead. A text with errors has a tree too, so nothing here fails.
//!
//! ```
//! use howcome_syntax::Language;
//!
//! let language = Language::of("data.json".as_ref(), b"[1, 2]").unwrap();
//! let tree = language.parse(b"[1, 2]").unwrap();
//! let numbers = tree.nodes().iter().filter(|node| node.kind == "number");
//! assert_eq!(numbers.map(|node| node.range.clone()).collect::<Vec<_>>(), [1..2, 4..5]);
//! ```
//!
//! It is not for compilers: names are not resolved, and nothing is known of types.

mod content;
#[cfg(feature = "trees")]
mod grammar;
mod language;
#[cfg(feature = "trees")]
mod limits;
mod names;
#[cfg(feature = "trees")]
mod parse;
mod slot;
mod tree;

pub use language::Language;
pub use slot::Slot;
pub use tree::{Node, NodeId, Tree};

#[cfg(not(feature = "trees"))]
impl Language {
    /// Without grammars there are no trees.
    #[must_use]
    pub fn parse(self, _: &[u8]) -> Option<Tree> {
        None
    }
}
