//! The hunks around the lines of an answer, with unchanged lines before and after them.

use super::found_change::readable;
use crate::deltas::change::DescribedChange;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{Edited, EditedBody, FileChange, FileChangeKind, How};
use crate::deltas::hunk::{CONTEXT, LineEdit, edits};
use crate::deltas::text::{Text, is_binary};
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};
use howcome_run::{FoundChange, HunkLine};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How many unchanged lines are shown before and after a hunk, as in `git diff`.
const CONTEXT_LINES: usize = 3;

/// Of a large hunk, the lines that are farther than this from every deciding line are left out.
const NEAR: usize = 30;

/// A hunk with more lines than this near its deciding lines is not shown: the patch has them.
const MOST_LINES: usize = 1_000;

/// The hunks that contain the changes of an answer, by file, each with unchanged lines around it.
#[derive(Debug, Default)]
pub(super) struct HunkExcerpts {
    files: BTreeMap<TreePath, Vec<Vec<HunkLine>>>,
}

/// The lines that make the difference, by their numbers in both versions, counted from 0.
#[derive(Clone, Debug, Default)]
struct DecidingLines {
    old: BTreeSet<u32>,
    new: BTreeSet<u32>,
}

impl HunkExcerpts {
    /// Around some changes of a set.
    pub(super) fn of_chosen(set: &ChangeSet, chosen: &Configuration) -> Self {
        let mut files = BTreeMap::new();
        for (file, first) in set.files_of(chosen) {
            let FileChangeKind::Edited(edited) = &file.what else { continue };
            let EditedBody::Text { good, bad, .. } = &edited.body else { continue };
            let deciding = DecidingLines::of(edited, |nth| chosen.contains(DeltaId(first.0 + nth)));
            files.extend(excerpts(good, bad, &deciding).map(|excerpts| (file.path.clone(), excerpts)));
        }
        Self { files }
    }

    /// Around all changes of a set, each in its hunk of another set that leads to the same version.
    pub(super) fn within(set: &ChangeSet, hunks: Option<&ChangeSet>) -> Self {
        let mut files = BTreeMap::new();
        for (file, _) in set.files_of(&set.all()) {
            let FileChangeKind::Edited(edited) = &file.what else { continue };
            let EditedBody::Text { good, bad, .. } = &edited.body else { continue };
            let deciding = DecidingLines::of(edited, |_| true);
            let of_hunk = || {
                let without = old_text(hunks?.file(&file.path)?)?;
                let old = numbers_in(&without, good, &deciding.old)?;
                excerpts(&without, bad, &DecidingLines { old, new: deciding.new.clone() })
            };
            let excerpts = of_hunk().or_else(|| excerpts(good, bad, &deciding));
            files.extend(excerpts.map(|excerpts| (file.path.clone(), excerpts)));
        }
        Self { files }
    }

    /// The hunk that a change is a part of; no lines if the file changed as a whole.
    pub(super) fn around(&self, change: &DescribedChange<'_>) -> Vec<HunkLine> {
        let ends_after = |lines: &&Vec<HunkLine>| {
            let last = lines.iter().filter_map(|line| line.new).max().unwrap_or(0);
            u64::from(change.new_line) <= last + 1
        };
        let hunk = self.files.get(change.path).and_then(|hunks| hunks.iter().find(ends_after));
        hunk.filter(|lines| lines.len() <= MOST_LINES).cloned().unwrap_or_default()
    }
}

impl DecidingLines {
    fn of(edited: &Edited, is_chosen: impl Fn(u32) -> bool) -> Self {
        let EditedBody::Text { hunks, .. } = &edited.body else { return Self::default() };
        let chosen = (edited.before_body()..).zip(hunks).filter(|(nth, _)| is_chosen(*nth));
        let mut lines = Self::default();
        for LineEdit { good, bad } in chosen.flat_map(|(_, hunk)| hunk.edits()) {
            lines.old.extend(good.clone());
            lines.new.extend(bad.clone());
        }
        lines
    }
}

/// The text of a file before it changed. A file that is added had no lines.
fn old_text(file: &FileChange) -> Option<Text> {
    match &file.what {
        FileChangeKind::Edited(Edited { body: EditedBody::Text { good, .. }, .. }) => Some(good.clone()),
        FileChangeKind::Swapped { how: How::Added, bad, .. } => {
            bad.iter().all(|(_, added)| !is_binary(&added.bytes)).then(|| Text::new([].into()))
        }
        _ => None,
    }
}

/// The numbers that lines of `text` have in `other`; `None` if one of them is not there.
fn numbers_in(other: &Text, text: &Text, lines: &BTreeSet<u32>) -> Option<BTreeSet<u32>> {
    let edits = edits(text, other);
    let number = |line: &u32| {
        let before = edits.partition_point(|edit| edit.good.start <= *line);
        match edits[..before].last() {
            None => Some(*line),
            Some(edit) => Some(line.checked_sub(edit.good.end)? + edit.bad.end),
        }
    };
    lines.iter().map(number).collect()
}

/// The hunks with deciding lines between two texts; `None` if a deciding line is the same in both.
fn excerpts(old: &Text, new: &Text, deciding: &DecidingLines) -> Option<Vec<Vec<HunkLine>>> {
    let (mut lines, mut at) = (Vec::new(), 0..0);
    let mut decided = 0;
    for edit in edits(old, new) {
        lines.extend(unchanged(at, edit.good.start));
        decided += deciding.old.range(edit.good.clone()).count();
        decided += deciding.new.range(edit.bad.clone()).count();
        lines.extend(edit.good.clone().map(|line| (Some(line), None)));
        lines.extend(edit.bad.clone().map(|line| (None, Some(line))));
        at = edit.good.end..edit.bad.end;
    }
    lines.extend(unchanged(at, old.len()));
    if decided < deciding.old.len() + deciding.new.len() {
        return None;
    }
    let decides = |line: &LineNumbers| match line {
        (Some(old), None) => deciding.old.contains(old),
        (None, Some(new)) => deciding.new.contains(new),
        _ => false,
    };
    let hunks = around(&lines, CONTEXT_LINES, |(old, new)| old.is_none() || new.is_none());
    let near = around(&lines, NEAR, decides);
    let is_near = |at: &usize| near.iter().any(|range| range.contains(at));
    let mut excerpts = Vec::new();
    for hunk in hunks.into_iter().filter(|hunk| lines[hunk.clone()].iter().any(decides)) {
        let shown: Vec<LineNumbers> = hunk.filter(is_near).map(|at| lines[at]).collect();
        excerpts.push(hunk_lines(&shown, [old, new], decides));
    }
    Some(excerpts)
}

/// The numbers of a line in the old and in the new text, counted from 0.
type LineNumbers = (Option<u32>, Option<u32>);

/// The unchanged lines from a pair of numbers, up to a line of the old text.
fn unchanged(from: Range<u32>, to: u32) -> impl Iterator<Item = LineNumbers> {
    (from.start..to).zip(from.end..).map(|(old, new)| (Some(old), Some(new)))
}

/// The runs of lines that are at most so many lines away from certain ones.
fn around(
    lines: &[LineNumbers],
    distance: usize,
    is_in_the_middle: impl Fn(&LineNumbers) -> bool,
) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| is_in_the_middle(line)) {
        let (start, end) = (at.saturating_sub(distance), (at + 1 + distance).min(lines.len()));
        match runs.last_mut() {
            Some(run) if start <= run.end => run.end = end,
            _ => runs.push(start..end),
        }
    }
    runs
}

fn hunk_lines(
    lines: &[LineNumbers],
    [old, new]: [&Text; 2],
    decides: impl Fn(&LineNumbers) -> bool,
) -> Vec<HunkLine> {
    let bytes = |(in_old, in_new): &LineNumbers| match (in_old, in_new) {
        (_, Some(line)) => new.run(*line..*line + 1),
        (Some(line), None) => old.run(*line..*line + 1),
        (None, None) => &[],
    };
    // Line ends are shown if they differ.
    let ended = lines.iter().filter(|line| bytes(line).ends_with(b"\n")).count();
    let with_ends = 0 < ended && ended < lines.len();
    let line = |numbers: &LineNumbers| {
        let bytes = bytes(numbers);
        let shown = if with_ends { bytes } else { bytes.strip_suffix(b"\n").unwrap_or(bytes) };
        let counted_from_1 = |line: Option<u32>| line.map(|line| u64::from(line) + 1);
        HunkLine {
            old: counted_from_1(numbers.0),
            new: counted_from_1(numbers.1),
            text: readable(shown),
            decides: decides(numbers),
        }
    };
    lines.iter().map(line).collect()
}

/// How many hunks some changes are in. Lines of the same hunk are recorded with the same excerpt, which can show several hunks.
pub(super) fn hunk_count(changes: &[FoundChange]) -> u64 {
    let is_same = |one: &FoundChange, other: &FoundChange| {
        !one.hunk.is_empty() && one.path == other.path && one.hunk == other.hunk
    };
    changes.chunk_by(is_same).map(|same| deciding_hunks(&same[0].hunk).max(1)).sum()
}

/// How many hunks of an excerpt have a line that makes the difference.
fn deciding_hunks(excerpt: &[HunkLine]) -> u64 {
    let (mut hunks, mut is_counted, mut unchanged) = (0, false, 0);
    for line in excerpt {
        unchanged = if line.old.is_some() && line.new.is_some() { unchanged + 1 } else { 0 };
        is_counted &= unchanged < CONTEXT;
        if line.decides && !is_counted {
            (hunks, is_counted) = (hunks + 1, true);
        }
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::tree::Tree;

    fn tree(text: &str) -> Tree {
        Tree::of_texts(&[("a", text)])
    }

    /// The hunk around the first change, with the deciding lines marked.
    fn shown(excerpts: &HunkExcerpts, set: &ChangeSet) -> Vec<String> {
        let change = set.describe(DeltaId(0)).unwrap();
        let line = |line: &HunkLine| {
            let number = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
            let mark = if line.decides { ">" } else { "" };
            format!("{mark}{}/{} {}", number(line.old), number(line.new), line.text)
        };
        excerpts.around(&change).iter().map(line).collect()
    }

    #[test]
    fn the_deciding_line_is_marked_in_its_whole_hunk() {
        let bad = tree("1\n2\n3\n4\na\nb\nc\n5\n");
        let fixed = ChangeSet::between(&tree("1\n2\n3\n4\na\nB\nc\n5\n"), &bad).unwrap();
        let hunks = ChangeSet::between(&tree("1\n2\n3\n4\nA\nB\n5\n"), &bad).unwrap();
        let excerpts = HunkExcerpts::within(&fixed, Some(&hunks));
        let expected = ["2/2 2", "3/3 3", "4/4 4", "5/- A", ">6/- B", "-/5 a", ">-/6 b", "-/7 c", "7/8 5"];
        assert_eq!(shown(&excerpts, &fixed), expected);
    }

    #[test]
    fn without_a_larger_hunk_the_lines_have_only_context() {
        let bad = tree("1\n2\nx\n3\n4\n5\n6\n");
        let fixed = ChangeSet::between(&tree("1\n2\n3\n4\n5\n6\n"), &bad).unwrap();
        // A line that decides is not part of this other hunk, so the other hunk cannot be shown.
        let other = ChangeSet::between(&tree("0\n1\n2\nx\n3\n4\n5\n6\n"), &bad).unwrap();
        for hunks in [None, Some(&other)] {
            let excerpts = HunkExcerpts::within(&fixed, hunks);
            let expected = ["1/1 1", "2/2 2", ">-/3 x", "3/4 3", "4/5 4", "5/6 5"];
            assert_eq!(shown(&excerpts, &fixed), expected);
        }
    }

    #[test]
    fn only_the_lines_near_a_deciding_line_of_a_large_hunk_are_kept() {
        let numbers = |from: u32, to: u32| (from..to).map(|n| format!("{n}\n")).collect::<String>();
        let bad = tree(&numbers(0, 200));
        let fixed = ChangeSet::between(&tree(&(numbers(0, 100) + &numbers(101, 200))), &bad).unwrap();
        let hunks = ChangeSet::between(&tree(""), &bad).unwrap();
        let shown = shown(&HunkExcerpts::within(&fixed, Some(&hunks)), &fixed);
        assert_eq!(shown.len(), 61);
        assert_eq!(shown[30], ">-/101 100");
    }

    #[test]
    fn hunks_that_are_shown_together_are_counted_one_by_one_and_lines_of_one_hunk_once() {
        let good = tree("1\n2\n3\n4\n5\n6\n7\n8\n");
        let counted = |set: &ChangeSet| {
            let excerpts = HunkExcerpts::of_chosen(set, &set.all());
            let change = |delta| {
                let change = set.describe(delta).unwrap();
                FoundChange { path: "a".to_owned(), hunk: excerpts.around(&change), ..FoundChange::default() }
            };
            hunk_count(&set.all().iter().map(change).collect::<Vec<_>>())
        };
        let apart = ChangeSet::between(&good, &tree("1\nx\n3\n4\n5\ny\n7\n8\n")).unwrap();
        assert_eq!((apart.len(), counted(&apart)), (2, 2));
        let near = ChangeSet::by_lines(&good, &tree("1\nx\n3\ny\nz\n6\n7\n8\n")).unwrap();
        assert_eq!((near.len(), counted(&near)), (3, 1));
    }

    #[test]
    fn a_line_end_is_kept_if_it_differs() {
        let set = ChangeSet::by_lines(&tree("a\nb\n"), &tree("a\nb")).unwrap();
        let excerpts = HunkExcerpts::of_chosen(&set, &set.all());
        assert_eq!(shown(&excerpts, &set), ["1/1 a\n", ">2/- b\n", ">-/2 b"]);
    }
}
