//! A function or type of a source file.

use std::ops::Range;

/// A function, a method, a macro, or a type that has a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeItem {
    /// Its name as written; empty if it has none, such as an `enum { … }` of C.
    pub name: Vec<u8>,
    /// Its lines, counted from 1, those of its decorators and template parameters included.
    pub lines: Range<u32>,
}
