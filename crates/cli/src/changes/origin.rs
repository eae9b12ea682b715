//! Where the two versions come from: what the user named, and what that is.

use crate::failure::{Failure, plain};
use howcome_changes::git::{NoRange, ObjectId, Repository};
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A version as it was named, and what it was found to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Origin {
    /// A revision of the repository, by its name and its commit.
    Commit { name: String, id: String },
    /// What is in the working tree of the repository.
    WorkingTree,
    /// A folder.
    Folder(PathBuf),
    /// A patch for the good version.
    Patch(PathBuf),
    /// A revision that is no commit.
    Revision(String),
}

impl Origin {
    /// What the user calls it.
    pub(crate) fn name(&self) -> String {
        match self {
            Origin::Commit { name, .. } | Origin::Revision(name) => name.clone(),
            Origin::WorkingTree => "the working tree".to_owned(),
            Origin::Folder(path) | Origin::Patch(path) => path.display().to_string(),
        }
    }

    pub(crate) fn commit(&self) -> Option<ObjectId> {
        match self {
            Origin::Commit { id, .. } => id.parse().ok(),
            _ => None,
        }
    }
}

/// All versions that were named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Origins {
    /// The repository, where there is one.
    pub(crate) repository: Option<PathBuf>,
    pub(crate) good: Vec<Origin>,
    pub(crate) bad: Origin,
    /// The commit that the working tree was made from, where that is the bad version.
    #[serde(default)]
    pub(crate) head: Option<String>,
}

impl Origins {
    /// Finds out what the words of the command line name. Without a bad version, the working tree is meant.
    pub(crate) fn find(
        good: &[OsString],
        bad: Option<&OsStr>,
        repository: Option<&Path>,
        stands: &Path,
    ) -> Result<Self, Failure> {
        let found = Repository::discover(repository.map_or(stands.to_owned(), |path| stands.join(path)));
        let found = match (found, repository) {
            (Ok(found), _) => Some(found),
            (Err(error), Some(_)) => return Err(failure(&error, error.hint())),
            (Err(_), None) => None,
        };
        let finder = Finder { repository: found.as_ref(), stands };
        let good = good.iter().map(|word| finder.find(word)).collect::<Result<Vec<_>, _>>()?;
        if let Some(Origin::Patch(path)) = good.iter().find(|good| matches!(good, Origin::Patch(_))) {
            return Err(Failure::wrong_use(format!("{} is a file, not a version", path.display()))
                .hint("a patch can only be the bad version: --good FOLDER --bad FILE.patch"));
        }
        let bad = match bad {
            Some(word) => finder.find(word)?,
            None if found.as_ref().is_some_and(|found| found.work_tree().is_some()) => Origin::WorkingTree,
            None => {
                return Err(Failure::wrong_use("no bad version was given")
                    .hint("name it with --bad; it can be left out only in a git repository, where the working tree is meant"));
            }
        };
        let uses_git = good
            .iter()
            .chain([&bad])
            .any(|origin| matches!(origin, Origin::Commit { .. } | Origin::WorkingTree));
        let repository =
            found.filter(|_| uses_git).map(|found| found.work_tree().unwrap_or(found.git_dir()).to_owned());
        if good.len() > 1 && good.iter().any(|good| good.commit().is_none()) {
            return Err(Failure::wrong_use("several good versions must all be revisions of the repository"));
        }
        let head = match (&bad, &repository) {
            (Origin::WorkingTree, Some(path)) => {
                Repository::discover(path).ok().and_then(|found| found.resolve("HEAD").ok())
            }
            _ => None,
        };
        Ok(Self { repository, good, bad, head: head.map(|head| head.to_string()) })
    }
}

impl Origins {
    /// Names the two the way a search goes, from the older to the newer.
    pub(crate) fn put_older_first(&mut self) {
        let Some(repository) = self.repository.as_ref().and_then(|path| Repository::discover(path).ok())
        else {
            return;
        };
        let ([good], bad) = (self.good.as_slice(), &self.bad) else { return };
        let (Some(good_commit), Some(bad_commit)) = (good.commit(), bad.commit()) else { return };
        if let Err(NoRange::Swapped { .. }) = repository.range(&[good_commit], bad_commit) {
            *self = Self { good: vec![bad.clone()], bad: good.clone(), ..self.clone() };
        }
    }
}

struct Finder<'a> {
    repository: Option<&'a Repository>,
    stands: &'a Path,
}

impl Finder<'_> {
    fn find(&self, word: &OsStr) -> Result<Origin, Failure> {
        let path = self.stands.join(word);
        let is_path = word.as_bytes().first() == Some(&b'/') || word.as_bytes().first() == Some(&b'.');
        let commit = match self.repository {
            // `.` and `../x` are no names of revisions.
            Some(repository) if !is_path => Some(repository.resolve(word)),
            _ => None,
        };
        match commit {
            Some(Ok(_)) if path.is_dir() => {
                let word = word.display();
                Err(Failure::wrong_use(format!("`{word}` is the name of a revision and of a folder"))
                    .hint(format!("write ./{word} for the folder, or the commit's id for the revision")))
            }
            Some(Ok(id)) => {
                Ok(Origin::Commit { name: word.to_string_lossy().into_owned(), id: id.to_string() })
            }
            _ if path.is_dir() => Ok(self.folder(&path)),
            _ if path.is_file() => Ok(Origin::Patch(path)),
            Some(Err(error)) => Err(failure(&error, error.hint())),
            None => Err(self.neither(word)),
        }
    }

    /// A folder; the top of the repository is its working tree, with what git ignores left out.
    fn folder(&self, path: &Path) -> Origin {
        let top = self.repository.and_then(Repository::work_tree).and_then(|top| top.canonicalize().ok());
        match path.canonicalize() {
            Ok(path) if Some(&path) == top.as_ref() => Origin::WorkingTree,
            Ok(path) => Origin::Folder(path),
            Err(_) => Origin::Folder(path.to_owned()),
        }
    }

    fn neither(&self, word: &OsStr) -> Failure {
        let word = word.display();
        match self.repository {
            Some(_) => Failure::wrong_use(format!("there is no folder {word}")),
            None => Failure::wrong_use(format!(
                "there is no folder {word}, and no git repository here in which it could be a revision"
            ))
            .hint("stand in the repository, or name it with --repo"),
        }
    }
}

/// An error of a library, with what to do next.
pub(crate) fn failure(error: &dyn std::fmt::Display, hint: Option<String>) -> Failure {
    let failure = Failure::wrong_use(error.to_string());
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// What was read from a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure::wrong_use(format!("{}: {}", path.display(), plain(&error))))
}
