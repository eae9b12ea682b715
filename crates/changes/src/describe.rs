//! From the deltas of a file to their descriptions.

use crate::file_change::{Body, Edited, FileChange, How, Part, What};
use crate::hunk::Hunk;
use crate::text::{Text, is_binary};
use crate::{Change, ChangeKind, Kind, TreePath, Version};

/// What the nth delta of a file is.
pub(crate) fn describe(file: &FileChange, nth: u32) -> Change<'_> {
    let path = &file.path;
    match &file.what {
        What::Swapped { how, good, bad } => {
            let what = kind_of_swap(*how, good, bad);
            whole(path, what, good.iter().map(|(_, good)| good), bad.iter().map(|(_, bad)| bad))
        }
        What::Edited(edited) => describe_edited(path, edited, nth),
    }
}

fn describe_edited<'a>(path: &'a TreePath, edited: &'a Edited, nth: u32) -> Change<'a> {
    let Edited { from, good, bad, body, .. } = edited;
    match (edited.part(nth), body, bad.kind) {
        (Part::Place, ..) => whole(path, ChangeKind::Renamed { from: from.as_ref().unwrap_or(path) }, [], []),
        (Part::Mode, _, kind) => {
            let executable = kind == Kind::File { executable: true };
            whole(path, ChangeKind::ModeChanged { executable }, [], [])
        }
        (Part::Body(nth), Body::Text { good, bad, hunks }, _) => lines_of_hunk(path, good, bad, &hunks[nth]),
        (_, _, Kind::File { .. }) => whole(path, ChangeKind::BinaryChanged, [], []),
        (_, _, Kind::Symlink) => whole(path, ChangeKind::TargetChanged, [good], [bad]),
        (_, _, Kind::Submodule) => whole(path, ChangeKind::SubmoduleChanged, [good], [bad]),
    }
}

fn whole<'a>(
    path: &'a TreePath,
    what: ChangeKind<'a>,
    good: impl IntoIterator<Item = &'a Version>,
    bad: impl IntoIterator<Item = &'a Version>,
) -> Change<'a> {
    Change { path, what, old_line: 1, new_line: 1, removed: lines(good), added: lines(bad) }
}

fn lines_of_hunk<'a>(path: &'a TreePath, good: &'a Text, bad: &'a Text, hunk: &'a Hunk) -> Change<'a> {
    let span = hunk.span();
    Change {
        path,
        what: ChangeKind::Lines,
        old_line: span.good.start + 1,
        new_line: span.bad.start + 1,
        removed: hunk.edits().iter().flat_map(|edit| good.lines(edit.good.clone())).collect(),
        added: hunk.edits().iter().flat_map(|edit| bad.lines(edit.bad.clone())).collect(),
    }
}

type Side = [(TreePath, Version)];

fn kind_of_swap<'a>(how: How, good: &'a Side, bad: &'a Side) -> ChangeKind<'a> {
    match (how, good, bad) {
        (How::Removed, [(_, gone), ..], _) => ChangeKind::Removed(gone.kind),
        (How::Added, _, [(_, come), ..]) => ChangeKind::Added(come.kind),
        (How::KindChanged, [(_, from), ..], [(_, to), ..]) => {
            ChangeKind::KindChanged { from: from.kind, to: to.kind }
        }
        // The one that is a file on its side has the shortest path of all.
        _ => ChangeKind::Replaced {
            by_directory: good.iter().any(|(file, _)| bad.iter().all(|(path, _)| path.is_below(file))),
        },
    }
}

fn lines<'a>(versions: impl IntoIterator<Item = &'a Version>) -> Vec<&'a [u8]> {
    let text = versions.into_iter().filter(|version| !is_binary(&version.bytes));
    text.flat_map(|version| version.bytes.split_inclusive(|&byte| byte == b'\n')).collect()
}
