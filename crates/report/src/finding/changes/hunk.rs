//! The hunks of an answer: each line with its number, the deciding ones marked, a long hunk shortened around them.

use crate::account::{DiffMark, Exhibit};
use crate::finding::changes::change::{ChangeWords, LONGEST, joined, way_of_writing};
use howcome_run::words::cut;
use howcome_run::{FoundChange, HunkLine};

/// A hunk with more lines is shortened.
const LONG: usize = 30;

/// The lines around each deciding line that a shortened hunk keeps.
const KEPT_AROUND: usize = 3;

/// The lines of some changes, in their hunks if these are recorded.
pub(crate) fn shown_in_hunks<'a>(changes: impl IntoIterator<Item = &'a FoundChange>) -> Exhibit {
    let mut lines: Vec<ExcerptLine> = Vec::new();
    let mut last: Option<FoundChange> = None;
    for change in joined(changes) {
        // Changes of the same hunk are shown together.
        let is_shown = |last: &FoundChange| last.path == change.path && last.hunk == change.hunk;
        match change.hunk.is_empty() {
            true => lines.extend(change.shown().into_iter().map(ExcerptLine::deciding)),
            false if last.as_ref().is_some_and(is_shown) => {}
            false => lines.extend(excerpt(&change)),
        }
        last = Some(change);
    }
    let is_change = |line: &ExcerptLine| matches!(line.mark, DiffMark::Added(_) | DiffMark::Removed(_));
    // If every changed line decides, a mark says nothing.
    let are_marked = lines.iter().any(|line| is_change(line) && !line.decides);
    let deciding = lines.iter().map(|line| are_marked && is_change(line) && line.decides).collect();
    let is_numbered = lines.iter().any(|line| line.is_of_hunk);
    let lines = lines.into_iter().map(|line| (line.mark, line.text)).collect();
    Exhibit { is_numbered, deciding, ..Exhibit::diff(lines) }
}

struct ExcerptLine {
    mark: DiffMark,
    text: String,
    decides: bool,
    is_of_hunk: bool,
}

impl ExcerptLine {
    /// A line of a change that is shown without its hunk.
    fn deciding((mark, text): (DiffMark, String)) -> Self {
        Self { mark, text, decides: true, is_of_hunk: false }
    }
}

/// The place of a change, and its hunk.
fn excerpt(change: &FoundChange) -> Vec<ExcerptLine> {
    let of_hunk = |mark, text, decides| ExcerptLine { mark, text, decides, is_of_hunk: true };
    let mut shown = vec![of_hunk(DiffMark::Place, change.place(), false)];
    let texts = |is_one: fn(&&HunkLine) -> bool| -> Vec<&str> {
        change.hunk.iter().filter(is_one).map(|line| line.text.as_str()).collect()
    };
    let write = way_of_writing(&texts(|line| line.new.is_none()), &texts(|line| line.old.is_none()));
    let has_ends = change.hunk.iter().any(|line| line.text.ends_with('\n'));
    let mut before: Option<&HunkLine> = None;
    for line in shortened(&change.hunk) {
        if before.is_some_and(|before| !follows(before, line))
            || (before.is_none() && line != &change.hunk[0])
        {
            shown.push(of_hunk(DiffMark::Context(None), " …".to_owned(), false));
        }
        let (sign, mark) = match (line.old, line.new) {
            (old, None) => ('-', DiffMark::Removed(old)),
            (None, new) => ('+', DiffMark::Added(new)),
            (Some(_), new) => (' ', DiffMark::Context(new)),
        };
        shown.push(of_hunk(mark, cut(&format!("{sign}{}", write(&line.text)), LONGEST), line.decides));
        if has_ends && !line.text.ends_with('\n') {
            let no_end = "\\ no newline at the end of the file".to_owned();
            shown.push(of_hunk(DiffMark::Context(None), no_end, false));
        }
        before = Some(line);
    }
    if before != change.hunk.last() {
        shown.push(of_hunk(DiffMark::Context(None), " …".to_owned(), false));
    }
    shown
}

/// The lines of a hunk that are shown.
fn shortened(hunk: &[HunkLine]) -> Vec<&HunkLine> {
    let is_near = |at: usize| {
        let near = at.saturating_sub(KEPT_AROUND)..hunk.len().min(at + KEPT_AROUND + 1);
        hunk[near].iter().any(|line| line.decides)
    };
    let is_shown = |at: &usize| hunk.len() <= LONG || is_near(*at);
    (0..hunk.len()).filter(is_shown).map(|at| &hunk[at]).collect()
}

/// Whether no line is missing between two lines of a hunk.
fn follows(before: &HunkLine, line: &HunkLine) -> bool {
    let is_next = |before: Option<u64>, now: Option<u64>| match (before, now) {
        (Some(before), Some(now)) => before.checked_add(1) == Some(now),
        _ => true,
    };
    is_next(before.old, line.old) && is_next(before.new, line.new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(old: Option<u64>, new: Option<u64>, text: &str, decides: bool) -> HunkLine {
        HunkLine { old, new, text: text.to_owned(), decides }
    }

    fn change(hunk: Vec<HunkLine>) -> FoundChange {
        let added = vec!["x".to_owned()];
        FoundChange { path: "a.c".to_owned(), new_line: Some(2), added, hunk, ..FoundChange::default() }
    }

    #[test]
    fn deciding_lines_are_marked_only_among_others() {
        let alone = [line(Some(1), Some(1), "1", false), line(None, Some(2), "x", true)];
        let exhibit = shown_in_hunks(&[change(alone.to_vec())]);
        assert_eq!(exhibit.lines, ["a.c:2", " 1", "+x"]);
        assert!(exhibit.is_numbered && !exhibit.deciding.contains(&true));
        let among = [&alone[..], &[line(None, Some(3), "y", false)]].concat();
        // The second change of a hunk adds nothing.
        let exhibit = shown_in_hunks(&[change(among.clone()), change(among)]);
        assert_eq!(exhibit.lines, ["a.c:2", " 1", "+x", "+y"]);
        assert_eq!(exhibit.deciding, [false, false, true, false]);
    }

    #[test]
    fn a_long_hunk_is_shortened_around_its_deciding_lines() {
        let lines = (1..=40).map(|number| line(None, Some(number), &number.to_string(), number == 20));
        let shown = shown_in_hunks(&[change(lines.collect())]).lines;
        assert_eq!(shown, ["a.c:2", " …", "+17", "+18", "+19", "+20", "+21", "+22", "+23", " …"]);
    }

    #[test]
    fn a_gap_in_the_record_is_shown() {
        let hunk = vec![line(None, Some(2), "x", true), line(None, Some(90), "y", true)];
        assert_eq!(shown_in_hunks(&[change(hunk)]).lines, ["a.c:2", "+x", " …", "+y"]);
    }
}
