//! One version of a source tree: which files there are, of which kind, and where to get their bytes.

#[cfg(test)]
use super::entry::EntryKind;
use super::entry::TreeEntry;
use super::tree_error::TreeError;
use super::tree_path::TreePath;
use std::collections::BTreeMap;
use std::ops::Bound;

/// One version of a source tree, in the order of its paths.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub(super) entries: BTreeMap<TreePath, TreeEntry>,
}

impl Tree {
    /// A tree with nothing in it.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// A tree with these entries, in the order of their paths. Faster than to insert one after another.
    pub(crate) fn of_sorted(entries: Vec<(TreePath, TreeEntry)>) -> Result<Self, TreeError> {
        let mut checked: &[u8] = b"";
        for (path, _) in &entries {
            let innermost = path.directories().last().unwrap_or_default();
            // Files of a directory are next to each other.
            if innermost == checked {
                continue;
            }
            checked = innermost;
            let file_above = path.directories().find_map(|directory| {
                let found = entries.binary_search_by(|(other, _)| other.as_bytes().cmp(directory));
                found.ok().and_then(|found| entries.get(found))
            });
            if let Some((file, _)) = file_above {
                return Err(TreeError::InsideAFile { path: path.clone(), file: file.clone() });
            }
        }
        Ok(Self { entries: entries.into_iter().collect() })
    }

    /// Adds an entry, or replaces the entry at that path.
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

    /// Removes the entry at that path, if there is one.
    pub(crate) fn remove(&mut self, path: &TreePath) {
        self.entries.remove(path);
    }

    /// Keeps the entries whose paths are wanted.
    pub(crate) fn retain(&mut self, is_wanted: impl Fn(&TreePath) -> bool) {
        self.entries.retain(|path, _| is_wanted(path));
    }

    /// The first path in the directory of this name, if it is a directory.
    pub(crate) fn first_below(&self, directory: &TreePath) -> Option<&TreePath> {
        // Names such as `a-b` come between `a` and `a/b`, so the range begins at the slash.
        let slash = [directory.as_bytes(), b"/"].concat();
        let (path, _) =
            self.entries.range::<[u8], _>((Bound::Included(&slash[..]), Bound::Unbounded)).next()?;
        path.is_below(directory).then_some(path)
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

#[cfg(test)]
impl Tree {
    /// A tree of plain files with these paths and texts.
    pub(crate) fn of_texts(files: &[(&str, &str)]) -> Self {
        let mut tree = Self::empty();
        for (path, text) in files {
            let path = TreePath::new(path.as_bytes()).unwrap();
            tree.insert(path, TreeEntry::of_bytes(EntryKind::PLAIN, text.as_bytes())).unwrap();
        }
        tree
    }

    /// The path and the text of each file.
    pub(crate) fn texts(&self) -> Vec<(String, String)> {
        let text = |entry: &TreeEntry| String::from_utf8(entry.contents.read().unwrap().to_vec()).unwrap();
        self.iter().map(|(path, entry)| (path.to_string(), text(entry))).collect()
    }
}
