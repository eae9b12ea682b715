//! From the deltas of a file to their descriptions.

use crate::deltas::change::{ChangeKind, DescribedChange};
use crate::deltas::file_change::{Edited, EditedBody, EditedPart, FileChange, FileChangeKind, How};
use crate::deltas::hunk::Hunk;
use crate::deltas::text::{Text, is_binary};
use crate::trees::entry::{EntryKind, LoadedEntry};
use crate::trees::tree_path::TreePath;

/// What the nth delta of a file is.
pub(crate) fn describe(file: &FileChange, nth: u32) -> DescribedChange<'_> {
    let path = &file.path;
    match &file.what {
        FileChangeKind::Swapped { how, good, bad } => {
            let what = kind_of_swap(*how, good, bad);
            whole(path, what, good.iter().map(|(_, good)| good), bad.iter().map(|(_, bad)| bad))
        }
        FileChangeKind::Edited(edited) => describe_edited(path, edited, nth),
    }
}

fn describe_edited<'a>(path: &'a TreePath, edited: &'a Edited, nth: u32) -> DescribedChange<'a> {
    let Edited { from, good, bad, body, .. } = edited;
    match (edited.part(nth), body, bad.kind) {
        (EditedPart::Place, ..) => {
            whole(path, ChangeKind::Renamed { from: from.as_ref().unwrap_or(path) }, [], [])
        }
        (EditedPart::Mode, _, kind) => {
            let executable = kind == EntryKind::File { executable: true };
            whole(path, ChangeKind::ModeChanged { executable }, [], [])
        }
        (EditedPart::EditedBody(nth), EditedBody::Text { good, bad, hunks }, _) => {
            lines_of_hunk(path, good, bad, &hunks[nth])
        }
        (_, _, EntryKind::File { .. }) => whole(path, ChangeKind::BinaryChanged, [], []),
        (_, _, EntryKind::Symlink) => whole(path, ChangeKind::TargetChanged, [good], [bad]),
        (_, _, EntryKind::Submodule) => whole(path, ChangeKind::SubmoduleChanged, [good], [bad]),
    }
}

fn whole<'a>(
    path: &'a TreePath,
    what: ChangeKind<'a>,
    good: impl IntoIterator<Item = &'a LoadedEntry>,
    bad: impl IntoIterator<Item = &'a LoadedEntry>,
) -> DescribedChange<'a> {
    let (removed, added) = (lines(good), lines(bad));
    let (old_lines, new_lines) = (removed.len() as u32, added.len() as u32);
    DescribedChange { path, what, old_line: 1, new_line: 1, old_lines, new_lines, removed, added }
}

fn lines_of_hunk<'a>(
    path: &'a TreePath,
    good: &'a Text,
    bad: &'a Text,
    hunk: &'a Hunk,
) -> DescribedChange<'a> {
    let span = hunk.span();
    DescribedChange {
        path,
        what: ChangeKind::Lines,
        old_line: span.good.start + 1,
        new_line: span.bad.start + 1,
        old_lines: span.good.len() as u32,
        new_lines: span.bad.len() as u32,
        removed: hunk.edits().iter().flat_map(|edit| good.lines(edit.good.clone())).collect(),
        added: hunk.edits().iter().flat_map(|edit| bad.lines(edit.bad.clone())).collect(),
    }
}

type SwappedFiles = [(TreePath, LoadedEntry)];

fn kind_of_swap<'a>(how: How, good: &'a SwappedFiles, bad: &'a SwappedFiles) -> ChangeKind<'a> {
    match (how, good, bad) {
        (How::Removed, [(_, gone), ..], _) => ChangeKind::Removed(gone.kind),
        (How::Added, _, [(_, come), ..]) => ChangeKind::Added(come.kind),
        (How::KindChanged, [(_, from), ..], [(_, to), ..]) => {
            ChangeKind::KindChanged { from: from.kind, to: to.kind }
        }
        // The path that is a file on its side is the shortest of all.
        _ => ChangeKind::Replaced {
            by_directory: good.iter().any(|(file, _)| bad.iter().all(|(path, _)| path.is_below(file))),
        },
    }
}

fn lines<'a>(versions: impl IntoIterator<Item = &'a LoadedEntry>) -> Vec<&'a [u8]> {
    let text = versions.into_iter().filter(|version| !is_binary(&version.bytes));
    text.flat_map(|version| version.bytes.split_inclusive(|&byte| byte == b'\n')).collect()
}
