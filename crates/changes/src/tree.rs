//! One version of a source tree: which files there are, of which kind, and where to get their bytes.

use crate::contents::Contents;
use crate::{BadPath, LoadedEntry, Mix, TreePath};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::PathBuf;
use std::sync::Arc;
use std::{fmt, io};

/// What an entry of a tree is. Directories are no entries: they are there when something is in them.
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
    /// An ordinary file that can't be run.
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
    /// An entry whose bytes are at hand.
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

/// One version of a source tree, in the order of its paths.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    entries: BTreeMap<TreePath, TreeEntry>,
}

impl Tree {
    /// A tree with nothing in it.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// Adds an entry, or replaces the one of that path.
    pub fn insert(&mut self, path: TreePath, entry: TreeEntry) -> Result<(), TreeError> {
        let above = path.directories().find_map(|directory| {
            let directory = TreePath::new(directory).ok()?;
            self.entries.contains_key(&directory).then_some(directory)
        });
        if let Some(file) = above {
            return Err(TreeError::InsideAFile { path, file });
        }
        if let Some(below) = self.first_below(&path) {
            return Err(TreeError::InsideAFile { path: below.clone(), file: path });
        }
        self.entries.insert(path, entry);
        Ok(())
    }

    /// The first path that lies in a directory of this name, if it is one.
    pub(crate) fn first_below(&self, directory: &TreePath) -> Option<&TreePath> {
        // Names like `a-b` stand between `a` and `a/b`, so the range begins at the slash.
        let slash = [directory.as_bytes(), b"/"].concat();
        let (path, _) =
            self.entries.range::<[u8], _>((Bound::Included(&slash[..]), Bound::Unbounded)).next()?;
        path.is_below(directory).then_some(path)
    }

    /// The tree with a mix laid over it: what is gone in the mix goes, what is there in it comes.
    ///
    /// Where a file comes in the place of a directory, or below what was a file, what was there makes way.
    #[must_use]
    pub fn with(&self, mix: &Mix) -> Self {
        let mut tree = self.clone();
        for (path, _) in mix.iter() {
            tree.entries.remove(path);
        }
        for (path, version) in mix.iter().filter_map(|(path, version)| Some((path, version?))) {
            for directory in path.directories() {
                tree.entries.remove(directory);
            }
            while let Some(below) = tree.first_below(path).cloned() {
                tree.entries.remove(&below);
            }
            tree.entries.insert(path.clone(), TreeEntry::from(version.clone()));
        }
        tree
    }

    /// The entry of a path.
    #[must_use]
    pub fn get(&self, path: &TreePath) -> Option<&TreeEntry> {
        self.entries.get(path)
    }

    /// All entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (&TreePath, &TreeEntry)> {
        self.entries.iter()
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// Why a version of a tree can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// A path that has no place in it.
    #[error(transparent)]
    BadPath(#[from] BadPath),
    /// A path in a directory that is a file.
    #[error("`{path}` can't be in `{file}`, which is no directory")]
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
