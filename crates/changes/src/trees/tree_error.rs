//! Why a version of a tree cannot be used.

use super::tree_path::{BadPath, TreePath};
use std::io;
use std::path::PathBuf;

/// Why a version of a tree can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// A path that cannot be in a tree.
    #[error(transparent)]
    BadPath(#[from] BadPath),
    /// A path in a directory that is a file.
    #[error("`{path}` can't be in `{file}`, which is not a directory")]
    InsideAFile {
        /// What can't be there.
        path: TreePath,
        /// What it would be in.
        file: TreePath,
    },
    /// The folder, or something in it, can't be read.
    #[error("can't read {path}: {source}")]
    Unreadable {
        /// What can't be read.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A socket, a device or a pipe.
    #[error("{0} is neither a file nor a directory nor a symbolic link")]
    Special(PathBuf),
}

impl TreeError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::BadPath(bad) => bad.hint(),
            Self::InsideAFile { .. } => "leave one of the two out",
            Self::Unreadable { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                "check the name; if it was there a moment ago, let nothing change the tree meanwhile"
            }
            Self::Unreadable { source, .. } if source.kind() == io::ErrorKind::NotADirectory => {
                "give the folder that the tree is in"
            }
            Self::Unreadable { .. } => "make it readable, or leave it out of the comparison",
            Self::Special(_) => "remove it, or leave it out of the comparison",
        }
    }
}
