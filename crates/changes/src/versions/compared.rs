//! The two versions that are compared: their trees, and the commits between them.

use super::folders::{FolderVersions, read_folder};
use super::git::{GitVersions, NoRange};
use super::kept::{ComparedSide, UncommittedVersions, is_kept, keep_tree, kept_tree};
use super::origin::{VersionOrigin, VersionOrigins};
use super::revision_id::RevisionId;
use super::revision_range::RevisionRange;
use super::source::VersionSource;
use crate::candidates::candidate::{Base, Candidate};
use crate::patches::parsed::patched_tree::apply_patch;
use crate::search::plan::SearchWithin;
use crate::test_code::common_files::CommonFiles;
use crate::trees::entry::EntryKind;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_run::Problem;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

/// The two versions that are compared.
pub struct ComparedVersions {
    /// The version that passes; of several the one that is nearest to the bad one.
    pub good: Candidate,
    /// Its commit, if it is one.
    pub good_commit: Option<RevisionId>,
    /// The version that fails.
    pub bad: Candidate,
    /// Its commit, if it is one.
    pub bad_commit: Option<RevisionId>,
    /// The commits between them, if there are any.
    pub between: Option<CommitsBetween>,
    /// Where they come from.
    pub source: Arc<dyn VersionSource>,
    /// What the user should know about them.
    pub warnings: Vec<String>,
    /// Those of the two that are not commits, as they are without common files.
    pub uncommitted: UncommittedVersions,
}

/// The commits between the good versions and the bad one.
#[derive(Clone, Debug)]
pub struct CommitsBetween {
    /// The commits.
    pub range: RevisionRange,
    /// Whether changes of the working tree, which are in no commit, come after all of them.
    pub ends_uncommitted: bool,
}

impl ComparedVersions {
    /// Reads the versions. From the good and the bad tree follows what every version has in common.
    ///
    /// # Errors
    /// If a version cannot be read.
    pub fn read(
        origins: &VersionOrigins,
        within: SearchWithin,
        common: impl FnOnce(&Tree, &Tree) -> Result<CommonFiles, Problem>,
    ) -> Result<Self, Problem> {
        let git = origins.repository.as_deref().map(GitVersions::open).transpose()?;
        let mut reader = VersionReader { git: git.as_ref(), origins, warnings: Vec::new() };
        let good_origin = nearest(git.as_ref(), origins)?;
        let mut good = reader.tree(good_origin, ComparedSide::Good, None)?;
        let mut bad = reader.tree(&origins.bad, ComparedSide::Bad, Some(&good))?;
        let is_uncommitted = |side| match side {
            ComparedSide::Good => good_origin.commit().is_none(),
            ComparedSide::Bad => origins.bad.commit().is_none(),
        };
        let sides = [(ComparedSide::Good, &good), (ComparedSide::Bad, &bad)].into_iter();
        let uncommitted = sides.filter(|(side, _)| is_uncommitted(*side));
        let uncommitted = UncommittedVersions(uncommitted.map(|(side, tree)| (side, tree.clone())).collect());
        let common = common(&good, &bad)?;
        common.add_to(&mut good);
        common.add_to(&mut bad);
        let between = match (reader.commits_between(origins), within) {
            // If commits do not matter, their order does not matter either.
            (Err(_), SearchWithin::Hunk) => None,
            (between, _) => between?,
        };
        let warnings = reader.warnings;
        let git = git.map(|git| git.with_common(common));
        let mut folders = FolderVersions::default();
        // The tree of a commit is often asked for, so there should be only one of it.
        let mut base = |commit: Option<&RevisionId>, tree: Tree, name: &str| match (&git, commit) {
            (Some(git), Some(commit)) => git.remember(commit, tree),
            _ => folders.add(name, tree),
        };
        let (good_commit, bad_commit) = (good_origin.commit(), origins.bad.commit());
        let good: Arc<Base> = base(good_commit.as_ref(), good, "good");
        let bad: Arc<Base> = base(bad_commit.as_ref(), bad, "bad");
        let source: Arc<dyn VersionSource> = match git {
            Some(git) => Arc::new(git),
            None => Arc::new(folders),
        };
        let (good, bad) = (Candidate::of(good), Candidate::of(bad));
        Ok(Self { good, good_commit, bad, bad_commit, between, source, warnings, uncommitted })
    }

    /// Two trees without a history.
    #[must_use]
    pub fn of_trees(good: Tree, bad: Tree) -> Self {
        let mut folders = FolderVersions::default();
        let (good, bad) = (folders.add("good", good), folders.add("bad", bad));
        Self {
            good: Candidate::of(good),
            good_commit: None,
            bad: Candidate::of(bad),
            bad_commit: None,
            between: None,
            source: Arc::new(folders),
            warnings: Vec::new(),
            uncommitted: UncommittedVersions::default(),
        }
    }

    /// Keeps the versions that are not commits in a new folder, as they are now. From now on their files are read from there.
    /// Returns whether all of them are kept; a version can be too large.
    ///
    /// # Errors
    /// If a version cannot be read or written.
    pub(crate) fn keep(&self, origins: &VersionOrigins, folder: &Path) -> Result<bool, Problem> {
        if self.uncommitted.0.is_empty() {
            return Ok(false);
        }
        let git = origins.repository.as_deref().map(GitVersions::open).transpose()?;
        let reader = VersionReader { git: git.as_ref(), origins, warnings: Vec::new() };
        let good =
            self.uncommitted.0.iter().find(|(side, _)| *side == ComparedSide::Good).map(|(_, tree)| tree);
        for (side, tree) in &self.uncommitted.0 {
            let origin =
                if *side == ComparedSide::Bad { &origins.bad } else { nearest(git.as_ref(), origins)? };
            let folder = side.folder(folder);
            let base = reader.base(origin, good)?;
            if !keep_tree(tree, &base, &folder).map_err(|error| Problem::with_file(&folder, &error))? {
                return Ok(false);
            }
        }
        Ok(true)
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

/// Reads versions as the user named them.
struct VersionReader<'a> {
    git: Option<&'a GitVersions>,
    origins: &'a VersionOrigins,
    warnings: Vec<String>,
}

impl VersionReader<'_> {
    fn tree(
        &mut self,
        origin: &VersionOrigin,
        side: ComparedSide,
        good: Option<&Tree>,
    ) -> Result<Tree, Problem> {
        let kept = self.origins.kept.as_deref().map(|kept| side.folder(kept));
        if let Some(kept) = kept.filter(|kept| origin.commit().is_none() && is_kept(kept)) {
            let tree = kept_tree(&self.base(origin, good)?, &kept)?;
            self.warn_about_submodules(&tree);
            return Ok(tree);
        }
        match (origin, self.git) {
            (VersionOrigin::Commit { .. }, Some(git)) => {
                let id = origin
                    .commit()
                    .ok_or_else(|| Problem::new("run.json names something that is not a valid commit"))?;
                let tree = git.original_tree(&id)?;
                self.warn_about_submodules(&tree);
                Ok(tree)
            }
            (VersionOrigin::WorkingTree, Some(git)) => {
                let tree = git.working_tree()?;
                self.warn_about_submodules(&tree);
                Ok(tree)
            }
            (VersionOrigin::Folder(path), _) => read_folder(path),
            (VersionOrigin::Patch(path), _) => {
                let good = good.ok_or_else(|| Problem::new("a patch can only be the bad version"))?;
                let patch = fs::read(path).map_err(|error| Problem::with_file(path, &error))?;
                apply_patch(good, &patch)
                    .map_err(|error| Problem::new(format!("{}: {error}", path.display())).hint(error.hint()))
            }
            _ => Err(Problem::new("the run began in a git repository that does not exist any more")),
        }
    }

    /// What a version that is not a commit is compared with when it is kept: the commit that is checked out, the version that a
    /// patch belongs to, or nothing.
    fn base(&self, origin: &VersionOrigin, good: Option<&Tree>) -> Result<Tree, Problem> {
        match (origin, self.git, &self.origins.head, good) {
            (VersionOrigin::WorkingTree, Some(git), Some(head), _) => git.original_tree(&git.resolve(head)?),
            (VersionOrigin::Patch(_), _, _, Some(good)) => Ok(good.clone()),
            _ => Ok(Tree::empty()),
        }
    }

    fn warn_about_submodules(&mut self, tree: &Tree) {
        let mut submodules = tree.iter().filter(|(_, entry)| entry.kind == EntryKind::Submodule);
        if let Some((first, _)) = submodules.next().filter(|_| self.warnings.is_empty()) {
            self.warnings.push(format!(
                "the submodule {first} is not checked out, so its folder is empty in every test; \
                 run `git submodule update --init` to check it out"
            ));
        }
    }

    /// The commits between the versions, if both are part of the history.
    fn commits_between(&self, origins: &VersionOrigins) -> Result<Option<CommitsBetween>, Problem> {
        let Some(git) = self.git else { return Ok(None) };
        let good: Vec<RevisionId> = origins.good.iter().filter_map(VersionOrigin::commit).collect();
        if good.is_empty() {
            return Ok(None);
        }
        let (bad, ends_uncommitted) = match &origins.bad {
            // HEAD as it was when the run began, whatever was committed since.
            VersionOrigin::WorkingTree => (git.resolve(origins.head.as_deref().unwrap_or("HEAD"))?, true),
            bad => match bad.commit() {
                Some(bad) => (bad, false),
                None => return Ok(None),
            },
        };
        match git.repository().range_of(&good, &bad) {
            Ok(range) => Ok(Some(CommitsBetween { range, ends_uncommitted })),
            // Only uncommitted changes lie between them.
            Err(NoRange::Same(_)) if ends_uncommitted => Ok(None),
            Err(error) => Err(Problem::hinted(&error, error.hint())),
        }
    }
}

/// Of several good versions, the one with the fewest commits to the bad one.
fn nearest<'o>(git: Option<&GitVersions>, origins: &'o VersionOrigins) -> Result<&'o VersionOrigin, Problem> {
    let none = || Problem::new("no good version was given").hint("name it with --good");
    let first = origins.good.first().ok_or_else(none)?;
    let (Some(git), [_, _, ..]) = (git, origins.good.as_slice()) else { return Ok(first) };
    let Some(bad) = origins.bad.commit().or_else(|| git.resolve("HEAD").ok()) else { return Ok(first) };
    let commits = |origin: &VersionOrigin| {
        let range = origin.commit().and_then(|good| git.repository().range_of(&[good], &bad).ok());
        range.map_or(usize::MAX, |range| range.revisions.len())
    };
    Ok(origins.good.iter().min_by_key(|origin| commits(origin)).unwrap_or(first))
}
