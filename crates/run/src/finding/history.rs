//! The first revision that fails, found by walking back through history with a back-ported patch.

use super::{ChangesFinding, CommitInfo};
use serde::{Deserialize, Serialize};

/// What `howcome history` finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HistoryFinding {
    /// The revision whose failure is in question.
    pub bad: Option<String>,
    /// The oldest revision.
    pub oldest: Option<String>,
    /// How many revisions there are from the oldest to the bad one, both included.
    pub revisions: u64,
    /// The last revision that passes.
    pub passing_revision: Option<String>,
    /// The first revision that fails. Before the end of the search, the oldest revision that is known to fail.
    pub failing_revision: Option<String>,
    /// The position of `passing_revision`, counted from the oldest revision, which is 0.
    pub passing_index: Option<u64>,
    /// The position of `failing_revision`.
    pub failing_index: Option<u64>,
    /// The commit of `passing_revision`.
    pub passing_commit: Option<CommitInfo>,
    /// The commit of `failing_revision`.
    pub failing_commit: Option<CommitInfo>,
    /// How many revisions were tested or skipped.
    pub revisions_tried: u64,
    /// How many revisions were skipped.
    pub skipped: u64,
    /// The revisions that were skipped.
    pub skipped_revisions: Vec<SkippedRevision>,
    /// The back-ported patch.
    pub backported: Option<String>,
    /// The file that the back-ported patch is written to.
    pub backported_file: Option<String>,
    /// The revision that the back-ported patch applies to.
    pub backported_onto: Option<String>,
    /// How many lines the back-ported patch removes and adds.
    pub backported_lines: u64,
    /// How many hunks the back-ported patch has.
    pub backported_hunks: u64,
    /// Whether removing each single line of the back-ported patch was tried, and every line is needed.
    pub backported_minimal: bool,
    /// The revisions for which a patch was made, the newest first.
    pub patches: Vec<PatchMade>,
    /// The changes between the last revision that passes and the first that fails which make the difference.
    pub cause: Option<ChangesFinding>,
    /// The patch that fixes the bad revision.
    pub forward: Option<String>,
    /// The file that this patch is written to.
    pub forward_file: Option<String>,
    /// Why there is no such patch.
    pub forward_why: Option<String>,
    /// The revision at which the search for such a patch ended.
    pub forward_at: Option<String>,
    /// The revisions at which the patch needed more changes.
    pub forward_steps: Vec<ForwardStep>,
    /// How many lines the patch undoes besides those of the cause, because these are not whole statements.
    pub forward_other_lines: u64,
    /// After how many tests the search for patches ended, if it did not get back to a revision that passes.
    pub patches_ended_after: Option<u64>,
    /// Set if it fails in every revision since what the test needs exists, and nothing is known about older ones.
    pub fails_since: Option<FailsSince>,
    /// Set if even the oldest revision fails.
    pub never_worked: Option<NeverWorked>,
    /// The revisions that were tested or skipped, the oldest first.
    pub tried: Vec<RevisionTried>,
    /// The folder in which `git apply` has to be run, if the user was in another one.
    pub patch_top: Option<String>,
}

/// A revision that could not be tested at all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SkippedRevision {
    /// Its name.
    pub revision: String,
    /// Why it was skipped.
    pub why: String,
}

/// A patch that was made because a revision does not fail in the same way without it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PatchMade {
    /// The revision.
    pub revision: String,
    /// Its position in history, counted from the oldest revision, which is 0.
    pub index: Option<u64>,
    /// The newer revision that the changes were taken from.
    pub newer: String,
    /// How the revision ended without them.
    pub because: Option<String>,
    /// How many hunks the patch has.
    pub hunks: u64,
    /// How many files it touches.
    pub files: u64,
    /// How many lines it removes and adds.
    pub lines: u64,
    /// Whether fewer changes are not enough. If not, the patch has all changes of the newer revision.
    pub least: Option<bool>,
}

/// A revision at which the patch that fixes the failure needed more changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ForwardStep {
    /// The revision.
    pub revision: String,
    /// How many hunks the patch has there.
    pub hunks: u64,
}

/// The oldest revision that has what the test needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FailsSince {
    /// The revision.
    pub revision: String,
    /// Its number, counted from the oldest revision, which is 1.
    pub number: u64,
}

/// Even the oldest revision fails.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NeverWorked {
    /// The revision.
    pub revision: String,
    /// How it ended.
    pub because: String,
    /// Whether it also fails with all changes of the commits that the patch comes from, if that was tested.
    pub whole: Option<bool>,
    /// How many of the lines that these commits change apply there and were tested.
    pub lines: Option<u64>,
    /// How many lines these commits change.
    pub lines_of: Option<u64>,
    /// The oldest revision in which the test runs as it is, if it does not run in older ones.
    pub runs_since: Option<String>,
    /// Why the test did not run in older revisions.
    pub did_not_run: Option<String>,
}

/// A revision that was tested or skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevisionTried {
    /// Its position in history, counted from the oldest revision, which is 0.
    pub index: u64,
    /// What came of it.
    #[serde(default)]
    pub outcome: RevisionOutcome,
}

/// What is known of a revision. An outcome that says more comes before one that says less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RevisionOutcome {
    /// It passes, perhaps with a patch.
    Pass,
    /// It fails in the same way as the bad revision, perhaps with a patch.
    Fail,
    /// It neither passes nor fails in the same way as the bad revision.
    Otherwise,
    /// It could not be tested at all.
    Skipped,
    /// A newer version of howcome recorded an outcome that this one does not know.
    #[default]
    #[serde(other)]
    Unknown,
}
