//! Two trees side by side: which paths changed, and which of these changes only make sense together.

use crate::contents::same_unread;
use crate::file_change::{FileChange, How, What};
use crate::{Entry, Tree, TreeError, TreePath, Version};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// All changes in the order of their paths. What is the same on both sides is read only where nothing else tells.
pub(crate) fn compare(good: &Tree, bad: &Tree) -> Result<Vec<FileChange>, TreeError> {
    let mut changes = Vec::new();
    let (mut removed, mut added) = (Versions::new(), Versions::new());
    for (path, entry) in good.iter() {
        match bad.get(path) {
            Some(other) => changes.extend(compare_entries(path, entry, other)?),
            None => drop(removed.insert(path.clone(), Version::read(path, entry)?)),
        }
    }
    for (path, entry) in bad.iter().filter(|(path, _)| good.get(path).is_none()) {
        added.insert(path.clone(), Version::read(path, entry)?);
    }
    take_replaced(good, bad, &mut removed, &mut added, &mut changes);
    take_renamed(&mut removed, &mut added, &mut changes);
    let whole = |how, path: TreePath, good, bad| FileChange { path, what: What::Swapped { how, good, bad } };
    changes
        .extend(removed.into_iter().map(|gone| whole(How::Removed, gone.0.clone(), vec![gone], Vec::new())));
    changes.extend(added.into_iter().map(|come| whole(How::Added, come.0.clone(), Vec::new(), vec![come])));
    changes.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(changes)
}

type Versions = BTreeMap<TreePath, Version>;

fn compare_entries(path: &TreePath, good: &Entry, bad: &Entry) -> Result<Option<FileChange>, TreeError> {
    if good.kind == bad.kind && same_unread(&*good.contents, &*bad.contents) == Some(true) {
        return Ok(None);
    }
    let (good, bad) = (Version::read(path, good)?, Version::read(path, bad)?);
    Ok((good != bad).then(|| FileChange::of_path(path.clone(), good, bad)))
}

/// A file can't stand beside a directory of its name, so what makes way and what comes are one delta.
fn take_replaced(
    good: &Tree,
    bad: &Tree,
    removed: &mut Versions,
    added: &mut Versions,
    changes: &mut Vec<FileChange>,
) {
    let roots = |files: &Versions, tree: &Tree| {
        let is_directory = |path: &&TreePath| tree.first_below(path).is_some();
        files.keys().filter(is_directory).cloned().collect::<Vec<_>>()
    };
    for path in [roots(removed, bad), roots(added, good)].concat() {
        let [good, bad] = [&mut *removed, &mut *added].map(|files| {
            files.extract_if(.., |other, _| *other == path || other.is_below(&path)).collect::<Vec<_>>()
        });
        changes.push(FileChange { path, what: What::Swapped { how: How::Replaced, good, bad } });
    }
}

/// A file that went and one that came with the same bytes are one file that moved.
fn take_renamed(removed: &mut Versions, added: &mut Versions, changes: &mut Vec<FileChange>) {
    // Empty files are all alike, which says nothing about where they come from.
    let mut sources: HashMap<Version, Vec<TreePath>> = HashMap::new();
    for (path, version) in removed.iter().rev().filter(|(_, version)| !version.bytes.is_empty()) {
        sources.entry(version.clone()).or_default().push(path.clone());
    }
    for (path, version) in std::mem::take(added) {
        let Some(from) = sources.get_mut(&version).and_then(|paths| take_likeliest(paths, &path)) else {
            added.insert(path, version);
            continue;
        };
        removed.remove(&from);
        let bytes = Arc::clone(&version.bytes);
        let good = vec![(from, Version { kind: version.kind, bytes })];
        let bad = vec![(path.clone(), version)];
        changes.push(FileChange { path, what: What::Swapped { how: How::Renamed, good, bad } });
    }
}

/// Of several files with the same bytes, one that kept its name, otherwise the first in order.
fn take_likeliest(paths: &mut Vec<TreePath>, to: &TreePath) -> Option<TreePath> {
    let kept_its_name = |from: &TreePath| from.as_path().file_name() == to.as_path().file_name();
    match paths.iter().rposition(kept_its_name) {
        Some(at) => Some(paths.remove(at)),
        None => paths.pop(),
    }
}
