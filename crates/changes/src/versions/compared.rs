//! The versions themselves: their trees, and the history between them.

use super::origin::{VersionOrigin, VersionOrigins};
use crate::git::{self, NoRange, ObjectId, Objects, Range, Repository, Submodules};
use crate::search::plan::SearchWithin;
use crate::{Base, Candidate, Entry, Kind, Tree, TreePath, Trees, apply_patch, pin};
use howcome_run::Problem;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What is compared.
pub struct ComparedVersions {
    /// The version that passes; of several the one that is nearest to the bad one.
    pub good: Candidate,
    /// Its commit, if it is one.
    pub good_commit: Option<ObjectId>,
    /// The version that fails.
    pub bad: Candidate,
    /// Its commit, if it is one.
    pub bad_commit: Option<ObjectId>,
    /// The commits between them, if there are any.
    pub between: Option<CommitsBetween>,
    /// Where the trees of commits come from, if there is a repository.
    pub trees: Option<Arc<Trees>>,
    /// What the user should know about them.
    pub warnings: Vec<String>,
}

/// The commits between the good versions and the bad one.
pub struct CommitsBetween {
    /// The commits.
    pub range: Range,
    /// What is in the working tree and in no commit comes after all of them.
    pub ends_uncommitted: bool,
}

impl ComparedVersions {
    /// Reads the versions. The file `same` of the bad version is in every version, and so are the files `also`, which are copied from
    /// the user's folder.
    ///
    /// # Errors
    /// If a version cannot be read.
    pub fn read(
        origins: &VersionOrigins,
        same: Option<&TreePath>,
        also: &[PathBuf],
        here: &Path,
        within: SearchWithin,
    ) -> Result<Self, Problem> {
        let mut pinned = copied(also, here)?;
        let repository = origins.repository.as_ref().map(Repository::discover).transpose();
        let repository = repository.map_err(|error| Problem::hinted(&error, error.hint()))?;
        let objects = match &repository {
            Some(repository) => {
                let objects = repository.objects().map_err(|error| Problem::hinted(&error, error.hint()))?;
                Some(Arc::new(Mutex::new(objects)))
            }
            None => None,
        };
        let submodules = Arc::new(Submodules::default());
        let mut reader = VersionReader {
            repository: repository.as_ref(),
            objects,
            submodules: &submodules,
            warnings: Vec::new(),
        };
        let good_origin = nearest(&reader, origins)?;
        let mut good = reader.tree(good_origin, None)?;
        let mut bad = reader.tree(&origins.bad, Some(&good))?;
        if let Some((path, entry)) = same.and_then(|path| Some((path.clone(), bad.get(path)?.clone()))) {
            pinned.push((path, entry));
        }
        pin(&mut good, &pinned);
        pin(&mut bad, &pinned);
        let between = match (reader.commits_between(origins), within) {
            // Where commits do not matter, neither does their order.
            (Err(_), SearchWithin::Hunk) => None,
            (between, _) => between?,
        };
        let warnings = std::mem::take(&mut reader.warnings);
        let objects = reader.objects.take();
        let trees = repository.zip(objects).map(|(repository, objects)| {
            Arc::new(Trees::new(repository, objects, Arc::clone(&submodules), pinned))
        });
        // A commit's tree is asked for again and again, so there should be only one of it.
        let base = |commit: Option<ObjectId>, tree: Tree, name: &[u8]| match (&trees, commit) {
            (Some(trees), Some(commit)) => {
                trees.of(commit).map_err(|error| Problem::hinted(&error, error.hint()))
            }
            _ => Ok(Base::new(tree, name)),
        };
        let (good_commit, bad_commit) = (good_origin.commit(), origins.bad.commit());
        let good = Candidate::of(base(good_commit, good, b"good")?);
        let bad = Candidate::of(base(bad_commit, bad, b"bad")?);
        Ok(Self { good, good_commit, bad, bad_commit, between, trees, warnings })
    }

    /// The path in the bad version of a file that the user named.
    #[must_use]
    pub fn in_bad_version(origins: &VersionOrigins, path: &Path) -> Option<TreePath> {
        let top = match (&origins.bad, &origins.repository) {
            (VersionOrigin::Folder(folder), _) => folder.clone(),
            (VersionOrigin::Patch(_), _) => match origins.good.first() {
                Some(VersionOrigin::Folder(folder)) => folder.clone(),
                _ => return None,
            },
            (_, Some(top)) => top.clone(),
            _ => return None,
        };
        let (top, path) = (top.canonicalize().ok()?, path.canonicalize().ok()?);
        TreePath::new(path.strip_prefix(top).ok()?.as_os_str().as_bytes()).ok()
    }
}

struct VersionReader<'a> {
    repository: Option<&'a Repository>,
    objects: Option<Arc<Mutex<Objects>>>,
    submodules: &'a Submodules,
    warnings: Vec<String>,
}

impl VersionReader<'_> {
    fn tree(&mut self, origin: &VersionOrigin, good: Option<&Tree>) -> Result<Tree, Problem> {
        match (origin, self.repository, &self.objects) {
            (VersionOrigin::Commit { .. }, Some(repository), Some(objects)) => {
                let id =
                    origin.commit().ok_or_else(|| Problem::new("run.json names a commit that is none"))?;
                let tree =
                    repository.tree_of(id, objects).map_err(|error| Problem::hinted(&error, error.hint()))?;
                let tree = self
                    .submodules
                    .expand(repository, tree)
                    .map_err(|error| Problem::hinted(&error, error.hint()))?;
                self.say_if_submodules(&tree);
                Ok(tree)
            }
            (VersionOrigin::WorkingTree, Some(repository), Some(objects)) => {
                let tree = working_tree(repository, objects)?;
                let tree = self
                    .submodules
                    .expand(repository, tree)
                    .map_err(|error| Problem::hinted(&error, error.hint()))?;
                self.say_if_submodules(&tree);
                Ok(tree)
            }
            (VersionOrigin::Folder(path), ..) => {
                Tree::of_directory(path, |inside| is_run(&path.join(inside.as_path())))
                    .map_err(|error| Problem::hinted(&error, Some(error.hint().to_owned())))
            }
            (VersionOrigin::Patch(path), ..) => {
                let good = good.ok_or_else(|| Problem::new("a patch can only be the bad version"))?;
                apply_patch(good, &read_file(path)?)
                    .map_err(|error| Problem::new(format!("{}: {error}", path.display())).hint(error.hint()))
            }
            _ => Err(Problem::new("the run was begun in a git repository, which is not there any more")),
        }
    }

    fn say_if_submodules(&mut self, tree: &Tree) {
        let submodules: Vec<String> = tree
            .iter()
            .filter(|(_, entry)| entry.kind == Kind::Submodule)
            .map(|(path, _)| path.to_string())
            .collect();
        if let Some(first) = submodules.first().filter(|_| self.warnings.is_empty()) {
            self.warnings.push(format!(
                "the submodule {first} is not checked out, so its folder is empty in every test; \
                 `git submodule update --init` brings it"
            ));
        }
    }

    /// The commits between the versions; none where the two are not of one history.
    fn commits_between(&self, origins: &VersionOrigins) -> Result<Option<CommitsBetween>, Problem> {
        let Some(repository) = self.repository else { return Ok(None) };
        let good: Vec<ObjectId> = origins.good.iter().filter_map(VersionOrigin::commit).collect();
        if good.is_empty() {
            return Ok(None);
        }
        // As it was when the run began, whatever was committed since.
        let head = origins.head.as_deref().unwrap_or("HEAD");
        let resolve_head = || repository.resolve(head).map_err(|error| Problem::hinted(&error, error.hint()));
        let (bad, ends_uncommitted) = match &origins.bad {
            VersionOrigin::WorkingTree => (resolve_head()?, true),
            bad => match bad.commit() {
                Some(bad) => (bad, false),
                None => return Ok(None),
            },
        };
        match repository.range(&good, bad) {
            Ok(range) => Ok(Some(CommitsBetween { range, ends_uncommitted })),
            // Only what is not committed lies between them.
            Err(NoRange::Same(_)) if ends_uncommitted => Ok(None),
            Err(error) => Err(Problem::hinted(&error, error.hint())),
        }
    }
}

/// Of several good versions, the one with the fewest commits to the bad one.
fn nearest<'o>(
    reader: &VersionReader<'_>,
    origins: &'o VersionOrigins,
) -> Result<&'o VersionOrigin, Problem> {
    let none = || Problem::new("no good version was given").hint("name it with --good");
    let first = origins.good.first().ok_or_else(none)?;
    let (Some(repository), [_, _, ..]) = (reader.repository, origins.good.as_slice()) else {
        return Ok(first);
    };
    let Some(bad) = origins.bad.commit().or_else(|| repository.resolve("HEAD").ok()) else {
        return Ok(first);
    };
    let commits = |origin: &VersionOrigin| {
        let range = origin.commit().and_then(|good| repository.range(&[good], bad).ok());
        range.map_or(usize::MAX, |range| range.revisions().len())
    };
    Ok(origins.good.iter().min_by_key(|origin| commits(origin)).unwrap_or(first))
}

fn working_tree(repository: &Repository, objects: &Arc<Mutex<Objects>>) -> Result<Tree, Problem> {
    let files = repository.working_tree().map_err(|error| Problem::hinted(&error, error.hint()))?;
    let files = files.ok_or_else(|| {
        Problem::new("the repository has no working tree").hint("name a revision with --bad")
    })?;
    if let Some(path) = files.unmerged.first() {
        let path = String::from_utf8_lossy(path).into_owned();
        return Err(Problem::new(format!("{path} has a merge conflict"))
            .hint("resolve it, or name a revision with --bad"));
    }
    git::tree_of_working_files(repository, &files, objects)
        .map_err(|error| Problem::hinted(&error, error.hint()))
}

/// Files that no version has but every test needs, from the user's folder.
///
/// # Errors
/// If a file cannot be read, or is outside that folder.
pub fn copied(also: &[PathBuf], here: &Path) -> Result<Vec<(TreePath, Entry)>, Problem> {
    let mut entries = Vec::new();
    for path in also {
        let from = here.join(path);
        let name = |path: &Path| {
            TreePath::new(path.as_os_str().as_bytes())
                .map_err(|error| Problem::hinted(&error, Some(error.hint().to_owned())))
        };
        if path.is_absolute() {
            return Err(Problem::new(format!("{} is not below where you stand", path.display())).hint(
                "--copy takes paths that start here; the copy goes to the same path in every version",
            ));
        }
        let own = without_dots(path);
        if from.is_dir() {
            let tree = Tree::of_directory(&from, |_| false)
                .map_err(|error| Problem::hinted(&error, Some(error.hint().to_owned())))?;
            for (below, entry) in tree.iter() {
                entries.push((name(&own.join(below.as_path()))?, entry.clone()));
            }
        } else {
            let bytes = read_file(&from)?;
            use std::os::unix::fs::PermissionsExt;
            let executable = from.metadata().is_ok_and(|found| found.permissions().mode() & 0o100 != 0);
            entries.push((name(&own)?, Entry::of_bytes(Kind::File { executable }, &bytes)));
        }
    }
    Ok(entries)
}

/// What a run of ours is recorded in is no part of what is tested, wherever it is.
fn is_run(folder: &Path) -> bool {
    ["run.json", "journal.jsonl", "lock"].iter().all(|name| folder.join(name).exists())
}

fn without_dots(path: &Path) -> PathBuf {
    path.components().filter(|part| part.as_os_str() != OsStr::new(".")).collect()
}

fn read_file(path: &Path) -> Result<Vec<u8>, Problem> {
    fs::read(path).map_err(|error| Problem::with_file(path, &error))
}
