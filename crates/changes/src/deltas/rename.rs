//! Files that moved, with or without changes.

use crate::deltas::file_change::{FileChange, Grain};
use crate::deltas::similar::{TextsByPath, name, similar_pairs};
use crate::deltas::text::is_binary;
use crate::trees::entry::{EntryKind, LoadedEntry};
use crate::trees::tree_path::TreePath;
use std::collections::{BTreeMap, HashMap};

/// Entries of one side.
pub(crate) type EntriesByPath = BTreeMap<TreePath, LoadedEntry>;

/// Takes pairs of a removed and an added file that are one file which moved.
pub(crate) fn take_renamed(
    removed: &mut EntriesByPath,
    added: &mut EntriesByPath,
    grain: Grain,
) -> Vec<FileChange> {
    let mut changes = take_unchanged(removed, added, grain);
    let pairs: Vec<_> = similar_pairs(&texts(removed), &texts(added))
        .into_iter()
        .map(|(from, to)| (from.clone(), to.clone()))
        .collect();
    for (from, to) in pairs {
        if let (Some(good), Some(bad)) = (removed.remove(&from), added.remove(&to)) {
            changes.push(FileChange::moved(from, good, to, bad, grain));
        }
    }
    changes
}

/// The pairs with the same bytes and the same mode.
fn take_unchanged(removed: &mut EntriesByPath, added: &mut EntriesByPath, grain: Grain) -> Vec<FileChange> {
    // Empty files are all the same, which does not tell where they come from.
    let mut sources: HashMap<LoadedEntry, Vec<TreePath>> = HashMap::new();
    for (path, version) in removed.iter().rev().filter(|(_, version)| !version.bytes.is_empty()) {
        sources.entry(version.clone()).or_default().push(path.clone());
    }
    let mut changes = Vec::new();
    for (path, version) in std::mem::take(added) {
        let Some(from) = sources.get_mut(&version).and_then(|paths| take_likeliest(paths, &path)) else {
            added.insert(path, version);
            continue;
        };
        removed.remove(&from);
        changes.push(FileChange::moved(from, version.clone(), path, version, grain));
    }
    changes
}

/// Of several files with the same bytes, the one that kept its name, otherwise the first.
fn take_likeliest(paths: &mut Vec<TreePath>, to: &TreePath) -> Option<TreePath> {
    match paths.iter().rposition(|from| name(from) == name(to)) {
        Some(at) => Some(paths.remove(at)),
        None => paths.pop(),
    }
}

fn texts(files: &EntriesByPath) -> TextsByPath<'_> {
    let is_text =
        |version: &LoadedEntry| matches!(version.kind, EntryKind::File { .. }) && !is_binary(&version.bytes);
    let texts = files.iter().filter(|(_, version)| is_text(version) && !version.bytes.is_empty());
    texts.map(|(path, version)| (path, &version.bytes[..])).collect()
}
