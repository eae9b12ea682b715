//! From the deltas of a file to their descriptions.

use crate::file_change::{Body, FileChange, How, What};
use crate::hunk::Hunk;
use crate::text::{Text, is_binary};
use crate::{Change, ChangeKind, Kind, TreePath, Version};

/// What the nth delta of a file is.
pub(crate) fn describe(file: &FileChange, nth: u32) -> Change<'_> {
    let path = &file.path;
    match &file.what {
        What::Swapped { how, good, bad } => {
            let what = kind_of_swap(*how, good, bad);
            match how {
                // Its lines are the same on both sides.
                How::Renamed => whole(path, what, [], []),
                _ => whole(path, what, good.iter().map(|(_, good)| good), bad.iter().map(|(_, bad)| bad)),
            }
        }
        What::Edited { good, bad, body } => {
            let mode_changes = good.kind != bad.kind;
            match (body, bad.kind) {
                (_, Kind::File { executable }) if mode_changes && nth == 0 => {
                    whole(path, ChangeKind::ModeChanged { executable }, [], [])
                }
                (Body::Hunks { good, bad, hunks }, _) => {
                    lines_of_hunk(path, good, bad, &hunks[(nth - u32::from(mode_changes)) as usize])
                }
                (_, Kind::File { .. }) => whole(path, ChangeKind::BinaryChanged, [], []),
                (_, Kind::Symlink) => whole(path, ChangeKind::TargetChanged, [good], [bad]),
                (_, Kind::Submodule) => whole(path, ChangeKind::SubmoduleChanged, [good], [bad]),
            }
        }
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
        (How::Renamed, [(from, _), ..], _) => ChangeKind::Renamed { from },
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
