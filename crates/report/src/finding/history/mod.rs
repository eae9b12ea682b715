//! A walk back through the revisions of a program in words: iterative delta debugging.

mod answer;
mod line;
pub(crate) mod patches;
pub(crate) mod progress;
mod sections;
pub(crate) mod sizes;
mod skipped;

use crate::finding::changes::{ChangesReport, CommitWords};
use howcome_run::HistoryFinding;
use howcome_run::words::{count, cut, printable};
use std::ops::Deref;

/// What `howcome history` found. Its fields are those of the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HistoryReport {
    record: HistoryFinding,
    /// The cause, if there is one.
    pub(crate) cause: Option<ChangesReport>,
}

impl Deref for HistoryReport {
    type Target = HistoryFinding;

    fn deref(&self) -> &HistoryFinding {
        &self.record
    }
}

const NAME_WIDTH: usize = 120;

/// The name of a revision, printable.
pub(crate) fn name(revision: &str) -> String {
    cut(&printable(revision), NAME_WIDTH)
}

impl HistoryReport {
    pub(crate) fn new(mut record: HistoryFinding) -> Self {
        let cause = record.cause.take();
        let mut history = Self { record, cause: None };
        history.cause = cause.map(|cause| {
            let with = if history.patch().is_some() { " with the patch" } else { "" };
            let side = |side: Option<String>, otherwise: &str| {
                format!("{}{with}", side.unwrap_or_else(|| otherwise.to_owned()))
            };
            let passing = side(history.passing(), "the last revision that passes");
            let failing = side(history.failing(), "the first revision that fails");
            ChangesReport::new(cause).between(passing, failing)
        });
        history
    }

    /// The revision whose failure is in question: `HEAD`.
    pub(crate) fn newest(&self) -> String {
        known(&self.bad).map_or_else(|| "the newest revision".to_owned(), name)
    }

    /// The oldest revision.
    pub(crate) fn oldest(&self) -> Option<String> {
        known(&self.oldest).map(name)
    }

    /// The last revision that passes, by its short name.
    pub(crate) fn passing(&self) -> Option<String> {
        self.passing_commit
            .as_ref()
            .map(CommitWords::short)
            .or_else(|| known(&self.passing_revision).map(name))
    }

    /// The first revision that fails, by its short name; before the end, the oldest one that is known to fail.
    pub(crate) fn failing(&self) -> Option<String> {
        self.failing_commit
            .as_ref()
            .map(CommitWords::short)
            .or_else(|| known(&self.failing_revision).map(name))
    }

    /// The first revision that fails, with the first line of its message.
    pub(crate) fn failing_in_full(&self) -> Option<String> {
        self.failing_commit.as_ref().map(CommitWords::name).or_else(|| self.failing())
    }

    /// The back-ported patch, without which the test does not work there.
    pub(crate) fn patch(&self) -> Option<&str> {
        known(&self.backported)
    }

    /// The patch that fixes the newest revision: a test showed it.
    pub(crate) fn forward(&self) -> Option<&str> {
        known(&self.forward)
    }

    /// The revision that the patch applies to.
    pub(crate) fn patched(&self) -> Option<String> {
        let of_answer = || self.passing().or_else(|| Some(name(&self.never_worked.as_ref()?.revision)));
        known(&self.backported_onto).map(name).or_else(of_answer)
    }

    /// `a back-ported patch of 4 lines`, if there is one.
    pub(crate) fn patch_in_words(&self) -> Option<String> {
        self.patch()?;
        Some(match (self.backported_lines, self.backported_hunks) {
            (0, 0) => "a back-ported patch".to_owned(),
            (0, hunks) => format!("a back-ported patch of {}", count(hunks, "hunk")),
            (lines, _) => format!("a back-ported patch of {}", count(lines, "line")),
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
