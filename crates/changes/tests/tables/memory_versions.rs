//! Commits in memory, with parents: `5 < 4 2: a b` is a merge of 4 and 2 with the files a and b.

use crate::tree_text::tree;
use howcome_changes::versions::revision_graph::{Revision, RevisionGraph};
use howcome_changes::versions::revision_id::RevisionId;
use howcome_changes::versions::revision_range::RevisionRange;
use howcome_changes::versions::source::{LineRevisions, VersionSource};
use howcome_changes::{Base, Tree, TreePath};
use howcome_run::{Because, CommitInfo, Problem};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Commits, parents before their children.
#[derive(Default)]
pub(crate) struct MemoryVersions {
    commits: Vec<MemoryCommit>,
}

struct MemoryCommit {
    id: RevisionId,
    parents: Vec<RevisionId>,
    base: Arc<Base>,
}

impl MemoryVersions {
    /// Adds a commit. Without parents, it follows the last one.
    pub(crate) fn add(&mut self, name: &str, parents: Option<&str>, files: &str) {
        let parents = match parents {
            Some(names) => names.split_whitespace().map(RevisionId::new).collect(),
            None => self.commits.last().map(|last| last.id.clone()).into_iter().collect(),
        };
        let base = Base::new(tree(files), name.as_bytes());
        self.commits.push(MemoryCommit { id: RevisionId::new(name), parents, base });
    }

    fn commit(&self, id: &RevisionId) -> Option<&MemoryCommit> {
        self.commits.iter().find(|commit| commit.id == *id)
    }

    /// A commit and everything that it builds on.
    fn ancestry(&self, id: &RevisionId) -> HashSet<RevisionId> {
        let mut seen = HashSet::new();
        let mut open = vec![id.clone()];
        while let Some(id) = open.pop() {
            let Some(commit) = self.commit(&id).filter(|_| !seen.contains(&id)) else { continue };
            open.extend(commit.parents.iter().cloned());
            seen.insert(id);
        }
        seen
    }

    /// The best common ancestors of a commit and others.
    fn bases(&self, good: &[RevisionId], bad: &RevisionId) -> Vec<RevisionId> {
        let good: HashSet<RevisionId> = good.iter().flat_map(|good| self.ancestry(good)).collect();
        let common: HashSet<RevisionId> = self.ancestry(bad).intersection(&good).cloned().collect();
        let is_best =
            |id: &&RevisionId| !common.iter().any(|other| other != *id && self.ancestry(other).contains(*id));
        let mut best: Vec<RevisionId> = common.iter().filter(is_best).cloned().collect();
        best.sort();
        best
    }

    /// The commits of a range that have a line which none of their parents has, or the other way round.
    fn changing(
        &self,
        range: &RevisionRange,
        path: &TreePath,
        line: &[u8],
        is_added: bool,
    ) -> Vec<RevisionId> {
        let has = |id: &RevisionId| {
            self.commit(id)
                .is_some_and(|commit| lines(commit.base.tree(), path).iter().any(|own| own == line))
        };
        let is_change = |revision: &&Revision| match is_added {
            true => has(&revision.id) && !revision.parents.iter().any(&has),
            false => !has(&revision.id) && revision.parents.iter().any(&has),
        };
        range.revisions.iter().filter(is_change).map(|revision| revision.id.clone()).collect()
    }

    fn trace(
        &self,
        (range, is_added): (&RevisionRange, bool),
        revision: &RevisionId,
        path: &TreePath,
        wanted: &[RangeInclusive<u32>],
    ) -> Vec<LineRevisions> {
        let Some(commit) = self.commit(revision) else { return Vec::new() };
        let numbered = (1..).zip(lines(commit.base.tree(), path));
        let wanted = numbered.filter(|(number, _)| wanted.iter().any(|lines| lines.contains(number)));
        let trace = |(line, text): (u32, Vec<u8>)| LineRevisions {
            line,
            revisions: self.changing(range, path, &text, is_added).into_iter().rev().take(1).collect(),
        };
        wanted.map(trace).collect()
    }
}

fn lines(tree: &Tree, path: &TreePath) -> Vec<Vec<u8>> {
    let bytes = tree.get(path).map_or_else(|| Arc::from([]), |entry| entry.contents.read().unwrap());
    bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect()
}

impl VersionSource for MemoryVersions {
    fn tree(&self, revision: &RevisionId) -> Result<Arc<Base>, Because> {
        let missing = || Because::Broken(format!("no such commit: {revision}"));
        self.commit(revision).map(|commit| Arc::clone(&commit.base)).ok_or_else(missing)
    }

    fn has_history(&self) -> bool {
        true
    }

    fn range(&self, good: &[RevisionId], bad: &RevisionId) -> Result<RevisionRange, Problem> {
        let known: HashSet<RevisionId> = good.iter().flat_map(|good| self.ancestry(good)).collect();
        let wanted = self.ancestry(bad);
        let between =
            self.commits.iter().filter(|commit| wanted.contains(&commit.id) && !known.contains(&commit.id));
        let revisions: Vec<Revision> = between
            .map(|commit| Revision { id: commit.id.clone(), parents: commit.parents.clone() })
            .collect();
        if revisions.is_empty() {
            return Err(Problem::new("nothing lies between the good and the bad commit"));
        }
        let mut untested_bases = self.bases(good, bad);
        untested_bases.retain(|base| !good.contains(base));
        let revisions = RevisionGraph::new(revisions);
        Ok(RevisionRange { good: good.to_vec(), bad: bad.clone(), untested_bases, revisions })
    }

    fn touching(
        &self,
        range: &RevisionRange,
        matters: &dyn Fn(&TreePath) -> bool,
    ) -> Result<HashSet<RevisionId>, Problem> {
        let touches = |revision: &&Revision| {
            let own = self.commit(&revision.id).map(|commit| commit.base.tree().clone()).unwrap_or_default();
            let parent = revision.parents.first().and_then(|parent| self.commit(parent));
            let parent = parent.map(|commit| commit.base.tree().clone()).unwrap_or_default();
            let differs = |path: &TreePath| lines(&own, path) != lines(&parent, path);
            own.iter().chain(parent.iter()).any(|(path, _)| matters(path) && differs(path))
        };
        Ok(range.revisions.iter().filter(touches).map(|revision| revision.id.clone()).collect())
    }

    fn added_by(
        &self,
        range: &RevisionRange,
        path: &TreePath,
        lines: &[RangeInclusive<u32>],
    ) -> Vec<LineRevisions> {
        self.trace((range, true), &range.bad, path, lines)
    }

    fn removed_by(
        &self,
        range: &RevisionRange,
        good: &RevisionId,
        path: &TreePath,
        lines: &[RangeInclusive<u32>],
    ) -> Vec<LineRevisions> {
        self.trace((range, false), good, path, lines)
    }

    fn commit_info(&self, revision: &RevisionId) -> Option<CommitInfo> {
        let commit = self.commit(revision)?;
        Some(CommitInfo { id: commit.id.to_string(), short: commit.id.short(), ..CommitInfo::default() })
    }
}
