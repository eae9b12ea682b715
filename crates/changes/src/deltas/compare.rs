//! Two trees side by side: which paths changed, and which of these changes only make sense together.

use crate::deltas::file_change::{FileChange, FileChangeKind, Grain, How};
use crate::deltas::generated::GeneratedMarks;
use crate::deltas::rename::{EntriesByPath, take_renamed};
use crate::trees::contents::same_unread;
use crate::trees::entry::TreeEntry;
use crate::trees::reading::load_all;
use crate::trees::tree::Tree;
use crate::trees::tree_error::TreeError;
use crate::trees::tree_path::TreePath;

/// All changes in the order of their paths. Entries are read only if nothing else tells that they are the same. Of items, those of a
/// file that is marked as generated are one change.
pub(crate) fn compare(
    good: &Tree,
    bad: &Tree,
    grain: Grain,
    marks: &GeneratedMarks,
) -> Result<Vec<FileChange>, TreeError> {
    let mut changes = Vec::new();
    let mut in_both = Vec::new();
    let mut in_good = Vec::new();
    for (path, entry) in good.iter() {
        match bad.get(path) {
            Some(other) if is_same_unread(entry, other) => {}
            Some(other) => in_both.extend([(path, entry), (path, other)]),
            None => in_good.push((path, entry)),
        }
    }
    let in_bad: Vec<_> = bad.iter().filter(|(path, _)| good.get(path).is_none()).collect();
    let mut loaded = load_all(&[&in_both[..], &in_good, &in_bad].concat())?.into_iter();
    for pair in in_both.chunks(2) {
        if let (Some(good), Some(bad)) = (loaded.next(), loaded.next())
            && good != bad
        {
            let path = pair[0].0.clone();
            let is_marked = grain == Grain::Items && marks.name(&path);
            let grain = if is_marked { Grain::Files } else { grain };
            changes.push(FileChange::of_path(path, good, bad, grain));
        }
    }
    let mut removed: EntriesByPath = paths_of(&in_good).zip(&mut loaded).collect();
    let mut added: EntriesByPath = paths_of(&in_bad).zip(&mut loaded).collect();
    take_replaced(good, bad, &mut removed, &mut added, &mut changes);
    changes.extend(take_renamed(&mut removed, &mut added, grain));
    let whole = |how, path, version| FileChange::whole(how, path, version, grain);
    changes.extend(removed.into_iter().map(|(path, version)| whole(How::Removed, path, version)));
    changes.extend(added.into_iter().map(|(path, version)| whole(How::Added, path, version)));
    changes.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(changes)
}

fn paths_of(entries: &[(&TreePath, &TreeEntry)]) -> impl Iterator<Item = TreePath> {
    entries.iter().map(|(path, _)| (*path).clone())
}

fn is_same_unread(good: &TreeEntry, bad: &TreeEntry) -> bool {
    good.kind == bad.kind && same_unread(&*good.contents, &*bad.contents) == Some(true)
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
