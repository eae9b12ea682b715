//! A revision as a tree to be compared: its files by the names of their blobs, read when they are needed.

use super::{Mode, NoTree, ObjectId, Objects, Repository};
use crate::{Contents, Entry, Kind, Tree, TreeError, TreePath};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Why a revision makes no tree.
#[derive(Debug, thiserror::Error)]
pub enum NoRevisionTree {
    /// Git does not list it.
    #[error(transparent)]
    Listing(#[from] NoTree),
    /// It lists what cannot be.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl NoRevisionTree {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            NoRevisionTree::Listing(error) => error.hint(),
            NoRevisionTree::Tree(error) => Some(error.hint().to_owned()),
        }
    }
}

/// A blob of a repository.
#[derive(Debug)]
struct Blob {
    objects: Arc<Mutex<Objects>>,
    id: ObjectId,
}

impl Contents for Blob {
    fn read(&self) -> io::Result<Arc<[u8]>> {
        let mut objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        objects.blob(self.id).map(Arc::from).map_err(io::Error::other)
    }

    fn identity(&self) -> Option<&[u8]> {
        Some(self.id.as_bytes())
    }
}

/// The commit of a submodule stands for its files, which are in another repository.
#[derive(Debug)]
struct Commit(ObjectId);

impl Contents for Commit {
    fn read(&self) -> io::Result<Arc<[u8]>> {
        Ok(self.0.to_string().into_bytes().into())
    }

    fn identity(&self) -> Option<&[u8]> {
        Some(self.0.as_bytes())
    }
}

impl Repository {
    /// The tree of a commit. Trees that are to be compared should share the reader of objects.
    ///
    /// # Errors
    /// Where git does not list it, or it holds paths that would leave a workspace.
    pub fn tree_of(&self, commit: ObjectId, objects: &Arc<Mutex<Objects>>) -> Result<Tree, NoRevisionTree> {
        let mut tree = Tree::empty();
        for entry in self.tree(commit)?.entries() {
            let path = TreePath::new(&entry.path).map_err(TreeError::from)?;
            let kind = match entry.mode {
                Mode::Regular => Kind::PLAIN,
                Mode::Executable => Kind::File { executable: true },
                Mode::Symlink => Kind::Symlink,
                Mode::Submodule => Kind::Submodule,
            };
            let contents: Arc<dyn Contents> = match kind {
                Kind::Submodule => Arc::new(Commit(entry.id)),
                _ => Arc::new(Blob { objects: Arc::clone(objects), id: entry.id }),
            };
            tree.insert(path, Entry { kind, contents })?;
        }
        Ok(tree)
    }
}
