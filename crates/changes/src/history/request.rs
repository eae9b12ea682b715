//! What `run.json` keeps of the command line, and the revisions that it means.

use super::listed::{ListedRevisions, Opened};
use super::same::SameOptions;
use crate::changes::origin::failure;
use crate::changes::plan::{Plan, Within};
use crate::changes::request::recipe;
use crate::changes::sources::copied;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::FailureOptions;
use crate::test_command::TestCommand;
use howcome_changes::git::{NoRange, NotARepository, ObjectId, Repository, Submodules};
use howcome_changes::{Commits, Entry, PathFilter, Recipe, RevisionLine, Tree, TreePath, Trees};
use howcome_run::RunFile;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What `run.json` keeps of the command line: everything that the answer depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) revisions: Revisions,
    pub(super) test: TestCommand,
    /// The test, where it is part of the revisions.
    pub(super) test_in_tree: Option<String>,
    /// What every revision has as the bad one has it: the test.
    pub(super) same: Vec<String>,
    pub(super) build: Option<Vec<String>>,
    pub(super) clean: Option<Vec<String>>,
    pub(super) copy: Vec<PathBuf>,
    pub(super) failure: FailureOptions,
    #[serde(default)]
    pub(super) alike: SameOptions,
}

/// Where the revisions come from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Revisions {
    /// The first parents of a commit, back to another one.
    Git { repository: PathBuf, bad: Named, back_to: Option<Named> },
    /// What a command prints and another one checks out.
    Listed(ListedRevisions),
}

impl Revisions {
    /// Finds out what the words of the command line name in a repository.
    pub(super) fn in_git(
        repository: Option<&Path>,
        bad: Option<&OsStr>,
        back_to: Option<&OsStr>,
        stands: &Path,
    ) -> Result<Self, Failure> {
        let found = Repository::discover(repository.map_or(stands.to_owned(), |path| stands.join(path)));
        let found = found.map_err(|error| {
            let hint = "stand in the repository, or name it with --repo; for revisions that are not in git, see --revisions-from";
            match error {
                NotARepository::None(_) => failure(&error, Some(hint.to_owned())),
                error => failure(&error, error.hint()),
            }
        })?;
        let named = |word: &OsStr| {
            let id = found.resolve(word).map_err(|error| failure(&error, error.hint()))?;
            Ok::<_, Failure>(Named { name: word.to_string_lossy().into_owned(), id: id.to_string() })
        };
        Ok(Revisions::Git {
            bad: named(bad.unwrap_or(OsStr::new("HEAD")))?,
            back_to: back_to.map(named).transpose()?,
            repository: found.work_tree().unwrap_or(found.git_dir()).to_owned(),
        })
    }
}

/// A commit as it was named.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) id: String,
}

impl Named {
    fn commit(&self) -> Result<ObjectId, Failure> {
        self.id.parse().map_err(|_| Failure::wrong_use("run.json names a commit that is none"))
    }
}

/// The revisions, opened.
pub(super) struct Past {
    pub(super) line: Arc<dyn RevisionLine>,
    pub(super) trees: Option<Arc<Trees>>,
    /// The tree of the bad revision, for what can be said without a test.
    pub(super) bad: Tree,
    /// Who checks revisions out that are not in git.
    pub(super) opened: Option<Arc<Opened>>,
}

impl Past {
    /// Why the run has to stop, if a revision could not be had that should have been.
    pub(super) fn failure(&self) -> Option<Failure> {
        self.opened.as_ref().and_then(|opened| opened.failure())
    }
}

impl Request {
    pub(super) fn recipe(&self) -> Recipe {
        recipe(&self.test, self.test_in_tree.as_deref(), self.build.as_ref(), self.clean.as_ref())
    }

    pub(super) fn plan() -> Result<Plan, Failure> {
        let filter = PathFilter::new(&[], &[])
            .map_err(|error| Failure::wrong_use(error.to_string()).hint(error.hint()))?;
        Ok(Plan {
            within: Within::Commit,
            all: false,
            filter,
            is_filtered: false,
            without: Vec::new(),
            algorithm: None,
            outputs: None,
            unread: Vec::new(),
            executed: None,
        })
    }

    /// What the newest revision is called.
    pub(super) fn bad_name(&self) -> String {
        match &self.revisions {
            Revisions::Git { bad, .. } => bad.name.clone(),
            Revisions::Listed(listed) => listed.names.last().cloned().unwrap_or_default(),
        }
    }

    pub(super) fn repository(&self) -> Option<&Path> {
        match &self.revisions {
            Revisions::Git { repository, .. } => Some(repository),
            Revisions::Listed(_) => None,
        }
    }

    /// Opens the revisions. Those that are not in git are kept in the folder of the run, where there is one.
    pub(super) fn past(&self, run: Option<&Path>) -> Result<Past, Failure> {
        match &self.revisions {
            Revisions::Git { repository, bad, back_to } => self.commits(repository, bad, back_to.as_ref()),
            Revisions::Listed(listed) => self.listed(Arc::new(listed.open(run)?)),
        }
    }

    fn commits(&self, repository: &Path, bad: &Named, back_to: Option<&Named>) -> Result<Past, Failure> {
        let repository = Repository::discover(repository).map_err(|error| failure(&error, error.hint()))?;
        let commits = commits(&repository, bad.commit()?, back_to.map(Named::commit).transpose()?)?;
        let objects = repository.objects().map_err(|error| failure(&error, error.hint()))?;
        let objects = Arc::new(Mutex::new(objects));
        let submodules = Arc::new(Submodules::default());
        let tree = repository
            .tree_of(bad.commit()?, &objects)
            .and_then(|tree| submodules.expand(&repository, tree))
            .map_err(|error| failure(&error, error.hint()))?;
        let trees = Arc::new(Trees::new(repository, objects, submodules, self.pinned(&tree)?));
        let line = Arc::new(Commits { trees: Arc::clone(&trees), commits });
        Ok(Past { line, trees: Some(trees), bad: tree, opened: None })
    }

    /// The revisions of a list, with the test that is known by now.
    pub(super) fn listed(&self, opened: Arc<Opened>) -> Result<Past, Failure> {
        let line = opened.line(Vec::new());
        let bad = line.base(line.len().saturating_sub(1));
        let bad = bad.map_err(|because| {
            let exit = if opened.is_interrupted() { Exit::Stopped } else { Exit::WrongUse };
            opened.failure().unwrap_or_else(|| crate::baseline::no_verdict(&because)).exit(exit)
        })?;
        let bad = bad.tree().clone();
        let line = opened.line(self.pinned(&bad)?);
        Ok(Past { line, trees: None, bad, opened: Some(opened) })
    }

    /// What is in every revision.
    fn pinned(&self, bad: &Tree) -> Result<Vec<(TreePath, Entry)>, Failure> {
        let same = self.same.iter().filter_map(|path| {
            let path = TreePath::new(path.as_bytes()).ok()?;
            Some((path.clone(), bad.get(&path)?.clone()))
        });
        Ok(copied(&self.copy, &self.test.directory)?.into_iter().chain(same).collect())
    }
}

/// The commits along the first parents, the oldest first.
fn commits(
    repository: &Repository,
    bad: ObjectId,
    back_to: Option<ObjectId>,
) -> Result<Vec<ObjectId>, Failure> {
    let good: Vec<ObjectId> = back_to.into_iter().collect();
    let range = repository.range(&good, bad).map_err(|error| match error {
        NoRange::Same(_) => {
            Failure::wrong_use("--bad and --back-to are the same commit, so there is no way to go")
                .hint("leave --back-to out to go back to the first commit")
        }
        NoRange::Swapped { .. } => {
            Failure::wrong_use("--back-to is newer than --bad").hint("exchange the two")
        }
        NoRange::Shallow { .. } if good.is_empty() => failure(
            &error,
            error
                .hint()
                .map(|hint| format!("{hint}; or go back no further than what is there, with --back-to")),
        ),
        NoRange::Unrelated { .. } => Failure::wrong_use("--back-to is no ancestor of --bad")
            .hint("give a commit that --bad was made from"),
        error => failure(&error, error.hint()),
    })?;
    let line = range.revisions().first_parents();
    if let (Some(base), false) = (back_to, range.untested_bases().is_empty()) {
        return Err(Failure::wrong_use(format!("--back-to {} is no ancestor of --bad", base.short()))
            .hint("give a commit that --bad was made from"));
    }
    // A commit of a branch that was merged meanwhile is not on the line, but older than all of it.
    Ok(back_to.into_iter().chain(line.iter().map(|revision| revision.id)).collect())
}

/// What of the bad revision is the test itself: its program, or the script that an interpreter is given.
pub(super) fn parts_of_the_test(
    test: &TestCommand,
    top: Option<&Path>,
    bad: &Tree,
) -> (Option<String>, Vec<String>) {
    let in_tree = |path: &Path| {
        let (top, path) = (top?.canonicalize().ok()?, path.canonicalize().ok()?);
        let path = TreePath::new(path.strip_prefix(top).ok()?.as_os_str().as_bytes()).ok()?;
        bad.get(&path)?;
        // What cannot be written in text is tested from where it is.
        String::from_utf8(path.as_bytes().to_vec()).ok()
    };
    let program = Some(&test.program).filter(|program| test.is_path && program.is_absolute());
    if let Some(program) = program.and_then(|program| in_tree(program)) {
        return (Some(program.clone()), vec![program]);
    }
    let name = test.program.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let is_interpreter = INTERPRETERS.iter().any(|known| {
        name.strip_prefix(known)
            .is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
    });
    let script = test.arguments.iter().find(|word| !word.as_bytes().starts_with(b"-"));
    let script = script.filter(|_| is_interpreter).and_then(|word| {
        // The test runs at the top of each revision, so that is where its words start from.
        let path = TreePath::new(word.as_bytes().strip_prefix(b"./").unwrap_or(word.as_bytes())).ok()?;
        bad.get(&path)?;
        String::from_utf8(path.as_bytes().to_vec()).ok()
    });
    (None, script.into_iter().collect())
}

const INTERPRETERS: [&str; 10] =
    ["sh", "bash", "dash", "zsh", "python", "perl", "ruby", "node", "php", "lua"];

pub(super) fn request_of(file: &RunFile) -> Result<Request, Failure> {
    serde_json::from_value(file.request.clone())
        .map_err(|error| Failure::wrong_use(format!("run.json does not say what was asked for: {error}")))
}
