//! Hunks between two versions of a text: the atomic changes of the 1999 paper.

use crate::deltas::text::Text;
use imara_diff::{Algorithm, Diff, InternedInput};
use std::ops::Range;

/// How many unchanged lines must be between two hunks. Changes that are closer belong together.
pub const CONTEXT: u32 = 2;

/// Lines of the good version and the lines that replace them in the bad version, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineEdit {
    /// The removed lines.
    pub(crate) good: Range<u32>,
    /// The added lines.
    pub(crate) bad: Range<u32>,
}

/// Edits that belong together: those that are less than [`CONTEXT`] unchanged lines apart, or all edits of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    // Never empty.
    edits: Vec<LineEdit>,
}

impl Hunk {
    /// Edits in order; `None` if there are none.
    pub(crate) fn of(edits: Vec<LineEdit>) -> Option<Self> {
        (!edits.is_empty()).then_some(Self { edits })
    }

    /// Its edits in order, with at least one unchanged line between any two.
    pub(crate) fn edits(&self) -> &[LineEdit] {
        &self.edits
    }

    /// From its first line to its last, the unchanged ones between its edits included.
    pub(crate) fn span(&self) -> LineEdit {
        let (first, last) = (&self.edits[0], &self.edits[self.edits.len() - 1]);
        LineEdit { good: first.good.start..last.good.end, bad: first.bad.start..last.bad.end }
    }
}

/// A hunk of one edit.
impl From<LineEdit> for Hunk {
    fn from(edit: LineEdit) -> Self {
        Self { edits: vec![edit] }
    }
}

/// The hunks between two versions, in order.
pub(crate) fn hunks(good: &Text, bad: &Text) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for edit in edits(good, bad) {
        match hunks.last_mut() {
            Some(hunk) if edit.good.start - hunk.span().good.end < CONTEXT => hunk.edits.push(edit),
            _ => hunks.push(Hunk::from(edit)),
        }
    }
    hunks
}

/// The edits between two versions, in order, with at least one unchanged line between any two.
pub(crate) fn edits(good: &Text, bad: &Text) -> Vec<LineEdit> {
    let input = InternedInput::new(&good.bytes()[..], &bad.bytes()[..]);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    // An edit that fits in several places goes where people expect it, as in `git diff`.
    diff.postprocess_lines(&input);
    diff.hunks().map(|edit| LineEdit { good: edit.before, bad: edit.after }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(good: &str, bad: &str) -> Vec<(Range<u32>, Range<u32>)> {
        let text = |text: &str| Text::new(text.as_bytes().into());
        let spans = hunks(&text(good), &text(bad));
        spans.iter().map(Hunk::span).map(|span| (span.good, span.bad)).collect()
    }

    #[test]
    fn two_unchanged_lines_keep_hunks_apart_and_one_does_not() {
        assert_eq!(spans("a\n1\n2\nb\n", "x\n1\n2\ny\n"), [(0..1, 0..1), (3..4, 3..4)]);
        assert_eq!(spans("a\n1\nb\n", "x\n1\ny\n"), [(0..3, 0..3)]);
    }

    #[test]
    fn a_lost_last_newline_is_a_hunk() {
        assert_eq!(spans("a\nb\n", "a\nb"), [(1..2, 1..2)]);
    }

    #[test]
    fn a_changed_line_ending_is_a_hunk() {
        assert_eq!(spans("a\nb\nc\n", "a\nb\r\nc\n"), [(1..2, 1..2)]);
    }
}
