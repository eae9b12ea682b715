//! What differs from a tree: the few files that have to be written for a test.

use super::entry::{LoadedEntry, TreeEntry};
use super::tree::Tree;
use super::tree_error::TreeError;
use super::tree_path::TreePath;
use howcome_run::Content;
use std::collections::BTreeMap;

/// What differs from a tree, usually the good version with some deltas applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mix {
    files: BTreeMap<TreePath, Option<LoadedEntry>>,
}

impl Mix {
    /// The paths that differ, in order, each with its new entry, or `None` if the file is removed.
    ///
    /// Remove files before you write others: a directory can replace a removed file.
    pub fn iter(&self) -> impl Iterator<Item = (&TreePath, Option<&LoadedEntry>)> {
        self.files.iter().map(|(path, version)| (path, version.as_ref()))
    }

    /// The new entry at a path, or `None` if the path does not differ.
    #[must_use]
    pub fn get(&self, path: &TreePath) -> Option<Option<&LoadedEntry>> {
        self.files.get(path).map(Option::as_ref)
    }

    /// Both together, one after the other: `later` differs from the tree that this one makes.
    #[must_use]
    pub fn then(&self, later: &Self) -> Self {
        let mut both = self.clone();
        both.files.extend(later.files.iter().map(|(path, version)| (path.clone(), version.clone())));
        both
    }

    /// The part of it that differs from a tree, without files that the tree already has, and without removed files that the tree
    /// does not have.
    pub fn over(&self, base: &Tree) -> Result<Self, TreeError> {
        let mut differing = Self::default();
        for (path, version) in &self.files {
            let same = match (base.get(path), version) {
                (None, None) => true,
                (Some(entry), Some(version)) => version.is_entry(path, entry)?,
                _ => false,
            };
            if !same {
                differing.files.insert(path.clone(), version.clone());
            }
        }
        Ok(differing)
    }

    /// How many paths differ.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// What identifies it among all mixes of the same version.
    #[must_use]
    pub fn content(&self) -> Content {
        // Lengths and modes come before the bytes, so that two different mixes never give the same sequence of bytes.
        let heads: Vec<_> = self.iter().map(|(path, version)| head(path, version)).collect();
        let bodies = self.iter().map(|(_, version)| version.map_or(&[][..], |version| &version.bytes));
        Content::of(heads.iter().zip(bodies).flat_map(|(head, body)| [&head[..], body]))
    }
}

impl Tree {
    /// The tree with a mix applied to it: files are removed and written as the mix says.
    ///
    /// A file that replaces a directory, or that is below what was a file, removes what was there.
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
}

impl Extend<(TreePath, Option<LoadedEntry>)> for Mix {
    fn extend<T: IntoIterator<Item = (TreePath, Option<LoadedEntry>)>>(&mut self, files: T) {
        self.files.extend(files);
    }
}

impl FromIterator<(TreePath, Option<LoadedEntry>)> for Mix {
    fn from_iter<T: IntoIterator<Item = (TreePath, Option<LoadedEntry>)>>(files: T) -> Self {
        Self { files: files.into_iter().collect() }
    }
}

fn head(path: &TreePath, version: Option<&LoadedEntry>) -> Vec<u8> {
    let (mode, length) = version.map_or(("-", 0), |version| (version.kind.git_mode(), version.bytes.len()));
    [path.as_bytes(), b"\0", mode.as_bytes(), b"\0", length.to_string().as_bytes(), b"\0"].concat()
}
