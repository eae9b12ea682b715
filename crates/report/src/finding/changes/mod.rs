//! The changes that make the difference between two versions, as a finding records them.

pub(crate) mod answer;
pub(crate) mod change;
pub(crate) mod commit;
pub(crate) mod confirmation;
pub(crate) mod evidence;
pub(crate) mod patch;

use crate::finding::changes::change::Change;
use crate::finding::changes::commit::Commit;
use crate::lenient::{how_many, lenient, lenient_list};
use howcome_run::Unit;
use howcome_run::words::printable;
use serde::Deserialize;
use serde_json::Value;

/// What `howcome changes` finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Cause {
    #[serde(deserialize_with = "lenient")]
    commit: Option<String>,
    #[serde(deserialize_with = "how_many")]
    pub(crate) files: u64,
    #[serde(deserialize_with = "how_many")]
    pub(crate) hunks: u64,
    #[serde(deserialize_with = "how_many")]
    pub(crate) lines_removed: u64,
    #[serde(deserialize_with = "how_many")]
    pub(crate) lines_added: u64,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) changes: Vec<Change>,
    /// Other changes that it builds on.
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) needs: Vec<Change>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) patch: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) patch_file: Option<String>,
    #[serde(deserialize_with = "lenient")]
    patch_for: Option<String>,
    /// Where git takes the paths of a patch from, if the user was not there.
    #[serde(deserialize_with = "lenient")]
    pub(crate) top: Option<String>,
    /// Where the bad version is, if it is a folder.
    #[serde(deserialize_with = "lenient")]
    pub(crate) bad_folder: Option<String>,
    /// Those that the changes name.
    #[serde(deserialize_with = "lenient_list")]
    commits: Vec<Commit>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) of: Extent,
    #[serde(deserialize_with = "lenient")]
    good: Option<String>,
    #[serde(deserialize_with = "lenient")]
    bad: Option<String>,
    /// Whether the question was what mended it.
    #[serde(rename = "fix", deserialize_with = "lenient")]
    pub(crate) is_mend: bool,
    /// Commits that cannot be told apart, one of which it is.
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) suspects: Vec<Commit>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) undecided: Option<String>,
    /// Other causes, each found after undoing those before.
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) further: Vec<Cause>,
    /// How the two versions are called, where they are no good and no bad one.
    #[serde(skip)]
    sides: Option<(String, String)>,
}

/// How much was varied at first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Extent {
    #[serde(deserialize_with = "lenient")]
    pub(crate) commits: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) hunks: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) files: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) lines: Option<u64>,
}

impl Cause {
    /// `None` where the finding is of another shape.
    pub(crate) fn of(json: &Value) -> Option<Self> {
        ["changes", "hunks", "patch", "suspects"].iter().find(|field| json.get(field).is_some())?;
        let mut cause = Self::deserialize(json).ok()?;
        // What is known of a commit need not be repeated for each cause.
        for further in &mut cause.further {
            further.commits.extend_from_slice(&cause.commits);
        }
        Some(cause)
    }

    /// The same between two versions that are called otherwise, the second of which it can be taken from.
    pub(crate) fn between(self, passing: String, failing: String) -> Self {
        Self { sides: Some((passing, failing)), patch_for: None, ..self }
    }

    /// This one, and the further ones.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Cause> {
        std::iter::once(self).chain(&self.further)
    }

    /// The commits that the changes come from, in their order, each with its changes. `None` is where that is not known.
    pub(crate) fn by_commit(&self) -> Vec<(Option<Commit>, Vec<&Change>)> {
        let mut groups: Vec<(Option<&str>, Vec<&Change>)> = Vec::new();
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
    pub(crate) fn commit_of(&self, change: &Change) -> Option<Commit> {
        self.origin(change).map(|id| self.named(id))
    }

    /// The commit that something it needs comes from.
    pub(crate) fn commit_of_need(&self, need: &Change) -> Option<Commit> {
        need.commit.as_deref().map(|id| self.named(id))
    }

    fn origin<'a>(&'a self, change: &'a Change) -> Option<&'a str> {
        change.commit.as_deref().or(self.commit.as_deref())
    }

    fn named(&self, id: &str) -> Commit {
        let known = self.commits.iter().chain(&self.suspects).find(|commit| commit.id == id);
        known.cloned().unwrap_or_else(|| Commit::unknown(id))
    }

    /// `the good version (v1.0)`, or where a mend was looked for, `the old version (v1.0)`.
    pub(crate) fn good_version(&self) -> String {
        let own = || version(if self.is_mend { "old" } else { "good" }, self.good.as_deref());
        self.sides.as_ref().map_or_else(own, |(passing, _)| passing.clone())
    }

    /// `the bad version (HEAD)`, or where a mend was looked for, `the new version (HEAD)`.
    pub(crate) fn bad_version(&self) -> String {
        let own = || version(if self.is_mend { "new" } else { "bad" }, self.bad.as_deref());
        self.sides.as_ref().map_or_else(own, |(_, failing)| failing.clone())
    }

    /// Whether later changes touch the same lines, so that it comes off its commit only.
    pub(crate) fn is_covered(&self) -> bool {
        self.patch_for.as_deref() == Some("commit")
    }

    /// What the patch can be taken from.
    pub(crate) fn taken_from(&self) -> String {
        match (self.is_covered(), self.by_commit().as_slice()) {
            (false, _) => self.bad_version(),
            (true, [(Some(commit), _)]) => format!("commit {}", commit.short()),
            (true, _) => "the commit that it came with".to_owned(),
        }
    }

    /// What the test does with it: `fail`, or `pass` where a mend was looked for.
    pub(crate) fn effect(&self) -> &'static str {
        if self.is_mend { "pass" } else { "fail" }
    }

    /// Whether there is nothing that could be taken away, in the unit of the search.
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
        Some(name) if !name.is_empty() => format!("the {which} version ({})", printable(name)),
        _ => format!("the {which} version"),
    }
}

/// Changes, those that follow each other without a line between them as one.
pub(crate) fn joined<'a>(changes: impl IntoIterator<Item = &'a Change>) -> Vec<Change> {
    let mut joined: Vec<Change> = Vec::new();
    for change in changes {
        match joined.last_mut() {
            Some(last) if last.is_followed_by(change) => last.append(change),
            _ => joined.push(change.clone()),
        }
    }
    joined
}
