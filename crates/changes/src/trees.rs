//! The trees of commits, as they are tested: with the files that are the same in every version.

use crate::git::{NoRevisionTree, ObjectId, Objects, Repository, Submodules};
use crate::{Base, Entry, Tree, TreePath};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Where the trees of commits come from.
#[derive(Debug)]
pub struct Trees {
    repository: Repository,
    objects: Arc<Mutex<Objects>>,
    submodules: Arc<Submodules>,
    /// What every version has, whatever its commit says.
    pinned: Vec<(TreePath, Entry)>,
    /// The last ones that were asked for.
    recent: Mutex<VecDeque<(ObjectId, Arc<Base>)>>,
}

/// A tree may have hundreds of thousands of files, so few are kept.
const RECENT: usize = 8;

impl Trees {
    /// The trees of a repository's commits.
    #[must_use]
    pub fn new(
        repository: Repository,
        objects: Arc<Mutex<Objects>>,
        submodules: Arc<Submodules>,
        pinned: Vec<(TreePath, Entry)>,
    ) -> Self {
        Self { repository, objects, submodules, pinned, recent: Mutex::default() }
    }

    /// The repository.
    #[must_use]
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// Who reads its objects.
    #[must_use]
    pub fn objects(&self) -> &Arc<Mutex<Objects>> {
        &self.objects
    }

    /// The tree of a commit.
    ///
    /// # Errors
    /// Where it cannot be read, or leaves the workspace.
    pub fn of(&self, commit: ObjectId) -> Result<Arc<Base>, NoRevisionTree> {
        let known = |recent: &VecDeque<(ObjectId, Arc<Base>)>| {
            recent.iter().find(|(id, _)| *id == commit).map(|(_, base)| Arc::clone(base))
        };
        if let Some(base) = known(&self.recent.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(base);
        }
        let tree = self.repository.tree_of(commit, &self.objects)?;
        let mut tree = self.submodules.expand(&self.repository, tree)?;
        pin(&mut tree, &self.pinned);
        let base = Base::new(tree, commit.to_string().as_bytes());
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        // Another worker may have been faster; there is to be one of each.
        if let Some(base) = known(&recent) {
            return Ok(base);
        }
        recent.push_front((commit, Arc::clone(&base)));
        recent.truncate(RECENT);
        Ok(base)
    }
}

/// Puts files into a tree that every version has. Where the tree has something else in the way, that stays.
pub fn pin(tree: &mut Tree, pinned: &[(TreePath, Entry)]) {
    for (path, entry) in pinned {
        let _ = tree.insert(path.clone(), entry.clone());
    }
}
