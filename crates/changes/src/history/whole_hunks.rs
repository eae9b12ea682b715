//! The whole hunks of a cause of which single lines say too little.
//!
//! `} else {` alone can make a test fail. Undone alone, it leaves code that no author wrote and that can break what the rest of its hunk
//! does. Then the whole hunk is undone.

use super::backport_patch::{hunk_changes, line_changes};
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::{PatchSeries, PatchStep};
use crate::deltas::blocks::blocks;
use crate::deltas::change::{ChangeKind, DescribedChange};
use crate::deltas::change_set::ChangeSet;
use crate::search::cause_part::CausePart;
use howcome_dd::{Configuration, DeltaId};
use howcome_run::Problem;

/// The reversal of the hunks that lines of a cause belong to.
pub(super) struct HunkReversal {
    pub(super) patch: PatchSeries,
    /// How many lines it changes besides those of the cause.
    pub(super) other_lines: usize,
}

/// The reversals of the blocks of lines, and of the whole hunks, that the lines of a cause belong to, between two versions. None if the
/// lines can be undone on their own, because they are whole statements or whole hunks.
pub(super) fn whole_hunks(
    good: &Candidate,
    bad: &Candidate,
    parts: &[CausePart],
) -> Result<Vec<HunkReversal>, Problem> {
    let undone: Vec<&CausePart> = parts.iter().filter(|part| !part.is_needed_only).collect();
    if undone.iter().any(|part| part.forms.is_some()) {
        return Ok(Vec::new());
    }
    let lines: Vec<DescribedChange<'_>> = undone
        .iter()
        .flat_map(|part| part.chosen.iter().filter_map(|delta| part.changes.describe(delta)))
        .collect();
    if !lines.iter().any(|change| change.what == ChangeKind::Lines && is_fragment(change)) {
        return Ok(Vec::new());
    }
    let (all_lines, hunks) = (line_changes(good, bad)?, hunk_changes(good, bad)?);
    let is_around = |changes: &ChangeSet, delta: DeltaId| {
        changes.describe(delta).is_some_and(|change| lines.iter().any(|line| contains(&change, line)))
    };
    let around =
        blocks(&all_lines).into_iter().filter(|block| block.iter().any(|delta| is_around(&all_lines, delta)));
    let in_blocks = around.fold(Configuration::empty(), |all, block| all.with(&block));
    let in_hunks: Configuration = hunks.all().iter().filter(|delta| is_around(&hunks, *delta)).collect();
    let size = |change: &DescribedChange<'_>| change.removed.len() + change.added.len();
    let in_cause: usize = lines.iter().map(size).sum();
    let mut reversals: Vec<HunkReversal> = Vec::new();
    for (changes, chosen) in [(all_lines, in_blocks), (hunks, in_hunks)] {
        let lines: usize =
            chosen.iter().filter_map(|delta| changes.describe(delta)).map(|change| size(&change)).sum();
        let other_lines = lines.saturating_sub(in_cause);
        let is_larger = reversals.last().is_none_or(|last| other_lines > last.other_lines);
        if other_lines > 0 && is_larger {
            let step = PatchStep { undone: true, ..PatchStep::making(&changes, chosen) };
            reversals.push(HunkReversal { patch: PatchSeries(vec![step]), other_lines });
        }
    }
    Ok(reversals)
}

/// Whether a change of lines is within a hunk.
fn contains(hunk: &DescribedChange<'_>, line: &DescribedChange<'_>) -> bool {
    let (old, new) =
        (hunk.old_line..=hunk.old_line + hunk.old_lines, hunk.new_line..=hunk.new_line + hunk.new_lines);
    let is_inside = |lines: &[&[u8]], others: &[&[u8]]| lines.iter().all(|line| others.contains(line));
    hunk.path == line.path
        && (old.contains(&line.old_line) || new.contains(&line.new_line))
        && is_inside(&line.removed, &hunk.removed)
        && is_inside(&line.added, &hunk.added)
}

/// Whether lines open or close something, or go on in the next line, and those that they replace do not do the same. They mean nothing
/// without others.
fn is_fragment(change: &DescribedChange<'_>) -> bool {
    let ends = |lines: &[&[u8]]| -> Vec<LineEnds> {
        lines
            .iter()
            .map(|line| LineEnds::of(line.trim_ascii()))
            .filter(|ends| *ends != LineEnds::default())
            .collect()
    };
    ends(&change.removed) != ends(&change.added)
}

/// How a line depends on the lines before and after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LineEnds {
    /// How many brackets it leaves open, or closes.
    depth: i32,
    /// Whether it ends what was begun before.
    closes: bool,
    /// Whether the next line belongs to it.
    opens: bool,
}

impl LineEnds {
    fn of(line: &[u8]) -> Self {
        const CLOSING: [&[u8]; 11] =
            [b"}", b")", b"]", b"else", b"elif", b"except", b"finally", b"fi", b"done", b"end", b"then"];
        let depth = line.iter().fold(0_i32, |depth, byte| match byte {
            b'{' | b'(' | b'[' => depth + 1,
            b'}' | b')' | b']' => depth - 1,
            _ => depth,
        });
        let is_word_end =
            |rest: &[u8]| rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        let closes = CLOSING.iter().any(|closing| line.strip_prefix(*closing).is_some_and(is_word_end));
        let opens = matches!(line.last(), Some(b'{' | b':' | b',' | b'(' | b'[' | b'\\'));
        Self { depth, closes, opens }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::candidate::Base;
    use crate::trees::tree::Tree;
    use std::sync::Arc;

    fn candidate(text: &str) -> Candidate {
        Candidate::of(Base::new(Tree::of_texts(&[("a.c", text)]), text.as_bytes()))
    }

    /// How many lines besides the cause are undone, if the cause is one changed line.
    fn other_lines(good: &str, bad: &str, cause: &str) -> Option<usize> {
        let (good, bad) = (candidate(good), candidate(bad));
        let changes = Arc::new(ChangeSet::by_lines(&good.tree(), &bad.tree()).unwrap());
        let is_cause = |delta: &DeltaId| {
            let change = changes.describe(*delta).unwrap();
            change.added.iter().any(|line| line.trim_ascii() == cause.as_bytes())
        };
        let chosen: Configuration = changes.all().iter().filter(is_cause).collect();
        assert_eq!(chosen.len(), 1);
        let part = CausePart {
            changes: Arc::clone(&changes),
            chosen,
            commit: None,
            is_needed_only: false,
            forms: None,
        };
        whole_hunks(&good, &bad, &[part]).unwrap().first().map(|reversal| reversal.other_lines)
    }

    #[test]
    fn half_of_a_branch_is_undone_with_its_hunk() {
        let good = "if (a) {\n  x();\n}\ny();\n";
        let bad = "if (a) {\n  x();\n} else {\n  z();\n}\ny();\n";
        assert_eq!(other_lines(good, bad, "} else {"), Some(1));
    }

    #[test]
    fn a_whole_statement_is_undone_alone() {
        let (good, bad) = ("a = 1;\nb();\n", "a = 2;\nc();\nb();\n");
        assert_eq!(other_lines(good, bad, "a = 2;"), None);
        let (good, bad) = ("if a:\n  b()\n", "if b:\n  c()\n  b()\n");
        assert_eq!(other_lines(good, bad, "if b:"), None);
    }
}
