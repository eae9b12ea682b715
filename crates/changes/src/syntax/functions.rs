//! The functions and types of a source file.

use super::code_item::CodeItem;
#[cfg(feature = "syntax")]
use super::items;
use crate::trees::tree_path::TreePath;

/// Files with more bytes than this are generated, or data, and would take long to parse.
pub const LARGEST: usize = 2_000_000;

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
