//! The commits of a repository as a source of versions.

use super::{NoRevisionTree, ObjectId, Objects, Repository, Submodules, tree_of_working_files};
use crate::candidates::candidate::Base;
use crate::test_code::common_files::CommonFiles;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use crate::versions::revision_id::RevisionId;
use crate::versions::revision_range::RevisionRange;
use crate::versions::source::{LineRevisions, VersionSource};
use howcome_run::{Because, CommitInfo, Problem};
use std::collections::{HashSet, VecDeque};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The commits of a repository, with the files that are the same in every version.
#[derive(Debug)]
pub struct GitVersions {
    repository: Repository,
    objects: Arc<Mutex<Objects>>,
    submodules: Submodules,
    /// What every version has, whatever its commit holds.
    common: CommonFiles,
    /// The trees that were used last.
    recent: Mutex<VecDeque<(RevisionId, Arc<Base>)>>,
    /// The tree that was listed last, without the common files.
    listed: Mutex<Option<(ObjectId, Arc<Tree>)>>,
}

/// A tree can have hundreds of thousands of files, so few are kept.
const RECENT: usize = 8;

impl GitVersions {
    /// The commits of the repository that holds a folder.
    ///
    /// # Errors
    /// If there is no repository, or no git.
    pub fn open(folder: &Path) -> Result<Self, Problem> {
        Self::of(Repository::discover(folder).map_err(|error| Problem::hinted(&error, error.hint()))?)
    }

    /// The commits of a repository.
    ///
    /// # Errors
    /// If there is no git.
    pub fn of(repository: Repository) -> Result<Self, Problem> {
        let objects = repository.objects().map_err(|error| Problem::hinted(&error, error.hint()))?;
        Ok(Self {
            repository,
            objects: Arc::new(Mutex::new(objects)),
            submodules: Submodules::default(),
            common: CommonFiles::default(),
            recent: Mutex::default(),
            listed: Mutex::default(),
        })
    }

    /// The same commits with other common files.
    #[must_use]
    pub fn with_common(self, common: CommonFiles) -> Self {
        Self { common, recent: Mutex::default(), ..self }
    }

    /// The repository.
    #[must_use]
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// The commit of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn resolve(&self, name: &str) -> Result<RevisionId, Problem> {
        let id = self.repository.resolve(name).map_err(|error| Problem::hinted(&error, error.hint()))?;
        Ok(id.into())
    }

    /// The tree of a commit without common files.
    ///
    /// # Errors
    /// If it cannot be read, or leaves the workspace.
    pub fn original_tree(&self, commit: &RevisionId) -> Result<Tree, Problem> {
        self.read_tree(commit).map_err(|error| Problem::hinted(&error, error.hint()))
    }

    /// The files of the working tree that git does not ignore, without common files.
    ///
    /// # Errors
    /// If there is no working tree, it has conflicts, or it cannot be read.
    pub fn working_tree(&self) -> Result<Tree, Problem> {
        let files = self.repository.working_tree().map_err(|error| Problem::hinted(&error, error.hint()))?;
        let files = files.ok_or_else(|| {
            Problem::new("the repository has no working tree").hint("name a revision with --bad")
        })?;
        if let Some(path) = files.unmerged.first() {
            let path = String::from_utf8_lossy(path).into_owned();
            return Err(Problem::new(format!("{path} has a merge conflict"))
                .hint("resolve it, or name a revision with --bad"));
        }
        tree_of_working_files(&self.repository, &files, &self.objects)
            .and_then(|tree| self.submodules.expand(&self.repository, tree))
            .map_err(|error| Problem::hinted(&error, error.hint()))
    }

    /// The tree of a commit.
    ///
    /// # Errors
    /// If it cannot be read, or leaves the workspace.
    pub fn commit_tree(&self, commit: &RevisionId) -> Result<Arc<Base>, Problem> {
        self.base(commit).map_err(|error| Problem::hinted(&error, error.hint()))
    }

    fn base(&self, commit: &RevisionId) -> Result<Arc<Base>, NoRevisionTree> {
        let known = |recent: &VecDeque<(RevisionId, Arc<Base>)>| {
            recent.iter().find(|(id, _)| id == commit).map(|(_, base)| Arc::clone(base))
        };
        if let Some(base) = known(&self.recent.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(base);
        }
        let mut tree = self.read_tree(commit)?;
        self.common.add_to(&mut tree);
        Ok(self.remember(commit, tree))
    }

    /// The tree of a commit that was read before, with the common files.
    pub(crate) fn remember(&self, commit: &RevisionId, tree: Tree) -> Arc<Base> {
        let base = Base::new(tree, commit.as_str().as_bytes());
        let known = |recent: &VecDeque<(RevisionId, Arc<Base>)>| {
            recent.iter().find(|(id, _)| id == commit).map(|(_, base)| Arc::clone(base))
        };
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        // Another worker can have been faster, and there should be one base for each commit.
        if let Some(base) = known(&recent) {
            return base;
        }
        recent.push_front((commit.clone(), Arc::clone(&base)));
        recent.truncate(RECENT);
        base
    }

    fn read_tree(&self, commit: &RevisionId) -> Result<Tree, NoRevisionTree> {
        let tree = self.listed_tree(ObjectId::of(commit)?)?;
        self.submodules.expand(&self.repository, tree)
    }

    /// The tree of a commit as git lists it. Commits that follow each other are similar, so it is made from the last one.
    fn listed_tree(&self, commit: ObjectId) -> Result<Tree, NoRevisionTree> {
        let last = self.listed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let changed = last.and_then(|(other, tree)| {
            // If anything is unusual, the whole tree is listed, which checks everything.
            self.repository.tree_from((other, &tree), commit, &self.objects).ok()
        });
        let tree = match changed {
            Some(tree) => tree,
            None => self.repository.tree_of(commit, &self.objects)?,
        };
        let known = (commit, Arc::new(tree.clone()));
        *self.listed.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        Ok(tree)
    }
}

impl VersionSource for GitVersions {
    fn tree(&self, revision: &RevisionId) -> Result<Arc<Base>, Because> {
        self.base(revision).map_err(|error| match error.is_missing_object() {
            true => Because::DidNotApply(format!("it is not available: {error}")),
            false => Because::Broken(error.to_string()),
        })
    }

    fn has_history(&self) -> bool {
        true
    }

    fn range(&self, good: &[RevisionId], bad: &RevisionId) -> Result<RevisionRange, Problem> {
        self.repository.range_of(good, bad).map_err(|error| Problem::hinted(&error, error.hint()))
    }

    fn touching(
        &self,
        range: &RevisionRange,
        matters: &dyn Fn(&TreePath) -> bool,
    ) -> Result<HashSet<RevisionId>, Problem> {
        let matters = |path: &[u8]| TreePath::new(path).is_ok_and(|path| matters(&path));
        let touching = self.repository.touching(range, matters);
        touching.map_err(|error| Problem::hinted(&error, error.hint()))
    }

    fn added_by(
        &self,
        range: &RevisionRange,
        path: &TreePath,
        lines: &[RangeInclusive<u32>],
    ) -> Vec<LineRevisions> {
        let blamed = self.repository.blame(range, path.as_bytes(), lines).unwrap_or_default();
        let line = |line: super::BlamedLine| LineRevisions {
            line: line.line,
            revisions: line.commit.into_iter().map(Into::into).collect(),
        };
        blamed.into_iter().map(line).collect()
    }

    fn removed_by(
        &self,
        range: &RevisionRange,
        good: &RevisionId,
        path: &TreePath,
        lines: &[RangeInclusive<u32>],
    ) -> Vec<LineRevisions> {
        let Ok(good) = ObjectId::of(good) else { return Vec::new() };
        let removed = self.repository.removals(range, good, path.as_bytes(), lines).unwrap_or_default();
        let line = |line: super::RemovedLine| LineRevisions { line: line.line, revisions: line.removed_by };
        removed.into_iter().map(line).collect()
    }

    fn commit_info(&self, revision: &RevisionId) -> Option<CommitInfo> {
        let id = ObjectId::of(revision).ok()?;
        let commit = self.objects.lock().unwrap_or_else(PoisonError::into_inner).commit(id).ok()?;
        Some(CommitInfo {
            id: id.to_string(),
            short: id.short(),
            author: commit.author,
            email: commit.email,
            date: commit.date.to_string().split(' ').next().unwrap_or_default().to_owned(),
            subject: commit.subject,
        })
    }
}
