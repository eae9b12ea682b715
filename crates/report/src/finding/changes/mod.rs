//! What is said about the changes that make the difference between two versions.

mod answer;
mod change;
mod commit;
pub(crate) mod confirmation;
mod evidence;
mod hunk;
pub(crate) mod patch;

pub(crate) use change::{ChangeWords, joined};
pub(crate) use commit::CommitWords;

use howcome_run::words::{cut_middle, printable};
use howcome_run::{ChangesFinding, CommitInfo, FoundChange, PatchBase, Unit};
use std::ops::Deref;

/// Of a longer name of a version both ends are shown.
const VERSION: usize = 40;

/// What `howcome changes` found. Its fields are those of the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangesReport {
    record: ChangesFinding,
    /// Further causes, each found with those before it undone.
    pub(crate) further: Vec<ChangesReport>,
    /// The names of the two versions, if they are revisions of a history.
    sides: Option<(String, String)>,
}

impl Deref for ChangesReport {
    type Target = ChangesFinding;

    fn deref(&self) -> &ChangesFinding {
        &self.record
    }
}

impl ChangesReport {
    pub(crate) fn new(mut record: ChangesFinding) -> Self {
        let mut further = std::mem::take(&mut record.further);
        // The finding describes each commit once, with the first cause that names it.
        for further in &mut further {
            further.commits.extend_from_slice(&record.commits);
        }
        Self { record, further: further.into_iter().map(Self::new).collect(), sides: None }
    }

    /// The same between two revisions of a history. The patch can be removed from the second one.
    pub(crate) fn between(self, passing: String, failing: String) -> Self {
        let record = ChangesFinding { patch_for: None, ..self.record };
        Self { record, sides: Some((passing, failing)), ..self }
    }

    /// This cause and the further ones.
    pub(crate) fn all(&self) -> impl Iterator<Item = &ChangesReport> {
        std::iter::once(self).chain(&self.further)
    }

    /// The commits that the changes come from, in their order, each with its changes. The commit is `None` if it is unknown.
    pub(crate) fn by_commit(&self) -> Vec<(Option<CommitInfo>, Vec<&FoundChange>)> {
        let mut groups: Vec<(Option<&str>, Vec<&FoundChange>)> = Vec::new();
        for change in &self.changes {
            let id = self.origin(change);
            match groups.iter_mut().find(|(known, _)| *known == id) {
                Some((_, changes)) => changes.push(change),
                None => groups.push((id, vec![change])),
            }
        }
        if groups.is_empty() {
            groups.extend(self.commit.as_deref().map(|id| (Some(id), Vec::new())));
        }
        groups.into_iter().map(|(id, changes)| (id.map(|id| self.named(id)), changes)).collect()
    }

    /// The commit that one of the changes comes from.
    pub(crate) fn commit_of(&self, change: &FoundChange) -> Option<CommitInfo> {
        self.origin(change).map(|id| self.named(id))
    }

    /// The commit that a change it needs comes from.
    pub(crate) fn commit_of_need(&self, need: &FoundChange) -> Option<CommitInfo> {
        need.commit.as_deref().map(|id| self.named(id))
    }

    fn origin<'a>(&'a self, change: &'a FoundChange) -> Option<&'a str> {
        change.commit.as_deref().or(self.commit.as_deref())
    }

    fn named(&self, id: &str) -> CommitInfo {
        let known = self.commits.iter().chain(&self.suspects).find(|commit| commit.id == id);
        known.cloned().unwrap_or_else(|| CommitInfo { id: id.to_owned(), ..CommitInfo::default() })
    }

    /// `v1.0`, or without a name `the good version`; with `--fix`, `the old version`.
    pub(crate) fn good_version(&self) -> String {
        let own = || version(if self.fix { "old" } else { "good" }, self.good.as_deref());
        self.sides.as_ref().map_or_else(own, |(passing, _)| passing.clone())
    }

    /// `HEAD`, or without a name `the bad version`; with `--fix`, `the new version`.
    pub(crate) fn bad_version(&self) -> String {
        let own = || version(if self.fix { "new" } else { "bad" }, self.bad.as_deref());
        self.sides.as_ref().map_or_else(own, |(_, failing)| failing.clone())
    }

    /// Whether later changes touch the same lines, so that the patch can only be removed from its commit.
    pub(crate) fn is_covered(&self) -> bool {
        self.patch_for == Some(PatchBase::Commit)
    }

    /// The version that the patch can be removed from.
    pub(crate) fn taken_from(&self) -> String {
        match (self.is_covered(), self.by_commit().as_slice()) {
            (false, _) => self.bad_version(),
            (true, [(Some(commit), _)]) => format!("commit {}", commit.short()),
            (true, _) => "its commit".to_owned(),
        }
    }

    /// What the test does with it: `fail`, or with `--fix` `pass`.
    pub(crate) fn effect(&self) -> &'static str {
        if self.fix { "pass" } else { "fail" }
    }

    /// Whether there is nothing that could be removed, in the unit of the search.
    pub(crate) fn is_single(&self, unit: Unit) -> bool {
        match unit {
            Unit::Commit => self.by_commit().len() < 2,
            Unit::Hunk => self.hunks < 2,
            _ => self.lines_removed.saturating_add(self.lines_added) < 2 && self.changes.len() < 2,
        }
    }
}

fn version(which: &str, name: Option<&str>) -> String {
    match name {
        // The path of a folder does not fit into a line of the proof.
        Some(name) if !name.is_empty() && !name.starts_with('/') => cut_middle(&printable(name), VERSION),
        _ => format!("the {which} version"),
    }
}
