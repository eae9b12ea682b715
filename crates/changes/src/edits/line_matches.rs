//! Which lines of two versions are versions of the same line, wherever they are.

use super::line_names::renamed_in;
use super::renamings::Renamings;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{EditedBody, EditedSides, FileChangeKind};
use crate::deltas::hunk::LineEdit;
use crate::deltas::lines::similarity_of;
use crate::deltas::text::Text;
use crate::trees::entry::LoadedEntry;
use crate::trees::tree_path::TreePath;
use howcome_dd::DeltaId;
use std::collections::{BTreeMap, HashMap, HashSet};

/// More possible pairs of lines than this are not compared.
const MOST_PAIRS: usize = 200 * 200;

/// How alike two lines must be to be versions of the same line.
const ENOUGH: u32 = 500;

/// How much it counts that a line replaces another, or that the lines next to both belong together.
const MORE_IF_HERE: u32 = 120;

/// A changed file, both versions of it, and the deltas of its lines.
pub(super) struct ChangedFile<'a> {
    /// Its path in the good version, if it has one.
    pub(super) good_path: Option<&'a TreePath>,
    /// Its path in the bad version, if it has one.
    pub(super) bad_path: Option<&'a TreePath>,
    pub(super) good: &'a Text,
    pub(super) bad: &'a Text,
    pub(super) good_entry: &'a LoadedEntry,
    pub(super) bad_entry: &'a LoadedEntry,
    /// The deltas of its lines.
    pub(super) deltas: Vec<(DeltaId, LineEdit)>,
}

/// The files of a set of changes that can be compared line by line.
pub(super) fn changed_files(changes: &ChangeSet) -> Vec<ChangedFile<'_>> {
    let mut files = Vec::new();
    for (file, first) in changes.files_of(&changes.all()) {
        let FileChangeKind::Edited(edited) = &file.what else { continue };
        let EditedBody::Text { good, bad, hunks } = &edited.body else { continue };
        let numbers = (first.0 + edited.before_body()..).map(DeltaId);
        let good_path = edited.from.as_ref().unwrap_or(&file.path);
        files.push(ChangedFile {
            good_path: (edited.sides != EditedSides::OnlyBad).then_some(good_path),
            bad_path: (edited.sides != EditedSides::OnlyGood).then_some(&file.path),
            good,
            bad,
            good_entry: &edited.good,
            bad_entry: &edited.bad,
            deltas: numbers.zip(hunks.iter().map(|hunk| hunk.span())).collect(),
        });
    }
    files
}

/// A line of a version: the number of its file, and its own, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LinePlace {
    pub(super) file: usize,
    pub(super) line: u32,
}

impl LinePlace {
    pub(super) fn next(self) -> Self {
        Self { line: self.line + 1, ..self }
    }

    fn previous(self) -> Option<Self> {
        Some(Self { line: self.line.checked_sub(1)?, ..self })
    }
}

/// Lines that are versions of the same line.
#[derive(Debug, Default)]
pub(super) struct LineMatches {
    /// The line of the bad version for each line of the good version.
    bad_of: HashMap<LinePlace, LinePlace>,
    /// The line of the good version for each line of the bad version.
    good_of: BTreeMap<LinePlace, LinePlace>,
    /// Pairs of lines that differ by more than their indentation, the good one first.
    pub(super) edited: Vec<(LinePlace, LinePlace)>,
    /// Pairs of lines of which one replaces the other, whatever they have in common.
    replaced: HashSet<(LinePlace, LinePlace)>,
}

impl LineMatches {
    pub(super) fn of(files: &[ChangedFile<'_>]) -> Self {
        let mut matches = Self::default();
        for (number, file) in files.iter().enumerate() {
            matches.add_unchanged(number, file);
            matches.add_pairs(number, file);
        }
        let unmatched = UnmatchedLines::of(files, &matches);
        matches.add_moved(&unmatched);
        matches.add_alike(&unmatched, &Renamings::default());
        // Lines that are alike tell which names are new, and more lines are alike in the new names.
        let renamings = matches.renamings(files, &Renamings::default());
        if !renamings.is_empty() {
            matches.add_alike(&unmatched, &renamings);
        }
        matches.add_neighbours(&unmatched);
        matches.edited.sort_by_key(|(_, bad)| *bad);
        matches
    }

    /// The names that were replaced in the lines that changed.
    pub(super) fn renamings(&self, files: &[ChangedFile<'_>], known: &Renamings) -> Renamings {
        let mut names = Vec::new();
        for (good, bad) in &self.edited {
            let one = files[good.file].good.run(good.line..good.line + 1).trim_ascii();
            let other = files[bad.file].bad.run(bad.line..bad.line + 1).trim_ascii();
            names.extend(renamed_in(one, other, known));
        }
        Renamings::counted(names.into_iter())
    }

    /// The good version of a line of the bad version.
    pub(super) fn good_of(&self, bad: LinePlace) -> Option<LinePlace> {
        self.good_of.get(&bad).copied()
    }

    /// Whether a line of the good version is still in the bad version.
    pub(super) fn is_kept(&self, good: LinePlace) -> bool {
        self.bad_of.contains_key(&good)
    }

    fn add(&mut self, good: LinePlace, bad: LinePlace) {
        self.bad_of.insert(good, bad);
        self.good_of.insert(bad, good);
    }

    fn is_free(&self, good: LinePlace, bad: LinePlace) -> bool {
        !self.bad_of.contains_key(&good) && !self.good_of.contains_key(&bad)
    }

    /// Whether the lines before two lines, or those after them, belong together.
    fn is_near(&self, good: LinePlace, bad: LinePlace) -> bool {
        let before = good.previous().and_then(|good| self.bad_of.get(&good).copied());
        before.is_some_and(|before| before.next() == bad)
            || self.bad_of.get(&good.next()) == Some(&bad.next())
    }

    fn add_unchanged(&mut self, file: usize, changed: &ChangedFile<'_>) {
        let (mut good, mut bad) = (0, 0);
        let end = (changed.good.len(), changed.bad.len());
        let spans = changed.deltas.iter().map(|(_, span)| (span.good.clone(), span.bad.clone()));
        for (old, new) in spans.chain([(end.0..end.0, end.1..end.1)]) {
            while good < old.start && bad < new.start {
                self.add(LinePlace { file, line: good }, LinePlace { file, line: bad });
                (good, bad) = (good + 1, bad + 1);
            }
            (good, bad) = (old.end, new.end);
        }
    }

    fn add_pairs(&mut self, file: usize, changed: &ChangedFile<'_>) {
        for (_, LineEdit { good, bad }) in &changed.deltas {
            if good.len() != 1 || bad.len() != 1 {
                continue;
            }
            let (one, other) = (changed.good.run(good.clone()), changed.bad.run(bad.clone()));
            let places = (LinePlace { file, line: good.start }, LinePlace { file, line: bad.start });
            if without_blanks(one) == without_blanks(other) {
                self.add(places.0, places.1);
            } else {
                self.replaced.insert(places);
            }
        }
    }

    /// Lines that only moved. Of several equal lines, those with neighbours that belong together.
    fn add_moved(&mut self, unmatched: &UnmatchedLines<'_>) {
        let mut places: HashMap<Vec<u8>, Vec<LinePlace>> = HashMap::new();
        for (place, text) in unmatched.bad.iter().filter(|(_, text)| has_word(text)) {
            places.entry(without_blanks(text)).or_default().push(*place);
        }
        for (good, text) in unmatched.good.iter() {
            let free = |bad: &&LinePlace| self.is_free(*good, **bad);
            let found = places.get(&without_blanks(text)).and_then(|places| {
                let near = places.iter().filter(free).find(|bad| self.is_near(*good, **bad));
                near.or_else(|| places.iter().find(free)).copied()
            });
            if let Some(bad) = found {
                self.add(*good, bad);
            }
        }
    }

    /// Lines that changed, and perhaps moved too.
    fn add_alike(&mut self, unmatched: &UnmatchedLines<'_>, renamings: &Renamings) {
        let free = |places: &[(LinePlace, &[u8])], is_taken: &dyn Fn(&LinePlace) -> bool| {
            let free = places.iter().filter(|(place, text)| has_word(text) && !is_taken(place));
            free.map(|(place, text)| (*place, text.to_vec())).collect::<Vec<_>>()
        };
        let good = free(&unmatched.good, &|place| self.bad_of.contains_key(place));
        let bad = free(&unmatched.bad, &|place| self.good_of.contains_key(place));
        if good.len() * bad.len() > MOST_PAIRS {
            return;
        }
        let mut alike = Vec::new();
        for (one, text) in &good {
            let text = renamings.new_line(text);
            for (other, other_text) in &bad {
                let is_here = self.replaced.contains(&(*one, *other)) || self.is_near(*one, *other);
                let score = similarity_of(&text, other_text) + if is_here { MORE_IF_HERE } else { 0 };
                if score >= ENOUGH {
                    alike.push((std::cmp::Reverse(score), *one, *other));
                }
            }
        }
        alike.sort_unstable();
        for (_, one, other) in alike {
            if self.is_free(one, other) {
                self.add(one, other);
                self.edited.push((one, other));
            }
        }
    }

    /// Brackets and blank lines belong together if their neighbours do.
    fn add_neighbours(&mut self, unmatched: &UnmatchedLines<'_>) {
        let texts: HashMap<LinePlace, &[u8]> = unmatched.bad.iter().copied().collect();
        for (good, text) in &unmatched.good {
            let before = good.previous().and_then(|good| self.bad_of.get(&good)).map(|bad| bad.next());
            let after = self.bad_of.get(&good.next()).and_then(|bad| bad.previous());
            let is_same = |bad: &LinePlace| {
                let other = texts.get(bad).copied();
                self.is_free(*good, *bad)
                    && other.is_some_and(|other| other.trim_ascii() == text.trim_ascii())
            };
            if let Some(bad) = [before, after].into_iter().flatten().find(is_same) {
                self.add(*good, bad);
            }
        }
    }
}

/// Changed lines that belong to no line of the other version yet.
struct UnmatchedLines<'a> {
    good: Vec<(LinePlace, &'a [u8])>,
    bad: Vec<(LinePlace, &'a [u8])>,
}

impl<'a> UnmatchedLines<'a> {
    fn of(files: &[ChangedFile<'a>], matches: &LineMatches) -> Self {
        let mut unmatched = Self { good: Vec::new(), bad: Vec::new() };
        for (number, file) in files.iter().enumerate() {
            let place = |line: u32| LinePlace { file: number, line };
            for (_, LineEdit { good, bad }) in &file.deltas {
                let lines = good.clone().map(|line| (place(line), file.good.run(line..line + 1)));
                unmatched.good.extend(lines.filter(|(place, _)| !matches.bad_of.contains_key(place)));
                let lines = bad.clone().map(|line| (place(line), file.bad.run(line..line + 1)));
                unmatched.bad.extend(lines.filter(|(place, _)| !matches.good_of.contains_key(place)));
            }
        }
        unmatched
    }
}

fn has_word(text: &[u8]) -> bool {
    text.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

fn without_blanks(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}
