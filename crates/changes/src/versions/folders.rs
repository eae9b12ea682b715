//! Folders as versions, and whatever else is not a commit: a patched folder, a working tree.

use super::revision_id::RevisionId;
use super::source::VersionSource;
use crate::candidates::candidate::Base;
use crate::trees::tree::Tree;
use howcome_run::{Because, Problem};
use std::path::Path;
use std::sync::Arc;

/// Versions that were read before the search, each by a name.
#[derive(Debug, Default)]
pub struct FolderVersions {
    trees: Vec<(RevisionId, Arc<Base>)>,
}

impl FolderVersions {
    /// Adds a version. No two versions have the same name.
    pub fn add(&mut self, name: &str, tree: Tree) -> Arc<Base> {
        let base = Base::new(tree, name.as_bytes());
        self.trees.push((RevisionId::new(name), Arc::clone(&base)));
        base
    }
}

impl VersionSource for FolderVersions {
    fn tree(&self, revision: &RevisionId) -> Result<Arc<Base>, Because> {
        let known = self.trees.iter().find(|(id, _)| id == revision);
        let missing = || Because::Broken(format!("there is no version {revision}"));
        known.map(|(_, base)| Arc::clone(base)).ok_or_else(missing)
    }
}

/// The files of a folder, without the folders of runs in it: they are not part of what is tested.
///
/// # Errors
/// If it cannot be read.
pub fn read_folder(folder: &Path) -> Result<Tree, Problem> {
    Tree::of_directory(folder, |inside| is_run(&folder.join(inside.as_path())))
        .map_err(|error| Problem::hinted(&error, Some(error.hint().to_owned())))
}

fn is_run(folder: &Path) -> bool {
    ["run.json", "journal.jsonl", "lock"].iter().all(|name| folder.join(name).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_found_by_its_name_and_has_no_history() {
        let mut versions = FolderVersions::default();
        let good = versions.add("good", Tree::empty());
        let id = RevisionId::new("good");
        assert!(Arc::ptr_eq(&versions.tree(&id).unwrap(), &good));
        assert!(versions.tree(&RevisionId::new("bad")).is_err());
        assert!(!versions.has_history());
        assert!(versions.range(&[id], &RevisionId::new("bad")).is_err());
    }
}
