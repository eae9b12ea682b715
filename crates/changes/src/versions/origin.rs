//! The two versions as the user named them, and what these names mean.

use super::git::{NoRange, ObjectId, Repository, similar};
use super::revision_id::RevisionId;
use howcome_run::Problem;
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A version as the user named it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VersionOrigin {
    /// A revision of the repository, by its name and its commit.
    Commit {
        /// What the user calls it.
        name: String,
        /// The id of the commit.
        id: String,
    },
    /// The working tree of the repository.
    WorkingTree,
    /// A folder.
    Folder(PathBuf),
    /// A patch for the good version.
    Patch(PathBuf),
    /// A revision that is not a commit.
    Revision(String),
}

impl VersionOrigin {
    /// What the user calls it.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            VersionOrigin::Commit { name, .. } | VersionOrigin::Revision(name) => name.clone(),
            VersionOrigin::WorkingTree => "the working tree".to_owned(),
            VersionOrigin::Folder(path) | VersionOrigin::Patch(path) => path.display().to_string(),
        }
    }

    /// Its commit, if it is one.
    #[must_use]
    pub fn commit(&self) -> Option<RevisionId> {
        match self {
            VersionOrigin::Commit { id, .. } => id.parse::<ObjectId>().ok().map(Into::into),
            _ => None,
        }
    }
}

/// All versions that were named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionOrigins {
    /// The repository, if there is one.
    pub repository: Option<PathBuf>,
    /// The versions that pass.
    pub good: Vec<VersionOrigin>,
    /// The version that fails.
    pub bad: VersionOrigin,
    /// HEAD when the run began, if the working tree is the bad version.
    #[serde(default)]
    pub head: Option<String>,
    /// The folder in which versions that are not commits are kept as they were when the run began.
    #[serde(skip)]
    pub kept: Option<PathBuf>,
}

impl VersionOrigins {
    /// Finds out what the words of the command line name. Without a bad version, the working tree is meant; without a good one, the
    /// first commit.
    ///
    /// # Errors
    /// If a word names nothing, or something that cannot be a version there.
    pub fn find(
        good: &[OsString],
        bad: Option<&OsStr>,
        repository: Option<&Path>,
        here: &Path,
    ) -> Result<Self, Problem> {
        let found = Repository::discover(repository.map_or(here.to_owned(), |path| here.join(path)));
        let found = match (found, repository) {
            (Ok(found), _) => Some(found),
            (Err(error), Some(_)) => return Err(Problem::hinted(&error, error.hint())),
            (Err(_), None) => None,
        };
        let finder = Finder { repository: found.as_ref(), here };
        let mut good = good.iter().map(|word| finder.find(word)).collect::<Result<Vec<_>, _>>()?;
        if let Some(VersionOrigin::Patch(path)) =
            good.iter().find(|good| matches!(good, VersionOrigin::Patch(_)))
        {
            return Err(Problem::new(format!("{} is a file, not a version", path.display()))
                .hint("a patch can only be the bad version: --good FOLDER --bad FILE.patch"));
        }
        let bad = match bad {
            Some(word) => finder.find(word)?,
            None if found.as_ref().is_some_and(|found| found.work_tree().is_some()) => {
                VersionOrigin::WorkingTree
            }
            None => {
                return Err(Problem::new("no bad version was given").hint(
                    "name it with --bad; only in a git repository can it be left out, for the working tree",
                ));
            }
        };
        if good.is_empty() {
            good.push(finder.first_commit(&bad)?);
        }
        let uses_git = good
            .iter()
            .chain([&bad])
            .any(|origin| matches!(origin, VersionOrigin::Commit { .. } | VersionOrigin::WorkingTree));
        let repository =
            found.filter(|_| uses_git).map(|found| found.work_tree().unwrap_or(found.git_dir()).to_owned());
        if good.len() > 1 && good.iter().any(|good| good.commit().is_none()) {
            return Err(Problem::new("several good versions must all be revisions of the repository"));
        }
        let head = match (&bad, &repository) {
            (VersionOrigin::WorkingTree, Some(path)) => {
                Repository::discover(path).ok().and_then(|found| found.resolve("HEAD").ok())
            }
            _ => None,
        };
        Ok(Self { repository, good, bad, head: head.map(|head| head.to_string()), kept: None })
    }
}

impl VersionOrigins {
    /// Swaps the two versions if the bad one is older.
    pub fn put_older_first(&mut self) {
        let Some(repository) = self.repository.as_ref().and_then(|path| Repository::discover(path).ok())
        else {
            return;
        };
        let ([good], bad) = (self.good.as_slice(), &self.bad) else { return };
        let (Some(good_commit), Some(bad_commit)) = (good.commit(), bad.commit()) else { return };
        if let Err(NoRange::Swapped { .. }) = repository.range_of(&[good_commit], &bad_commit) {
            *self = Self { good: vec![bad.clone()], bad: good.clone(), ..self.clone() };
        }
    }
}

struct Finder<'a> {
    repository: Option<&'a Repository>,
    here: &'a Path,
}

impl Finder<'_> {
    fn find(&self, word: &OsStr) -> Result<VersionOrigin, Problem> {
        let path = self.here.join(word);
        let is_path = word.as_bytes().first() == Some(&b'/') || word.as_bytes().first() == Some(&b'.');
        let commit = match self.repository {
            // `.` and `../x` are not names of revisions.
            Some(repository) if !is_path => Some(repository.resolve(word)),
            _ => None,
        };
        match commit {
            Some(Ok(_)) if path.is_dir() => {
                let word = word.display();
                Err(Problem::new(format!("`{word}` is the name of a revision and of a folder"))
                    .hint(format!("write ./{word} for the folder, or the commit's id for the revision")))
            }
            Some(Ok(id)) => {
                Ok(VersionOrigin::Commit { name: word.to_string_lossy().into_owned(), id: id.to_string() })
            }
            _ if path.is_dir() => Ok(self.folder(&path)),
            _ if path.is_file() => Ok(VersionOrigin::Patch(path)),
            Some(Err(error)) => Err(Problem::hinted(&error, error.hint())),
            None => Err(self.neither(word)),
        }
    }

    /// The first commit that leads to a version.
    fn first_commit(&self, bad: &VersionOrigin) -> Result<VersionOrigin, Problem> {
        let none = || Problem::new("no good version was given").hint("name it with --good");
        let repository = self.repository.ok_or_else(none)?;
        let bad = match bad {
            VersionOrigin::WorkingTree => repository.resolve("HEAD").ok().map(Into::into),
            bad => bad.commit(),
        };
        let range = repository.range_of(&[], &bad.ok_or_else(none)?);
        let range = range.map_err(|error| Problem::hinted(&error, error.hint()))?;
        let line = range.revisions.first_parents();
        let first = line.iter().next().ok_or_else(none)?;
        Ok(VersionOrigin::Commit { name: "the first commit".to_owned(), id: first.id.to_string() })
    }

    /// A folder. The top of the repository is its working tree, without ignored files.
    fn folder(&self, path: &Path) -> VersionOrigin {
        let top = self.repository.and_then(Repository::work_tree).and_then(|top| top.canonicalize().ok());
        match path.canonicalize() {
            Ok(path) if Some(&path) == top.as_ref() => VersionOrigin::WorkingTree,
            Ok(path) => VersionOrigin::Folder(path),
            Err(_) => VersionOrigin::Folder(path.to_owned()),
        }
    }

    fn neither(&self, word: &OsStr) -> Problem {
        let meant = similar_folders(Path::new(word));
        let word = word.display();
        let problem = match self.repository {
            Some(_) => Problem::new(format!("{word}: no such folder")),
            None => Problem::new(format!(
                "{word}: no such folder, and the current folder is not in a git repository"
            )),
        };
        match self.repository {
            _ if !meant.is_empty() => problem.hint(format!("did you mean {}?", meant.join(", "))),
            Some(_) => problem,
            None => problem.hint("run howcome in the repository, or name it with --repo"),
        }
    }
}

/// The folders beside a path whose names are like its own.
fn similar_folders(path: &Path) -> Vec<String> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name().and_then(OsStr::to_str)) else {
        return Vec::new();
    };
    let within = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let Ok(entries) = within.read_dir() else { return Vec::new() };
    let folders = entries.flatten().filter(|entry| entry.path().is_dir());
    let names: Vec<String> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let similar = similar(name, names.iter().map(String::as_str));
    similar.into_iter().map(|name| parent.join(name).display().to_string()).collect()
}
