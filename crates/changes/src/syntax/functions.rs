//! The functions and types of a source file.

use super::code_item::CodeItem;
use super::items;
use crate::trees::tree_path::TreePath;
use howcome_syntax::Language;
use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

/// Files with more bytes than this are generated, or data, and would take long to parse.
pub const LARGEST: usize = 2_000_000;

/// The language of a file.
pub(crate) fn language_of(path: &TreePath, bytes: &[u8]) -> Option<Language> {
    Language::of(OsStr::from_bytes(path.as_bytes()).as_ref(), bytes)
}

/// The functions and types of a file, each before those inside of it, otherwise in the order of their lines.
///
/// The language follows from the name of the file, or else from its content. A file that does not parse has those functions
/// that can be recognised.
#[must_use]
pub fn functions(path: &TreePath, bytes: &[u8]) -> Vec<CodeItem> {
    if bytes.len() > LARGEST {
        return Vec::new();
    }
    language_of(path, bytes).map_or_else(Vec::new, |language| items::items(language, bytes))
}
