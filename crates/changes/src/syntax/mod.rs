//! The functions and types of a source file, and the changes that lie in the same one: grouping by syntax, as the 1999
//! paper proposes.
//!
//! C, C++, Go, Java, JavaScript, Python and Rust are known if this crate is built with its feature `syntax`. Files in other
//! languages have no groups, which is not an error: groups help a search, but no search depends on them.

//!
//! | file | idea |
//! |---|---|
//! | `code_item` | a function or type |
//! | `functions` | the functions and types of a file |
//! | `items` | the same as a syntax tree has them |
//! | `source_items`, `source_items/tests` | a file cut into items that hold all of its lines |
//! | `item_names`, `code_tokens` | by which name an item is known in two versions, and its code without comments |
//! | `by_function`, `by_statement` | changes that lie in the same function, and changed lines of the same statement |
//! | `source_shape`, `shape_reader` | signs that a text is incomplete, and how they are read from a syntax tree |
//! | `line_needs` | lines that are parts of the same statement |
//! | `broken_syntax` | whether an edit leaves something incomplete |
//! | `mixed_syntax` | mixes of two versions that have the syntax of neither |
//! | `worthless_mix` | mixes whose tests say nothing |

mod broken_syntax;
mod by_function;
mod by_statement;
mod code_item;
mod code_tokens;
mod functions;
mod item_names;
mod items;
mod line_needs;
mod mixed_syntax;
mod shape_reader;
mod source_items;
mod source_shape;
mod worthless_mix;

pub(crate) use broken_syntax::breaks_syntax;
pub use by_function::by_function;
pub(crate) use by_statement::by_statement;
pub use code_item::CodeItem;
pub(crate) use functions::language_of;
pub use functions::{LARGEST, functions};
pub(crate) use mixed_syntax::MixedSyntax;
pub(crate) use source_items::{SourceItem, source_items};
pub(crate) use worthless_mix::worthless_mix;
