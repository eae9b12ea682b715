//! Lines that are shown literally: source, items, patches.

use crate::finding::changes::CommitWords;
use howcome_run::CommitInfo;

/// A list of lines to be shown literally.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exhibit {
    /// What the lines are, if the headline does not say it.
    pub caption: Option<String>,
    /// The language of the lines, for formats that can colour them: `diff`, `json`.
    pub language: Option<&'static str>,
    /// The lines, without any character that a terminal acts on.
    pub lines: Vec<String>,
    /// What each line of a diff is; empty for anything else.
    pub marks: Vec<DiffMark>,
    /// The commit that the lines come from.
    pub commit: Option<CommitInfo>,
    /// Whether it is one of several parts of an answer, so that the commit is named before the lines.
    pub is_part: bool,
    /// Whether it is the answer, or a part of it. Other exhibits get less room.
    pub is_answer: bool,
    /// Whether no empty line separates it from the text above and below, as in a table.
    pub is_close: bool,
}

/// The kind of a line of a diff, with the line number if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffMark {
    /// It names the place of the next lines.
    Place,
    /// It is on both sides, or a remark about the line before.
    Context(Option<u64>),
    /// It is removed, at this line of the good version.
    Removed(Option<u64>),
    /// It is added, at this line of the bad version.
    Added(Option<u64>),
}

impl Exhibit {
    /// Lines of a diff.
    pub(crate) fn diff(lines: Vec<(DiffMark, String)>) -> Self {
        let (marks, lines) = lines.into_iter().unzip();
        Self { language: Some("diff"), marks, lines, ..Self::default() }
    }

    /// What to write before the lines.
    #[must_use]
    pub fn heading(&self) -> Option<String> {
        let commit = self.commit.as_ref().filter(|_| self.is_part);
        let from = commit.map(|commit| format!("from commit {}", commit.title()));
        let parts: Vec<String> = self.caption.iter().cloned().chain(from).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The commit that the lines come from, as a sentence after them, unless the heading names it.
    #[must_use]
    pub fn source(&self) -> Option<String> {
        let commit = self.commit.as_ref().filter(|_| !self.is_part)?;
        Some(format!("It comes from commit {}.", commit.title()))
    }
}
