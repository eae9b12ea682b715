//! The changes that lie in the same function or type.

use super::code_item::CodeItem;
use super::functions::functions;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{EditedBody, FileChange, FileChangeKind};
use crate::deltas::hunk::{Hunk, LineEdit};
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};
use std::collections::BTreeMap;

/// The changes of lines in groups, one for each outermost function or type that contains them, in the order of files and lines.
///
/// That is a function of the bad version; if lines are only removed, of the good version. A change is in no group if it touches no
/// function or several. Changes of whole files and of modes are in no group either.
#[must_use]
pub fn by_function(changes: &ChangeSet) -> Vec<Configuration> {
    let mut groups = Vec::new();
    for (file, first) in changes.files_of(&changes.all()) {
        let mut of_file: BTreeMap<FunctionRank, (DeltaId, Configuration)> = BTreeMap::new();
        for (nth, place) in places(file) {
            let delta = DeltaId(first.0 + nth);
            let (_, group) = of_file.entry(place).or_insert_with(|| (delta, Configuration::empty()));
            *group = group.with_delta(delta);
        }
        let mut of_file: Vec<_> = of_file.into_values().collect();
        of_file.sort_by_key(|(delta, _)| *delta);
        groups.extend(of_file.into_iter().map(|(_, group)| group));
    }
    groups
}

/// A function or type by its rank among the outermost ones of its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FunctionRank {
    Bad(usize),
    /// A function that the bad version no longer has.
    Good(usize),
}

/// The deltas of a file that are in a function, each with its number within the file.
fn places(file: &FileChange) -> Vec<(u32, FunctionRank)> {
    let FileChangeKind::Edited(edited) = &file.what else { return Vec::new() };
    let EditedBody::Text { good, bad, hunks } = &edited.body else { return Vec::new() };
    let before = edited.before_body();
    let bad = Outermost::of(&file.path, bad.bytes());
    // In most files, all changes add lines.
    let only_removes = |hunk: &Hunk| hunk.edits().iter().all(|edit| edit.bad.is_empty());
    let good = if hunks.iter().any(only_removes) {
        Outermost::of(&file.path, good.bytes())
    } else {
        Outermost::default()
    };
    let place = |hunk: &Hunk| {
        if only_removes(hunk) {
            place_of_removal(&good, &bad, hunk)
        } else {
            bad.touched(hunk.edits().iter().map(|edit| edit.bad.clone())).map(FunctionRank::Bad)
        }
    };
    let placed = hunks.iter().enumerate();
    placed.filter_map(|(nth, hunk)| Some((before + nth as u32, place(hunk)?))).collect()
}

/// The function that lines were removed from; as a function of the bad version if it still surrounds the gap.
fn place_of_removal(good: &Outermost, bad: &Outermost, hunk: &Hunk) -> Option<FunctionRank> {
    let from = good.touched(hunk.edits().iter().map(|edit| edit.good.clone()))?;
    let LineEdit { bad: gap, .. } = hunk.span();
    let around = bad.around(gap.start).filter(|&item| bad.0[item].name == good.0[from].name);
    Some(around.map_or(FunctionRank::Good(from), FunctionRank::Bad))
}

/// The functions and types that are not inside of another, in order.
#[derive(Default)]
struct Outermost(Vec<CodeItem>);

impl Outermost {
    fn of(path: &TreePath, bytes: &[u8]) -> Self {
        let mut outermost: Vec<CodeItem> = Vec::new();
        for item in functions(path, bytes) {
            if outermost.last().is_none_or(|last| last.lines.end <= item.lines.start) {
                outermost.push(item);
            }
        }
        Self(outermost)
    }

    /// The only function that shares lines with these, which are counted from 0.
    fn touched(&self, lines: impl Iterator<Item = std::ops::Range<u32>>) -> Option<usize> {
        let mut only = None;
        for lines in lines.filter(|lines| !lines.is_empty()) {
            let first = self.0.partition_point(|item| item.lines.end - 1 <= lines.start);
            let after = self.0.partition_point(|item| item.lines.start - 1 < lines.end);
            for item in first..after {
                if only.is_some_and(|only| only != item) {
                    return None;
                }
                only = Some(item);
            }
        }
        only
    }

    /// The function that continues across the gap before a line, which is counted from 0.
    fn around(&self, line: u32) -> Option<usize> {
        let item = self.0.partition_point(|item| item.lines.end - 1 <= line);
        self.0.get(item).is_some_and(|item| item.lines.start - 1 < line).then_some(item)
    }
}
