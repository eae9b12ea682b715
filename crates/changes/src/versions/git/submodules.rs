//! The files of submodules, if their repositories are available.

use super::{NoRevisionTree, ObjectId, Objects, Repository};
use crate::trees::entry::{EntryKind, TreeEntry};
use crate::trees::tree::Tree;
use crate::trees::tree_error::TreeError;
use crate::trees::tree_path::TreePath;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The repositories of submodules that were looked for.
#[derive(Debug, Default)]
pub struct Submodules {
    known: Mutex<BTreeMap<TreePath, Option<Arc<Submodule>>>>,
}

#[derive(Debug)]
struct Submodule {
    repository: Repository,
    objects: Arc<Mutex<Objects>>,
}

/// Submodules within submodules are looked for no deeper than this.
const DEEPEST: usize = 4;

impl Submodules {
    /// The tree with the files of its submodules. A submodule whose repository or commit is not available stays a single entry.
    ///
    /// # Errors
    /// If a tree cannot be read, or leaves the workspace.
    pub fn expand(&self, repository: &Repository, tree: Tree) -> Result<Tree, NoRevisionTree> {
        self.expand_within(repository, tree, None, 0)
    }

    fn expand_within(
        &self,
        repository: &Repository,
        tree: Tree,
        above: Option<&TreePath>,
        depth: usize,
    ) -> Result<Tree, NoRevisionTree> {
        if depth >= DEEPEST || tree.iter().all(|(_, entry)| entry.kind != EntryKind::Submodule) {
            return Ok(tree);
        }
        let mut expanded = Tree::empty();
        for (path, entry) in tree.iter() {
            match self.files_of(repository, path, entry, above, depth)? {
                Some(files) => {
                    for (inside, entry) in files.iter() {
                        expanded.insert(within(path, inside)?, entry.clone())?;
                    }
                }
                None => expanded.insert(path.clone(), entry.clone())?,
            }
        }
        Ok(expanded)
    }

    fn files_of(
        &self,
        repository: &Repository,
        path: &TreePath,
        entry: &TreeEntry,
        above: Option<&TreePath>,
        depth: usize,
    ) -> Result<Option<Tree>, NoRevisionTree> {
        if entry.kind != EntryKind::Submodule {
            return Ok(None);
        }
        let commit = entry.contents.read().ok().and_then(|name| ObjectId::from_hex(&name).ok());
        let whole = above.map_or_else(|| Ok(path.clone()), |above| within(above, path))?;
        let (Some(commit), Some(submodule)) = (commit, self.submodule(repository, path, &whole)) else {
            return Ok(None);
        };
        if submodule.repository.resolve(commit.to_string()).is_err() {
            return Ok(None);
        }
        let files = submodule.repository.tree_of(commit, &submodule.objects)?;
        self.expand_within(&submodule.repository, files, Some(&whole), depth + 1).map(Some)
    }

    fn submodule(
        &self,
        repository: &Repository,
        path: &TreePath,
        whole: &TreePath,
    ) -> Option<Arc<Submodule>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(whole.clone()).or_insert_with(|| find(repository, path).map(Arc::new)).clone()
    }
}

/// The repository in the working tree, or the one that git keeps if the submodule is not checked out.
fn find(repository: &Repository, path: &TreePath) -> Option<Submodule> {
    let checked_out = repository.work_tree().map(|top| top.join(path.as_path()));
    let kept = repository.git_dir().join("modules").join(path.as_path());
    let found = [checked_out, Some(kept)].into_iter().flatten().find_map(|folder| {
        let found = Repository::discover(&folder).ok()?;
        // An empty folder belongs to the outer repository.
        (found.git_dir() != repository.git_dir()).then_some(found)
    })?;
    let objects = Arc::new(Mutex::new(found.objects().ok()?));
    Some(Submodule { repository: found, objects })
}

fn within(above: &TreePath, inside: &TreePath) -> Result<TreePath, TreeError> {
    Ok(TreePath::new(&[above.as_bytes(), b"/", inside.as_bytes()].concat())?)
}
