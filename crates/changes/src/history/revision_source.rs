//! Where the revisions come from, as `run.json` keeps it.

use crate::versions::git::{NotARepository, ObjectId, Repository};
use crate::versions::listed::ListedRevisions;
use crate::versions::revision_id::RevisionId;
use howcome_run::Problem;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Where revisions come from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RevisionSource {
    /// The first parents of a commit.
    Git {
        /// The repository.
        repository: PathBuf,
        /// The newest commit.
        bad: NamedCommit,
        /// The oldest commit; if there is none, the first of all.
        back_to: Option<NamedCommit>,
    },
    /// A command prints their names, and another one checks them out.
    Listed(ListedRevisions),
}

/// A commit as the user named it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NamedCommit {
    /// The name.
    pub name: String,
    /// The id of the commit.
    pub id: String,
}

impl NamedCommit {
    pub(super) fn commit(&self) -> Result<RevisionId, Problem> {
        let id = self.id.parse::<ObjectId>();
        id.map(Into::into)
            .map_err(|_| Problem::new(format!("run.json: `{}` is not the id of a commit", self.id)))
    }
}

impl RevisionSource {
    /// Finds the commits that the user named, in a repository or in the one that holds the folder `here`.
    ///
    /// # Errors
    /// If there is no repository, or a name is not that of a commit.
    pub fn in_git(
        repository: Option<&Path>,
        bad: Option<&OsStr>,
        back_to: Option<&OsStr>,
        here: &Path,
    ) -> Result<Self, Problem> {
        let found = Repository::discover(repository.map_or(here.to_owned(), |path| here.join(path)));
        let found = found.map_err(|error| {
            let hint = "run howcome inside the repository, or name it with --repo; for revisions that are not in git, see --revisions-from";
            match error {
                NotARepository::None(_) => Problem::hinted(&error, Some(hint.to_owned())),
                error => Problem::hinted(&error, error.hint()),
            }
        })?;
        let named = |word: &OsStr| {
            let id = found.resolve(word).map_err(|error| Problem::hinted(&error, error.hint()))?;
            Ok::<_, Problem>(NamedCommit { name: word.to_string_lossy().into_owned(), id: id.to_string() })
        };
        Ok(RevisionSource::Git {
            bad: named(bad.unwrap_or(OsStr::new("HEAD")))?,
            back_to: back_to.map(named).transpose()?,
            repository: found.work_tree().unwrap_or(found.git_dir()).to_owned(),
        })
    }
}
