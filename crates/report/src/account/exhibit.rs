//! What an answer names, as lines to be shown literally.

use crate::finding::changes::CommitWords;
use howcome_run::CommitInfo;

/// A list of lines to be shown literally.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exhibit {
    /// What the lines are, where the headline does not say it.
    pub caption: Option<String>,
    /// What language they are in, for those who can colour it: `diff`, `json`.
    pub language: Option<&'static str>,
    /// The lines; they hold nothing that a terminal would act upon.
    pub lines: Vec<String>,
    /// What each line of a diff is; empty for anything else.
    pub marks: Vec<DiffMark>,
    /// The commit that the lines come from.
    pub commit: Option<CommitInfo>,
    /// Whether it is one of several parts of an answer, so that one wants to know the commit before the lines.
    pub is_part: bool,
    /// Whether it is the answer, or part of it. Other things get less room.
    pub is_answer: bool,
    /// Whether its lines follow what is above and below them without a gap, as one table.
    pub is_close: bool,
}

/// What a line of a diff is, with its number where that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffMark {
    /// It says where the next lines are.
    Place,
    /// It is there on both sides, or says something about the line before.
    Context(Option<u64>),
    /// It went, from this line of the good version.
    Removed(Option<u64>),
    /// It came, at this line of the bad version.
    Added(Option<u64>),
}

impl Exhibit {
    /// Lines of which each is known for what it is.
    pub(crate) fn diff(lines: Vec<(DiffMark, String)>) -> Self {
        let (marks, lines) = lines.into_iter().unzip();
        Self { language: Some("diff"), marks, lines, ..Self::default() }
    }

    /// What to say before the lines where there is no other room for the commit.
    #[must_use]
    pub fn heading(&self) -> Option<String> {
        let commit = self.commit.as_ref().filter(|_| self.is_part);
        let from = commit.map(|commit| format!("from commit {}", commit.title()));
        let parts: Vec<String> = self.caption.iter().cloned().chain(from).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Where the lines come from, as a sentence to say after them, unless the heading says it.
    #[must_use]
    pub fn source(&self) -> Option<String> {
        let commit = self.commit.as_ref().filter(|_| !self.is_part)?;
        Some(format!("It comes from commit {}.", commit.title()))
    }
}
