//! An entry of a tree whose bytes are at hand.

use crate::contents::same_unread;
use crate::{EntryKind, TreeEntry, TreeError, TreePath};
use std::sync::Arc;

/// What an entry of a tree is, with its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LoadedEntry {
    /// What it is.
    pub kind: EntryKind,
    /// Its bytes: of a symbolic link its target, of a submodule the name of its commit.
    pub bytes: Arc<[u8]>,
}

impl LoadedEntry {
    /// Reads an entry; its path is for the error.
    pub fn read(path: &TreePath, entry: &TreeEntry) -> Result<Self, TreeError> {
        let unreadable = |source| TreeError::Unreadable { path: path.as_path().to_owned(), source };
        Ok(Self { kind: entry.kind, bytes: entry.contents.read().map_err(unreadable)? })
    }

    /// Whether an entry is the same, which is read only where nothing else tells.
    pub(crate) fn is_entry(&self, path: &TreePath, entry: &TreeEntry) -> Result<bool, TreeError> {
        if self.kind != entry.kind || same_unread(&self.bytes, &*entry.contents) == Some(false) {
            return Ok(false);
        }
        Ok(Self::read(path, entry)?.bytes == self.bytes)
    }
}
