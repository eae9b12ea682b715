//! Two trees side by side: which paths changed, and which of these changes only make sense together.

use crate::deltas::file_change::{FileChange, FileChangeKind, Grain, How};
use crate::deltas::rename::{EntriesByPath, take_renamed};
use crate::trees::contents::same_unread;
use crate::trees::entry::{LoadedEntry, TreeEntry};
use crate::trees::tree::Tree;
use crate::trees::tree_error::TreeError;
use crate::trees::tree_path::TreePath;

/// All changes in the order of their paths. Entries are read only if nothing else tells that they are the same.
pub(crate) fn compare(good: &Tree, bad: &Tree, grain: Grain) -> Result<Vec<FileChange>, TreeError> {
    let mut changes = Vec::new();
    let (mut removed, mut added) = (EntriesByPath::new(), EntriesByPath::new());
    for (path, entry) in good.iter() {
        match bad.get(path) {
            Some(other) => changes.extend(compare_entries(path, entry, other, grain)?),
            None => drop(removed.insert(path.clone(), LoadedEntry::read(path, entry)?)),
        }
    }
    for (path, entry) in bad.iter().filter(|(path, _)| good.get(path).is_none()) {
        added.insert(path.clone(), LoadedEntry::read(path, entry)?);
    }
    take_replaced(good, bad, &mut removed, &mut added, &mut changes);
    changes.extend(take_renamed(&mut removed, &mut added, grain));
    let whole = |how, path, version| FileChange::whole(how, path, version, grain);
    changes.extend(removed.into_iter().map(|(path, version)| whole(How::Removed, path, version)));
    changes.extend(added.into_iter().map(|(path, version)| whole(How::Added, path, version)));
    changes.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(changes)
}

fn compare_entries(
    path: &TreePath,
    good: &TreeEntry,
    bad: &TreeEntry,
    grain: Grain,
) -> Result<Option<FileChange>, TreeError> {
    if good.kind == bad.kind && same_unread(&*good.contents, &*bad.contents) == Some(true) {
        return Ok(None);
    }
    let (good, bad) = (LoadedEntry::read(path, good)?, LoadedEntry::read(path, bad)?);
    Ok((good != bad).then(|| FileChange::of_path(path.clone(), good, bad, grain)))
}

/// A file and a directory cannot have the same name, so the removal of one and the addition of the other are one delta.
fn take_replaced(
    good: &Tree,
    bad: &Tree,
    removed: &mut EntriesByPath,
    added: &mut EntriesByPath,
    changes: &mut Vec<FileChange>,
) {
    let roots = |files: &EntriesByPath, tree: &Tree| {
        let is_directory = |path: &&TreePath| tree.first_below(path).is_some();
        files.keys().filter(is_directory).cloned().collect::<Vec<_>>()
    };
    for path in [roots(removed, bad), roots(added, good)].concat() {
        let [good, bad] = [&mut *removed, &mut *added].map(|files| {
            files.extract_if(.., |other, _| *other == path || other.is_below(&path)).collect::<Vec<_>>()
        });
        changes.push(FileChange { path, what: FileChangeKind::Swapped { how: How::Replaced, good, bad } });
    }
}
