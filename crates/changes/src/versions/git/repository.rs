//! A repository, and the revisions that people name in it.

use super::ObjectId;
use super::command::{Git, GitFailed};
use super::similar::similar;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// A git repository, which is only read.
#[derive(Clone, Debug)]
pub struct Repository {
    pub(super) git: Git,
    git_dir: PathBuf,
    work_tree: Option<PathBuf>,
    is_shallow: bool,
}

/// Why there is no repository to read.
#[derive(Debug, thiserror::Error)]
pub enum NotARepository {
    /// There is no such folder.
    #[error("{}: no such folder", .0.display())]
    NoFolder(PathBuf),
    /// Neither the folder nor one above it is a repository.
    #[error("`{}` is not in a git repository", .0.display())]
    None(PathBuf),
    /// Git does not say.
    #[error(transparent)]
    Git(#[from] GitFailed),
}

impl NotARepository {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            NotARepository::NoFolder(_) => None,
            NotARepository::None(_) => {
                Some("go to the repository, or compare two directories instead of two revisions".to_owned())
            }
            NotARepository::Git(failed) => failed.hint(),
        }
    }
}

/// Why a text does not name a commit.
#[derive(Debug, thiserror::Error)]
pub enum NoSuchRevision {
    /// Nothing has this name.
    #[error("unknown revision `{name}`")]
    Unknown {
        /// What was asked for.
        name: String,
        /// Branches and tags with a name like it.
        similar: Vec<String>,
        /// Whether older revisions were never fetched.
        is_shallow: bool,
    },
    /// Several objects begin with these digits.
    #[error("`{0}` is short for several objects")]
    Ambiguous(String),
    /// It is a file or a folder.
    #[error("`{name}` is a {kind}, not a commit")]
    NotACommit {
        /// What was asked for.
        name: String,
        /// What it is: `blob`, `tree`.
        kind: String,
    },
    /// Git does not say.
    #[error(transparent)]
    Git(#[from] GitFailed),
}

impl NoSuchRevision {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            NoSuchRevision::Unknown { is_shallow: true, .. } => Some(UNSHALLOW.to_owned()),
            NoSuchRevision::Unknown { similar, .. } if !similar.is_empty() => {
                Some(format!("did you mean {}?", similar.join(", ")))
            }
            NoSuchRevision::Unknown { name, .. } if name.contains("..") => {
                Some("give the good and the bad revision one by one, not as a range".to_owned())
            }
            NoSuchRevision::Unknown { .. } => Some(
                "`git log --all --oneline` lists the commits, `git tag` and `git branch -a` the names"
                    .to_owned(),
            ),
            NoSuchRevision::Ambiguous(_) => Some("write more of its digits".to_owned()),
            NoSuchRevision::NotACommit { .. } => Some("name the commit that it is part of".to_owned()),
            NoSuchRevision::Git(failed) => failed.hint(),
        }
    }
}

/// What to do about a shallow clone.
pub(super) const UNSHALLOW: &str =
    "this is a shallow clone: get the older revisions with git fetch --unshallow --tags";

impl Repository {
    /// The repository that contains a folder, read with the `git` in PATH.
    ///
    /// # Errors
    /// If there is none, or no git.
    pub fn discover(folder: impl AsRef<Path>) -> Result<Self, NotARepository> {
        Self::discover_with("git", folder)
    }

    /// The same with a given program.
    ///
    /// # Errors
    /// If there is no repository, or no such program.
    pub fn discover_with(
        program: impl AsRef<Path>,
        folder: impl AsRef<Path>,
    ) -> Result<Self, NotARepository> {
        let folder = folder.as_ref();
        if !folder.is_dir() {
            return Err(NotARepository::NoFolder(folder.to_owned()));
        }
        let git = Git::new(program.as_ref(), folder);
        let questions = ["--is-inside-work-tree", "--is-shallow-repository", "--absolute-git-dir"];
        let output = git.ask("rev-parse", questions)?;
        if !output.status.success() {
            let none = String::from_utf8_lossy(&output.stderr).contains("not a git repository");
            return Err(match none {
                true => NotARepository::None(folder.to_owned()),
                false => GitFailed::refused("rev-parse", &output).into(),
            });
        }
        // The path comes last, because it can contain newlines.
        let mut answers = output.stdout.splitn(3, |byte| *byte == b'\n');
        let (Some(inside), Some(shallow), Some(git_dir)) = (answers.next(), answers.next(), answers.next())
        else {
            return Err(GitFailed::unexpected("rev-parse", &output.stdout).into());
        };
        let git_dir = path(git_dir);
        let work_tree = match inside {
            b"true" => Some(path(&git.read("rev-parse", ["--show-toplevel"])?)),
            _ => None,
        };
        let top = work_tree.as_ref().unwrap_or(&git_dir);
        Ok(Self { git: git.within(top), is_shallow: shallow == b"true", git_dir, work_tree })
    }

    /// The folder of git's own files for this work tree: often `.git`.
    #[must_use]
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The folder with the files; none if the repository is bare.
    #[must_use]
    pub fn work_tree(&self) -> Option<&Path> {
        self.work_tree.as_deref()
    }

    /// Whether old revisions were never fetched.
    #[must_use]
    pub fn is_shallow(&self) -> bool {
        self.is_shallow
    }

    /// The commit that a text names, in any syntax that git knows: `v1.2`, `HEAD~3`, `main@{yesterday}`, `:/fix`.
    ///
    /// # Errors
    /// If it names none.
    pub fn resolve(&self, revision: impl AsRef<OsStr>) -> Result<ObjectId, NoSuchRevision> {
        let revision = revision.as_ref();
        let name = || revision.to_string_lossy().into_owned();
        if revision.is_empty() || revision.as_bytes().contains(&0) {
            return Err(self.unknown(name())?);
        }
        // In two steps: a suffix `^{commit}` would become a part of the text that `:/text` looks for.
        let output =
            self.git.ask("rev-parse", [OsStr::new("--verify"), OsStr::new("--end-of-options"), revision])?;
        let Some(object) = only_id(&output.stdout) else {
            let is_ambiguous = String::from_utf8_lossy(&output.stderr).contains("is ambiguous");
            return Err(if is_ambiguous { NoSuchRevision::Ambiguous(name()) } else { self.unknown(name())? });
        };
        let commit = self.git.ask("rev-parse", ["--verify", &format!("{object}^{{commit}}")])?;
        if let Some(commit) = only_id(&commit.stdout) {
            return Ok(commit);
        }
        let kind = self.git.ask("cat-file", ["-t", &object.to_string()])?;
        if !kind.status.success() {
            return Err(self.unknown(name())?);
        }
        let kind = String::from_utf8_lossy(&kind.stdout).trim().to_owned();
        Err(NoSuchRevision::NotACommit { name: name(), kind })
    }

    /// The names of branches and tags.
    ///
    /// # Errors
    /// If git does not list them.
    pub fn names(&self) -> Result<Vec<String>, GitFailed> {
        Ok(self.listed_names()?.lines().map(str::to_owned).collect())
    }

    fn listed_names(&self) -> Result<String, GitFailed> {
        let refs = ["--format=%(refname:lstrip=2)", "refs/heads", "refs/tags", "refs/remotes"];
        Ok(String::from_utf8_lossy(&self.git.read("for-each-ref", refs)?).into_owned())
    }

    fn unknown(&self, name: String) -> Result<NoSuchRevision, GitFailed> {
        let refs = self.listed_names()?;
        let wanted = name.split(['~', '^', '@', ':']).next().unwrap_or_default();
        // If a name itself exists, the name is not what is wrong, as in `main~1000`.
        let known = refs.lines().any(|known| known == wanted);
        let similar = if known { Vec::new() } else { similar(wanted, refs.lines()) };
        Ok(NoSuchRevision::Unknown { name, similar, is_shallow: self.is_shallow })
    }
}

/// The id, if there is one and nothing else. Old versions repeat `--end-of-options` before it.
fn only_id(output: &[u8]) -> Option<ObjectId> {
    let line = output.strip_suffix(b"\n")?;
    ObjectId::from_hex(line.strip_prefix(b"--end-of-options\n").unwrap_or(line)).ok()
}

/// A path that ends with a newline.
fn path(line: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from_vec(line.strip_suffix(b"\n").unwrap_or(line).to_vec()))
}
