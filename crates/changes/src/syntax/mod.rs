//! The functions and types of a source file, and the changes that lie in the same one: grouping by syntax, as the 1999
//! paper proposes.
//!
//! C, C++, Go, Java, JavaScript, Python and Rust are known, if this crate is built with its feature `syntax`. Of
//! everything else nothing is known, which is no error: groups are a help to a search, never a condition.

mod by_function;
#[cfg(feature = "syntax")]
mod items;

pub use by_function::by_function;

use crate::TreePath;
use std::ops::Range;

/// Files with more bytes than this are generated, or data, and would take long to parse.
pub const LARGEST: usize = 2_000_000;

/// A function, a method, a macro, or a type that has a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeItem {
    /// Its name as it is written there; empty if it has none, as an `enum { … }` of C.
    pub name: Vec<u8>,
    /// Its lines, counted from 1, those of its decorators and template parameters included.
    pub lines: Range<u32>,
}

/// The functions and types of a file, each before those that lie within it, otherwise in the order of their lines.
///
/// The language is told by the name of the file, and where that tells nothing, by its content. A file that
/// does not parse has those of its functions that can be made out.
#[must_use]
pub fn functions(path: &TreePath, bytes: &[u8]) -> Vec<CodeItem> {
    if bytes.len() > LARGEST {
        return Vec::new();
    }
    known(path, bytes)
}

#[cfg(feature = "syntax")]
fn known(path: &TreePath, bytes: &[u8]) -> Vec<CodeItem> {
    use howcome_syntax::Language;
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let path = OsStr::from_bytes(path.as_bytes());
    Language::of(path.as_ref(), bytes).map_or_else(Vec::new, |language| items::items(language, bytes))
}

#[cfg(not(feature = "syntax"))]
fn known(_: &TreePath, _: &[u8]) -> Vec<CodeItem> {
    Vec::new()
}
