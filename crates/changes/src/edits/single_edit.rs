//! The edits between two versions, each with the two versions that it makes: the bad version without it, and the good version
//! with nothing else.

use super::line_matches::{ChangedFile, LineMatches, LinePlace, changed_files};
use super::line_parts::{LinePart, LineVersions};
use super::renamings::Renamings;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::text::Text;
use crate::syntax::breaks_syntax;
use crate::trees::entry::LoadedEntry;
use crate::trees::mix::Mix;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};
use std::collections::HashMap;
use std::ops::Range;

/// An edit.
#[derive(Clone, Debug)]
pub(crate) struct SingleEdit {
    /// The changes that its lines belong to.
    pub(crate) lines: Configuration,
    /// Its lines, each on its own.
    pub(crate) shown: Configuration,
    /// Undoes it in the bad version.
    pub(crate) undone: Mix,
    /// Makes it in the good version.
    pub(crate) made: Mix,
    /// Where it is in the bad version: a file and a line, counted from 1.
    pub(crate) place: (TreePath, u32),
    /// The lines of the bad version that it changes, without indentation; if there are none, the lines that it removes.
    pub(crate) texts: Vec<Vec<u8>>,
    /// How much it changes.
    pub(crate) size: u32,
}

/// A run of lines that no line of the other version belongs to is not an edit if it is longer.
const LONGEST_RUN: usize = 12;

/// Is added to the size of an edit that is hardly ever the cause of a failure.
const IMPROBABLE: u32 = 100;

/// How lines begin that only make names known. An error in them is found before the test runs.
const IMPORTS: [&[u8]; 7] = [b"import ", b"from ", b"use ", b"pub use ", b"mod ", b"#include", b"require"];

/// The edits between two versions, given line by line, in the order of the bad version. `shown` are the same changes, without
/// pairs of lines.
pub(crate) fn single_edits(changes: &ChangeSet, shown: &ChangeSet) -> Vec<SingleEdit> {
    let files = changed_files(changes);
    let shown = DeltaOfLine::of(&changed_files(shown));
    let matches = LineMatches::of(&files);
    let renamings = matches.renamings(&files, &Renamings::default());
    let renamings = matches.renamings(&files, &renamings);
    let finder = EditFinder {
        changes,
        deltas: DeltaOfLine::of(&files),
        shown,
        files: &files,
        matches: &matches,
        renamings,
    };
    let mut edits: Vec<SingleEdit> =
        matches.edited.iter().flat_map(|(good, bad)| finder.of_line(*good, *bad)).collect();
    edits.extend(finder.of_runs());
    edits.sort_by(|one, other| one.place.cmp(&other.place));
    edits
}

struct EditFinder<'a> {
    changes: &'a ChangeSet,
    files: &'a [ChangedFile<'a>],
    matches: &'a LineMatches,
    renamings: Renamings,
    deltas: DeltaOfLine,
    shown: DeltaOfLine,
}

impl EditFinder<'_> {
    /// The edits of a line that has a counterpart.
    fn of_line(&self, good: LinePlace, bad: LinePlace) -> Vec<SingleEdit> {
        let (one, other) = (self.good_line(good), self.bad_line(bad));
        let renamings = &self.renamings;
        let versions = LineVersions::of(one.trim_ascii(), other.trim_ascii(), renamings);
        let Some(versions) = versions else { return Vec::new() };
        let units = versions
            .units(|part| versions.renaming(part).is_some_and(|(from, to)| renamings.new_name(from) == to));
        let size_of = |parts: &[LinePart]| {
            parts.iter().map(|part| part.good.len().max(part.bad.len()) as u32).sum::<u32>()
        };
        let residue = size_of(&units.concat());
        let mut sets = units.clone();
        if units.len() > 1 {
            sets.push(units.concat());
        }
        let edit = |parts: Vec<LinePart>| {
            // The less two lines have in common, the less probable it is that one became the other.
            let size = size_of(&parts) + residue / 2;
            let size = if versions.swaps_an_operator(&parts) { size / 2 } else { size };
            // A name that is not known to be new is probably new here, unless the old one is known to have another new name.
            let is_new_name =
                |part: &LinePart| versions.renaming(part).is_some_and(|(from, _)| !renamings.knows(from));
            let size = if parts.iter().all(is_new_name) { IMPROBABLE + size } else { size };
            let undone = vec![placed(&versions.undone(&parts, renamings), other)];
            let made = vec![placed(&versions.made(&parts, renamings), one)];
            let runs = Runs {
                good: (good.file, good.line..good.line + 1),
                bad: (bad.file, bad.line..bad.line + 1),
                undone,
                made,
            };
            self.edit(runs, size)
        };
        sets.into_iter().filter_map(edit).collect()
    }

    /// Runs of lines without a counterpart, between lines that have one.
    fn of_runs(&self) -> Vec<SingleEdit> {
        let mut edits = Vec::new();
        for (number, file) in self.files.iter().enumerate().filter(|(_, file)| file.bad_path.is_some()) {
            let mut before: Option<(u32, LinePlace)> = None;
            for line in 0..file.bad.len() {
                let bad = LinePlace { file: number, line };
                let Some(good) = self.matches.good_of(bad) else { continue };
                if let Some((start, from)) = before {
                    edits.extend(self.run(number, start + 1..line, from, good));
                }
                before = Some((line, good));
            }
            if let Some((start, from)) = before {
                let end = LinePlace { file: from.file, line: self.files[from.file].good.len() };
                edits.extend(self.run(number, start + 1..file.bad.len(), from, end));
            }
        }
        edits
    }

    /// The edits that replace the lines between two lines of the good version by a run of lines of the bad version: lines that are
    /// missing, lines that are new, and both at once.
    fn run(&self, file: usize, bad: Range<u32>, from: LinePlace, to: LinePlace) -> Vec<SingleEdit> {
        let between = from.line + 1..to.line;
        let is_between = from.file == to.file
            && from.line < to.line
            && between.clone().all(|line| !self.matches.is_kept(LinePlace { file: from.file, line }));
        let good = if is_between { between } else { from.line + 1..from.line + 1 };
        // The code around the lines can have another indentation there.
        let indentation = |line: &[u8]| line.iter().take_while(|byte| b" \t".contains(byte)).count();
        let good_before = self.good_line(from);
        let bad_before = self.bad_line(LinePlace { file, line: bad.start - 1 });
        let good_indent = &good_before[..indentation(good_before)];
        let bad_indent = &bad_before[..indentation(bad_before)];
        let moved = |line: &[u8], from: &[u8], to: &[u8], is_undone: bool| {
            let line = line.strip_prefix(from).map_or_else(|| line.to_vec(), |rest| [to, rest].concat());
            if is_undone { self.renamings.new_line(&line) } else { self.renamings.old_line(&line) }
        };
        let edit = |good: Range<u32>, bad: Range<u32>| {
            let is_too_long = good.len().max(bad.len()) > LONGEST_RUN;
            if good.is_empty() && bad.is_empty() || is_too_long {
                return None;
            }
            let good_lines = self.files[from.file].good.lines(good.clone());
            let bad_lines = self.files[file].bad.lines(bad.clone());
            let undone = good_lines.map(|line| moved(line, good_indent, bad_indent, true)).collect();
            let made = bad_lines.map(|line| moved(line, bad_indent, good_indent, false)).collect();
            let size = 4 + 2 * (good.len() + bad.len()) as u32;
            self.edit(Runs { good: (from.file, good), bad: (file, bad), undone, made }, size)
        };
        let mut edits = Vec::new();
        if !good.is_empty() && !bad.is_empty() {
            edits.push(edit(good.clone(), bad.start..bad.start));
            edits.push(edit(good.end..good.end, bad.clone()));
        }
        edits.push(edit(good, bad));
        edits.into_iter().flatten().collect()
    }

    /// An edit, unless it only touches comments and blank lines, or leaves something incomplete.
    fn edit(&self, runs: Runs, size: u32) -> Option<SingleEdit> {
        let Runs { good: (good_file, good), bad: (bad_file, bad), undone, made } = runs;
        let lines = self.deltas.of_run(good_file, &good, bad_file, &bad);
        let is_remark = |delta: DeltaId| self.changes.describe(delta).is_none_or(|change| change.is_remark());
        if lines.iter().all(is_remark) {
            return None;
        }
        let (good_side, bad_side) = (&self.files[good_file], &self.files[bad_file]);
        let texts: Vec<Vec<u8>> = match bad.is_empty() {
            true => good_side.good.lines(good.clone()).map(|line| line.trim_ascii().to_vec()).collect(),
            false => bad_side.bad.lines(bad.clone()).map(|line| line.trim_ascii().to_vec()).collect(),
        };
        let is_import = |line: &Vec<u8>| IMPORTS.iter().any(|word| line.starts_with(word));
        let size = if texts.iter().all(is_import) { IMPROBABLE + size } else { size };
        let path = bad_side.bad_path?;
        Some(SingleEdit {
            lines,
            shown: self.shown.of_run(good_file, &good, bad_file, &bad),
            place: (path.clone(), bad.start + 1),
            undone: replaced(path, bad_side.bad, bad_side.bad_entry, bad, &undone)?,
            made: replaced(good_side.good_path?, good_side.good, good_side.good_entry, good, &made)?,
            texts,
            size,
        })
    }

    fn good_line(&self, place: LinePlace) -> &[u8] {
        self.files[place.file].good.run(place.line..place.line + 1)
    }

    fn bad_line(&self, place: LinePlace) -> &[u8] {
        self.files[place.file].bad.run(place.line..place.line + 1)
    }
}

/// The lines of an edit, and the lines that replace them on either side.
struct Runs {
    good: (usize, Range<u32>),
    bad: (usize, Range<u32>),
    undone: Vec<Vec<u8>>,
    made: Vec<Vec<u8>>,
}

/// A file with some lines replaced. `None` if that changes nothing, or leaves something incomplete.
fn replaced(
    path: &TreePath,
    text: &Text,
    entry: &LoadedEntry,
    lines: Range<u32>,
    by: &[Vec<u8>],
) -> Option<Mix> {
    let bytes = [text.run(0..lines.start), &by.concat(), text.run(lines.end..text.len())].concat();
    if bytes == text.bytes()[..] || breaks_syntax(path, text.bytes(), &bytes) {
        return None;
    }
    let entry = LoadedEntry { kind: entry.kind, bytes: bytes.into() };
    Some([(path.clone(), Some(entry))].into_iter().collect())
}

/// Another text for a line, with the indentation and the end of that line.
pub(super) fn placed(text: &[u8], line: &[u8]) -> Vec<u8> {
    let start = line.len() - line.trim_ascii_start().len();
    let end = line.trim_ascii_end().len().max(start);
    [&line[..start], text, &line[end..]].concat()
}

/// The delta of each changed line.
struct DeltaOfLine {
    good: HashMap<LinePlace, DeltaId>,
    bad: HashMap<LinePlace, DeltaId>,
}

impl DeltaOfLine {
    fn of(files: &[ChangedFile<'_>]) -> Self {
        let mut of_line = Self { good: HashMap::new(), bad: HashMap::new() };
        for (number, file) in files.iter().enumerate() {
            let place = |line: u32| LinePlace { file: number, line };
            for (delta, span) in &file.deltas {
                of_line.good.extend(span.good.clone().map(|line| (place(line), *delta)));
                of_line.bad.extend(span.bad.clone().map(|line| (place(line), *delta)));
            }
        }
        of_line
    }

    fn of_run(
        &self,
        good_file: usize,
        good: &Range<u32>,
        bad_file: usize,
        bad: &Range<u32>,
    ) -> Configuration {
        let good = good.clone().filter_map(|line| self.good.get(&LinePlace { file: good_file, line }));
        let bad = bad.clone().filter_map(|line| self.bad.get(&LinePlace { file: bad_file, line }));
        good.chain(bad).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tree;

    type SourceFiles<'a> = &'a [(&'a str, &'a str)];

    /// The lines that each edit writes into the bad version, the smallest edit first.
    fn undone(good: SourceFiles<'_>, bad: SourceFiles<'_>) -> Vec<String> {
        let (good, bad) = (Tree::of_texts(good), Tree::of_texts(bad));
        let changes = ChangeSet::by_lines(&good, &bad).unwrap();
        let mut edits = single_edits(&changes, &ChangeSet::by_unpaired_lines(&good, &bad).unwrap());
        edits.sort_by_key(|edit| edit.size);
        let written = |edit: &SingleEdit| {
            let set = ChangeSet::between(&bad, &bad.with(&edit.undone)).unwrap();
            let lines =
                set.all().iter().flat_map(|delta| set.describe(delta).unwrap().added.concat()).collect();
            format!("{}: {}", edit.place.0, String::from_utf8(lines).unwrap().trim())
        };
        edits.iter().map(written).collect()
    }

    #[test]
    fn a_line_that_moved_to_another_file_is_undone_there() {
        let good = [(
            "a.c",
            "int f(int c)\n{\n\tif (c == 'n')\n\t\treturn 10;\n\tif (c == 'r')\n\t\treturn 13;\n\treturn 0;\n}\n",
        )];
        let bad = [
            ("a.c", "int f(int c);\n"),
            (
                "b.c",
                "int f(int c)\n{\n\tif (c == 'n')\n\t\treturn 10;\n\tif (c == 'r')\n\t\treturn 12;\n\treturn 0;\n}\n",
            ),
        ];
        assert_eq!(undone(&good, &bad)[0], "b.c: return 13;");
    }

    #[test]
    fn a_renaming_is_no_edit_and_a_name_that_does_not_follow_it_is() {
        let good = [(
            "a.py",
            "def f(qty, low):\n    a = qty + low\n    b = qty * low\n    return a, b, qty - low\n",
        )];
        let bad = [(
            "a.py",
            "def f(count, limit):\n    a = count + limit\n    b = count * limit\n    return a, b, count - count\n",
        )];
        assert_eq!(undone(&good, &bad), ["a.py: return a, b, count - limit"]);
    }

    #[test]
    fn a_line_that_is_missing_among_moved_lines_is_an_edit() {
        let good = [("a.py", "def f(x):\n    x = x.strip()\n    x = x.lower()\n    return x\n")];
        let bad = [("a.py", "class A:\n    def f(x):\n        x = x.strip()\n        return x\n")];
        let undone = undone(&good, &bad);
        assert!(undone.contains(&"a.py: x = x.lower()".to_owned()), "{undone:?}");
    }
}
