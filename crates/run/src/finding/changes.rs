//! The changes between two versions that make the test fail.

use crate::EndedStage;
use serde::{Deserialize, Serialize};

/// What `howcome changes` finds: a cause, and with `--all` further causes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChangesFinding {
    /// The commit that the changes come from, if it is a single one.
    pub commit: Option<String>,
    /// How many files the changes touch.
    pub files: u64,
    /// How many changes there are.
    pub hunks: u64,
    /// How many lines they remove.
    pub lines_removed: u64,
    /// How many lines they add.
    pub lines_added: u64,
    /// Other changes that these build on.
    pub needs: Vec<FoundChange>,
    /// The changes as a patch.
    pub patch: String,
    /// The file that the patch is written to.
    pub patch_file: Option<String>,
    /// How much was varied when the search began.
    pub of: ChangeExtent,
    /// The name of the good version.
    pub good: Option<String>,
    /// The name of the bad version.
    pub bad: Option<String>,
    /// The folder in which `git apply` has to be run, if the user was in another one.
    pub top: Option<String>,
    /// The folder of the bad version, if it is a folder.
    pub bad_folder: Option<String>,
    /// Whether the question was which changes fixed the failure.
    pub fix: bool,
    /// The changes.
    pub changes: Vec<FoundChange>,
    /// The version from which the patch can be removed.
    pub patch_for: Option<PatchBase>,
    /// What was seen when the changes were tested at the commit that they come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_commit: Option<CommitCheck>,
    /// Whether that was seen in mixes of the versions before and after the commit, not in these versions themselves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_mix: bool,
    /// The stages whose searches a limit has ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended_stages: Vec<EndedStage>,
    /// If the commits could not be told apart, all of them: the changes come from one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suspects: Vec<CommitInfo>,
    /// The commits that the changes name.
    pub commits: Vec<CommitInfo>,
    /// Further causes, each found with those before it undone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<ChangesFinding>,
}

/// What was seen when changes were tested at the commit that they come from. The version before the commit fails with them, unless
/// it says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CommitCheck {
    /// Without them, the commit passes.
    Holds,
    /// Without them, the commit passes. The version before it does not fail with nothing but them.
    Decides,
    /// Together with other changes they can be undone, and then the commit passes.
    HoldsWithOthers,
    /// Without them, the commit cannot be judged.
    Unknown,
    /// Without them, the commit still fails.
    Refuted,
}

/// The version from which a patch can be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PatchBase {
    /// The bad version.
    Bad,
    /// Only the commit that the changes come from: later changes touch the same lines.
    Commit,
}

/// How much differs between the good and the bad version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeExtent {
    /// Hunks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunks: Option<u64>,
    /// Files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
    /// Commits, if there is a history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commits: Option<u64>,
}

/// Lines that a change removes and adds, or something else that it does to a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundChange {
    /// The file.
    pub path: String,
    /// The first line in the good version.
    #[serde(default)]
    pub old_line: Option<u64>,
    /// The first line in the bad version. If lines are only removed, the line that they were before.
    #[serde(default)]
    pub new_line: Option<u64>,
    /// The lines that it removes.
    #[serde(default)]
    pub removed: Vec<String>,
    /// The lines that it adds.
    #[serde(default)]
    pub added: Vec<String>,
    /// The change in words.
    #[serde(default)]
    pub what: Option<String>,
    /// The commit that it comes from.
    #[serde(default)]
    pub commit: Option<String>,
    /// The hunk that it is a part of, with unchanged lines around it. Empty if the file changed as a whole, and in old records.
    /// Changes of the same hunk have the same lines here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hunk: Vec<HunkLine>,
}

/// A line of a hunk: removed if it has only an old number, added if it has only a new one, otherwise unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HunkLine {
    /// The number in the version without the hunk.
    pub old: Option<u64>,
    /// The number in the version with the hunk.
    pub new: Option<u64>,
    /// The line, without its end unless the ends of the lines differ.
    pub text: String,
    /// Whether it is one of the lines that make the difference.
    pub decides: bool,
}

/// Who committed something, when and why. Unknown fields are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CommitInfo {
    /// The full id.
    pub id: String,
    /// The abbreviated id.
    pub short: String,
    /// The name of the author.
    pub author: String,
    /// The address of the author.
    pub email: String,
    /// The day on which it was written: `2026-03-02`.
    pub date: String,
    /// The first line of the message.
    pub subject: String,
}
