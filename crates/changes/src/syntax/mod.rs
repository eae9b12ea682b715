//! The functions and types of a source file, and the changes that lie in the same one: grouping by syntax, as the 1999
//! paper proposes.
//!
//! C, C++, Go, Java, JavaScript, Python and Rust are known, if this crate is built with its feature `syntax`. Of
//! everything else nothing is known, which is no error: groups are a help to a search, never a condition.

//!
//! | file | idea |
//! |---|---|
//! | `code_item` | a function or type |
//! | `functions` | the functions and types of a file |
//! | `items` | the same as a syntax tree has them |
//! | `by_function` | changes that lie in the same function |

mod by_function;
mod code_item;
mod functions;
#[cfg(feature = "syntax")]
mod items;

pub use by_function::by_function;
pub use code_item::CodeItem;
pub use functions::{LARGEST, functions};
