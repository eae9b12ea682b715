//! An entry of a tree: what it is, and its bytes, read or not.

use super::contents::{Contents, same_unread};
use super::tree_error::TreeError;
use super::tree_path::TreePath;
use std::fmt;
use std::sync::Arc;

/// The kind of an entry. Directories are not entries: a directory exists if an entry is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// An ordinary file.
    File {
        /// Whether its owner may run it.
        executable: bool,
    },
    /// A symbolic link, whose content is its target. It is never followed.
    Symlink,
    /// A submodule, whose content is the name of its commit.
    Submodule,
}

impl EntryKind {
    /// An ordinary file that is not executable.
    pub const PLAIN: Self = Self::File { executable: false };

    /// The mode that git writes for it.
    #[must_use]
    pub fn git_mode(self) -> &'static str {
        match self {
            Self::File { executable: false } => "100644",
            Self::File { executable: true } => "100755",
            Self::Symlink => "120000",
            Self::Submodule => "160000",
        }
    }
}

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File { executable: false } => "file",
            Self::File { executable: true } => "executable file",
            Self::Symlink => "symbolic link",
            Self::Submodule => "submodule",
        })
    }
}

/// An entry whose bytes have not been read.
#[derive(Clone, Debug)]
pub struct TreeEntry {
    /// What it is.
    pub kind: EntryKind,
    /// Its bytes.
    pub contents: Arc<dyn Contents>,
}

impl TreeEntry {
    /// An entry with these bytes.
    #[must_use]
    pub fn of_bytes(kind: EntryKind, bytes: &[u8]) -> Self {
        Self { kind, contents: Arc::new(Arc::<[u8]>::from(bytes)) }
    }
}

impl From<LoadedEntry> for TreeEntry {
    fn from(version: LoadedEntry) -> Self {
        Self { kind: version.kind, contents: Arc::new(version.bytes) }
    }
}

/// An entry whose bytes have been read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LoadedEntry {
    /// What it is.
    pub kind: EntryKind,
    /// Its bytes: of a symbolic link its target, of a submodule the name of its commit.
    pub bytes: Arc<[u8]>,
}

impl LoadedEntry {
    /// Reads an entry. The path is used in the error.
    pub fn read(path: &TreePath, entry: &TreeEntry) -> Result<Self, TreeError> {
        let unreadable = |source| TreeError::Unreadable { path: path.as_path().to_owned(), source };
        Ok(Self { kind: entry.kind, bytes: entry.contents.read().map_err(unreadable)? })
    }

    /// Whether an entry is the same. Its bytes are read only if kind and size do not tell.
    pub(crate) fn is_entry(&self, path: &TreePath, entry: &TreeEntry) -> Result<bool, TreeError> {
        if self.kind != entry.kind || same_unread(&self.bytes, &*entry.contents) == Some(false) {
            return Ok(false);
        }
        Ok(Self::read(path, entry)?.bytes == self.bytes)
    }
}
