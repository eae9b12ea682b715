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
    /// Which lines decide, if a diff shows other changed lines too; otherwise empty, or nowhere true.
    pub deciding: Vec<bool>,
    /// Whether the lines are whole hunks, so that their numbers help. In other diffs only some lines have one.
    pub is_numbered: bool,
    /// The commit that the lines come from.
    pub commit: Option<CommitInfo>,
    /// Whether it is one of several parts of an answer, so that the commit is named before the lines.
    pub is_part: bool,
    /// Whether it is the answer, or a part of it. Other exhibits get less room.
    pub is_answer: bool,
    /// Whether no empty line separates it from the text above and below, as in a table.
    pub is_close: bool,
}

/// A line of an exhibit for formats that write numbers and marks into the text.
pub(crate) struct NumberedLine<'a> {
    /// The number, or blanks, as wide as the widest number; empty if there are no numbers.
    pub(crate) number: String,
    /// `> ` before a deciding line and blanks before the others; empty if nothing is marked.
    pub(crate) margin: &'static str,
    /// The line.
    pub(crate) line: &'a str,
    /// What it is.
    pub(crate) mark: DiffMark,
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

impl DiffMark {
    /// The number of the line.
    #[must_use]
    pub fn number(self) -> Option<u64> {
        match self {
            DiffMark::Place => None,
            DiffMark::Context(number) | DiffMark::Removed(number) | DiffMark::Added(number) => number,
        }
    }
}

impl Exhibit {
    /// Lines of a diff.
    pub(crate) fn diff(lines: Vec<(DiffMark, String)>) -> Self {
        let (marks, lines) = lines.into_iter().unzip();
        Self { language: Some("diff"), marks, lines, ..Self::default() }
    }

    /// The lines with their numbers and marks, if they have any.
    pub(crate) fn numbered(&self) -> Option<Vec<NumberedLine<'_>>> {
        if !self.is_numbered {
            return None;
        }
        let number = |mark: &DiffMark| mark.number().map(|number| number.to_string()).unwrap_or_default();
        let columns = self.marks.iter().map(|mark| number(mark).len()).max().unwrap_or(0);
        let are_marked = self.deciding.contains(&true);
        let margin = |at: usize| match (are_marked, self.deciding.get(at)) {
            (false, _) => "",
            (true, Some(true)) => "> ",
            (true, _) => "  ",
        };
        let lines = self.lines.iter().zip(&self.marks).enumerate();
        let numbered = lines.map(|(at, (line, mark))| NumberedLine {
            number: format!("{:>columns$}", number(mark)),
            margin: margin(at),
            line,
            mark: *mark,
        });
        Some(numbered.collect())
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
