//! The way back through the revisions of a program, as a finding records it: iterative delta debugging.

pub(crate) mod answer;
pub(crate) mod line;
pub(crate) mod progress;
pub(crate) mod sections;
pub(crate) mod skipped;

use crate::finding::changes::Cause;
use crate::finding::changes::commit::Commit;
use crate::lenient::{how_many, lenient, lenient_list};
use howcome_run::words::{count, cut, printable};
use serde::Deserialize;
use serde_json::Value;

/// What `howcome history` finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct History {
    #[serde(deserialize_with = "lenient")]
    bad: Option<String>,
    #[serde(deserialize_with = "lenient")]
    oldest: Option<String>,
    /// How many there are from the oldest to the bad one, both included.
    #[serde(deserialize_with = "how_many")]
    pub(crate) revisions: u64,
    #[serde(deserialize_with = "lenient")]
    passing_revision: Option<String>,
    #[serde(deserialize_with = "lenient")]
    failing_revision: Option<String>,
    #[serde(deserialize_with = "lenient")]
    passing_commit: Option<Commit>,
    #[serde(deserialize_with = "lenient")]
    failing_commit: Option<Commit>,
    #[serde(deserialize_with = "how_many")]
    pub(crate) revisions_tried: u64,
    #[serde(deserialize_with = "how_many")]
    pub(crate) skipped: u64,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) skipped_revisions: Vec<Skipped>,
    #[serde(deserialize_with = "lenient")]
    backported: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) backported_file: Option<String>,
    #[serde(deserialize_with = "lenient")]
    backported_onto: Option<String>,
    #[serde(deserialize_with = "how_many")]
    pub(crate) backported_lines: u64,
    #[serde(deserialize_with = "how_many")]
    pub(crate) backported_hunks: u64,
    /// Whether each of its lines was tried to be left out, in vain.
    #[serde(deserialize_with = "lenient")]
    pub(crate) backported_minimal: bool,
    /// Where a patch had to be made, the newest first.
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) patches: Vec<Made>,
    #[serde(skip)]
    pub(crate) cause: Option<Cause>,
    #[serde(deserialize_with = "lenient")]
    forward: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) forward_file: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) forward_why: Option<String>,
    /// The revision at which the way forward came to an end.
    #[serde(deserialize_with = "lenient")]
    pub(crate) forward_at: Option<String>,
    /// Where the way forward needed more changes.
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) forward_steps: Vec<Made>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) never_worked: Option<NeverWorked>,
    /// Where patches have to be applied, if the user was not there.
    #[serde(deserialize_with = "lenient")]
    pub(crate) patch_top: Option<String>,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) tried: Vec<Tried>,
}

/// A revision that could not be tested at all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Skipped {
    #[serde(deserialize_with = "lenient")]
    pub(crate) revision: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) why: String,
}

/// A revision at which a patch had to be made, or had to be made anew.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Made {
    #[serde(deserialize_with = "lenient")]
    pub(crate) revision: String,
    /// The one that its changes were taken from.
    #[serde(deserialize_with = "lenient")]
    pub(crate) newer: String,
    /// How it ended without them.
    #[serde(deserialize_with = "lenient")]
    pub(crate) because: String,
    #[serde(deserialize_with = "how_many")]
    pub(crate) hunks: u64,
    #[serde(deserialize_with = "how_many")]
    pub(crate) files: u64,
    /// Whether fewer of them would not have done; otherwise they are all that the newer one has.
    #[serde(deserialize_with = "lenient")]
    pub(crate) least: Option<bool>,
    /// Its place in history, where the record has it.
    #[serde(deserialize_with = "lenient")]
    pub(crate) index: Option<u64>,
}

/// The oldest revision fails, too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct NeverWorked {
    #[serde(deserialize_with = "lenient")]
    pub(crate) revision: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) because: String,
    /// Whether it does so with all changes of the commits that the patch comes from, where that was tested.
    #[serde(deserialize_with = "lenient")]
    pub(crate) whole: Option<bool>,
    /// How many of the lines that these commits change fit there and were tested with it.
    #[serde(deserialize_with = "lenient")]
    pub(crate) lines: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) lines_of: Option<u64>,
}

/// A revision that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Tried {
    /// Counted from the oldest one, which is 0.
    pub(crate) index: u64,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) outcome: String,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) revision: String,
}

const NAME_WIDTH: usize = 60;

/// The name of a revision, fit to be shown.
pub(crate) fn name(revision: &str) -> String {
    cut(&printable(revision), NAME_WIDTH)
}

impl History {
    /// `None` where the finding is of another shape.
    pub(crate) fn of(json: &Value) -> Option<Self> {
        let known = ["failing_revision", "passing_revision", "never_worked", "revisions"];
        known.iter().find(|field| json.get(field).is_some())?;
        let mut history = Self::deserialize(json).ok()?;
        let nameless = |commit: &Commit| commit.id.is_empty() && commit.short.is_empty();
        history.passing_commit = history.passing_commit.filter(|commit| !nameless(commit));
        history.failing_commit = history.failing_commit.filter(|commit| !nameless(commit));
        history.never_worked = history.never_worked.filter(|never| *never != NeverWorked::default());
        history.cause = json.get("cause").and_then(Cause::of).map(|cause| {
            let with = if history.patch().is_some() { " with the patch" } else { "" };
            let side = |side: Option<String>, otherwise: &str| {
                format!("{}{with}", side.unwrap_or_else(|| otherwise.to_owned()))
            };
            let passing = side(history.passing(), "the last revision that passes");
            let failing = side(history.failing(), "the first revision that fails");
            cause.between(passing, failing)
        });
        Some(history)
    }

    /// The revision whose failure is in question: `HEAD`.
    pub(crate) fn newest(&self) -> String {
        known(&self.bad).map_or_else(|| "the newest revision".to_owned(), name)
    }

    /// The oldest one that could be tried.
    pub(crate) fn oldest(&self) -> Option<String> {
        known(&self.oldest).map(name)
    }

    /// The last one that works, by its short name.
    pub(crate) fn passing(&self) -> Option<String> {
        self.passing_commit.as_ref().map(Commit::short).or_else(|| known(&self.passing_revision).map(name))
    }

    /// The first one that fails, by its short name; before the end, the oldest one that is known to fail.
    pub(crate) fn failing(&self) -> Option<String> {
        self.failing_commit.as_ref().map(Commit::short).or_else(|| known(&self.failing_revision).map(name))
    }

    /// The first one that fails, with the first line of its message.
    pub(crate) fn failing_in_full(&self) -> Option<String> {
        self.failing_commit.as_ref().map(Commit::name).or_else(|| self.failing())
    }

    /// What had to be carried back for the test to mean anything.
    pub(crate) fn patch(&self) -> Option<&str> {
        known(&self.backported)
    }

    /// What mends the newest revision: a test showed it.
    pub(crate) fn forward(&self) -> Option<&str> {
        known(&self.forward)
    }

    /// The revision that the patch is for.
    pub(crate) fn patched(&self) -> Option<String> {
        let of_answer = || self.passing().or_else(|| Some(name(&self.never_worked.as_ref()?.revision)));
        known(&self.backported_onto).map(name).or_else(of_answer)
    }

    /// `a patch of 4 lines back-ported`, where there is one.
    pub(crate) fn patch_in_words(&self) -> Option<String> {
        self.patch()?;
        Some(match (self.backported_lines, self.backported_hunks) {
            (0, 0) => "a patch back-ported".to_owned(),
            (0, hunks) => format!("a patch of {} back-ported", count(hunks, "hunk")),
            (lines, _) => format!("a patch of {} back-ported", count(lines, "line")),
        })
    }

    /// Whether git knows the revisions.
    pub(crate) fn is_in_git(&self) -> bool {
        self.passing_commit.is_some() || self.failing_commit.is_some() || self.patch_top.is_some()
    }
}

fn known(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.is_empty())
}
