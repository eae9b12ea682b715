//! Files that moved.

use crate::compare::Versions;
use crate::file_change::{FileChange, Grain};
use crate::{TreePath, Version};
use std::collections::HashMap;

/// A file that went and one that came with the same bytes are one file that moved.
pub(crate) fn take_renamed(removed: &mut Versions, added: &mut Versions, grain: Grain) -> Vec<FileChange> {
    let mut changes = Vec::new();
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
        changes.push(FileChange::moved(from, version.clone(), path, version, grain));
    }
    changes
}

/// Of several files with the same bytes, one that kept its name, otherwise the first in order.
fn take_likeliest(paths: &mut Vec<TreePath>, to: &TreePath) -> Option<TreePath> {
    let kept_its_name = |from: &TreePath| from.as_path().file_name() == to.as_path().file_name();
    match paths.iter().rposition(kept_its_name) {
        Some(at) => Some(paths.remove(at)),
        None => paths.pop(),
    }
}
