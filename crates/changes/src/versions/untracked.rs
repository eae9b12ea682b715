//! Files of the working tree that git neither tracks nor ignores: perhaps the test that fails is not committed yet.

use super::git::{GitVersions, Repository};
use super::origin::{VersionOrigin, VersionOrigins};
use crate::test_code::finder::Untracked;
use crate::trees::tree_path::TreePath;
use howcome_run::Problem;
use std::path::{Path, PathBuf};

/// The files that git neither tracks nor ignores, and whether the bad version is what is checked out.
#[derive(Debug, Default)]
pub struct UntrackedFiles {
    top: Option<PathBuf>,
    files: Vec<TreePath>,
    belong_to_bad: bool,
}

impl UntrackedFiles {
    /// The untracked files beside the versions that the user named.
    ///
    /// # Errors
    /// If git does not list them.
    pub fn of(origins: &VersionOrigins) -> Result<Self, Problem> {
        let Some(top) = &origins.repository else { return Ok(Self::default()) };
        let bad = match &origins.bad {
            VersionOrigin::WorkingTree => None,
            bad => bad.commit().map(|commit| commit.to_string()),
        };
        Self::beside(top, bad.as_deref())
    }

    /// The untracked files of a repository. The bad version is this commit, or the working tree.
    ///
    /// # Errors
    /// If git does not list them.
    pub fn beside(repository: &Path, bad: Option<&str>) -> Result<Self, Problem> {
        let git = GitVersions::open(repository)?;
        let Some(top) = git.repository().work_tree().map(Path::to_owned) else { return Ok(Self::default()) };
        let files = untracked(git.repository())?;
        let head = || git.resolve("HEAD").ok().map(|head| head.to_string());
        let belong_to_bad = bad.is_none_or(|bad| head().as_deref() == Some(bad));
        Ok(Self { top: Some(top), files, belong_to_bad })
    }

    /// The same for the finder of tests.
    #[must_use]
    pub fn listed(&self) -> Untracked<'_> {
        Untracked { top: self.top.as_deref(), files: &self.files, belong_to_bad: self.belong_to_bad }
    }
}

fn untracked(repository: &Repository) -> Result<Vec<TreePath>, Problem> {
    let files = repository.untracked().map_err(|error| Problem::hinted(&error, error.hint()))?;
    Ok(files.iter().filter_map(|path| TreePath::new(path).ok()).collect())
}
