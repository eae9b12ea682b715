//! What lies between good revisions and a bad one.

use super::command::GitFailed;
use super::repository::UNSHALLOW;
use super::{NotAnObjectId, ObjectId, Repository};
use crate::versions::revision_graph::{Revision, RevisionGraph};
use crate::versions::revision_id::RevisionId;
use crate::versions::revision_range::RevisionRange;
use std::collections::HashSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

/// Why there is nothing to search between good and bad.
#[derive(Debug, thiserror::Error)]
pub enum NoRange {
    /// Both are one commit.
    #[error("the good and the bad revision are the same commit, {}", .0.short())]
    Same(ObjectId),
    /// The bad one came first.
    #[error("the bad revision {} is an ancestor of the good revision {}", .bad.short(), .good.short())]
    Swapped {
        /// The revision that is said to be good.
        good: ObjectId,
        /// The revision that is said to be bad.
        bad: ObjectId,
    },
    /// They have no commit in common.
    #[error("the good revision {} and the bad revision {} have no history in common", .good.short(), .bad.short())]
    Unrelated {
        /// The revision that is said to be good.
        good: ObjectId,
        /// The revision that is said to be bad.
        bad: ObjectId,
    },
    /// The commits between them were never fetched.
    #[error("the history that leads to the bad revision {} is cut off", .bad.short())]
    Shallow {
        /// The revision that is said to be bad.
        bad: ObjectId,
    },
    /// One of them is not from git.
    #[error(transparent)]
    NotACommit(#[from] NotAnObjectId),
    /// Git does not say.
    #[error(transparent)]
    Git(#[from] GitFailed),
}

impl NoRange {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            NoRange::Same(_) => "give two revisions, one that passes the test and one that fails it",
            NoRange::Swapped { .. } => {
                "if they are the wrong way round, swap them; if the test fails on the older revision and passes on \
                 the newer one, use --fix to find the change that fixed it"
            }
            NoRange::Unrelated { .. } => {
                "give a good revision that is an ancestor of the bad one, or compare the two without history: --within hunk"
            }
            NoRange::Shallow { .. } => UNSHALLOW,
            NoRange::NotACommit(_) => return None,
            NoRange::Git(failed) => return failed.hint(),
        };
        Some(hint.to_owned())
    }
}

impl Repository {
    /// The commits that lead to the bad revision and to no good one. Without a good revision, all ancestors of the bad one.
    ///
    /// # Errors
    /// If good and bad are the same, swapped or unrelated, or if the history in between was never fetched.
    pub fn range(&self, good: &[ObjectId], bad: ObjectId) -> Result<RevisionRange, NoRange> {
        if good.contains(&bad) {
            return Err(NoRange::Same(bad));
        }
        let mut arguments: Vec<String> =
            ["--topo-order", "--reverse", "--parents"].map(str::to_owned).to_vec();
        arguments.push(bad.to_string());
        arguments.extend(good.iter().map(|good| format!("^{good}")));
        let revisions = revisions(&self.git.read("rev-list", arguments)?)?;
        if revisions.is_empty() {
            return Err(self.swapped(good, bad)?);
        }
        let cut = self.is_shallow() && {
            let ends = self.shallow_ends()?;
            revisions.iter().any(|revision| ends.contains(&revision.id))
        };
        if cut {
            return Err(NoRange::Shallow { bad });
        }
        for good in good {
            if self.bases(&[*good], bad)?.is_empty() {
                let good = *good;
                return Err(match self.is_shallow() {
                    true => NoRange::Shallow { bad },
                    false => NoRange::Unrelated { good, bad },
                });
            }
        }
        let mut untested_bases = self.bases(good, bad)?;
        untested_bases.retain(|base| !good.contains(base));
        let ids = |ids: &[ObjectId]| ids.iter().copied().map(RevisionId::from).collect();
        let untested_bases = ids(&untested_bases);
        Ok(RevisionRange { good: ids(good), bad: bad.into(), untested_bases, revisions })
    }

    /// The same for revisions that are known by their opaque ids.
    ///
    /// # Errors
    /// As [`Repository::range`].
    pub fn range_of(&self, good: &[RevisionId], bad: &RevisionId) -> Result<RevisionRange, NoRange> {
        let good = good.iter().map(ObjectId::of).collect::<Result<Vec<_>, _>>()?;
        self.range(&good, ObjectId::of(bad)?)
    }

    /// The commits along the first parents that touch a path that `matters`. A merge counts with everything that it merges.
    ///
    /// # Errors
    /// If git does not say.
    pub fn touching(
        &self,
        range: &RevisionRange,
        matters: impl Fn(&[u8]) -> bool,
    ) -> Result<HashSet<RevisionId>, GitFailed> {
        let options = ["--first-parent", "-m", "--name-only", "--no-renames", "-z", "--format=format:%x01%H"];
        let mut arguments: Vec<String> = options.map(str::to_owned).to_vec();
        arguments.push(range.bad.to_string());
        arguments.extend(range.good.iter().map(|good| format!("^{good}")));
        let listed = self.git.read("log", arguments)?;
        let mut touching = HashSet::new();
        for commit in listed.split(|byte| *byte == 1).filter(|commit| !commit.is_empty()) {
            let mut words = commit.split(|byte| matches!(byte, 0 | b'\n')).filter(|word| !word.is_empty());
            let own = words.next().unwrap_or_default();
            if words.any(&matters) {
                touching.insert(id("log", own)?.into());
            }
        }
        Ok(touching)
    }

    /// The best common ancestors of a revision and a merge of all the good ones.
    fn bases(&self, good: &[ObjectId], bad: ObjectId) -> Result<Vec<ObjectId>, GitFailed> {
        if good.is_empty() {
            return Ok(Vec::new());
        }
        let commits = std::iter::once(&bad).chain(good).map(ToString::to_string);
        let arguments: Vec<String> = std::iter::once("--all".to_owned()).chain(commits).collect();
        let output = self.git.ask("merge-base", arguments)?;
        match output.status.code() {
            Some(0 | 1) => lines(&output.stdout).map(|line| id("merge-base", line)).collect(),
            _ => Err(GitFailed::refused("merge-base", &output)),
        }
    }

    /// The bad revision is an ancestor of a good one: which?
    fn swapped(&self, good: &[ObjectId], bad: ObjectId) -> Result<NoRange, GitFailed> {
        for good in good {
            let arguments = ["--is-ancestor".to_owned(), bad.to_string(), good.to_string()];
            if self.git.ask("merge-base", arguments)?.status.success() {
                return Ok(NoRange::Swapped { good: *good, bad });
            }
        }
        Ok(GitFailed::unexpected("rev-list", b"").into())
    }

    /// The commits whose parents were never fetched.
    fn shallow_ends(&self) -> Result<HashSet<RevisionId>, GitFailed> {
        let mut path = self.git.read("rev-parse", ["--git-path", "shallow"])?;
        path.pop();
        let top = self.work_tree().unwrap_or(self.git_dir());
        let ends =
            std::fs::read(top.join(Path::new(&OsString::from_vec(path)))).map_err(GitFailed::NotRun)?;
        lines(&ends).map(|line| Ok(id("rev-parse", line)?.into())).collect()
    }
}

fn revisions(listed: &[u8]) -> Result<RevisionGraph, GitFailed> {
    let revision = |line: &[u8]| {
        let mut ids = line.split(|byte| *byte == b' ').map(|hex| id("rev-list", hex).map(RevisionId::from));
        let own = ids.next().unwrap_or_else(|| Err(GitFailed::unexpected("rev-list", line)))?;
        Ok(Revision { id: own, parents: ids.collect::<Result<_, _>>()? })
    };
    Ok(RevisionGraph::new(lines(listed).map(revision).collect::<Result<_, GitFailed>>()?))
}

fn lines(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
}

fn id(command: &str, hex: &[u8]) -> Result<ObjectId, GitFailed> {
    ObjectId::from_hex(hex).map_err(|_| GitFailed::unexpected(command, hex))
}
