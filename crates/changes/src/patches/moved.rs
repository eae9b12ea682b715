//! Where the files of a change are in another version, if they have moved.

use crate::deltas::change_set::ChangeSet;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_dd::Configuration;
use std::collections::BTreeMap;

/// For the files of the chosen changes that a tree does not have: the only file of the same name elsewhere, if there is one.
#[must_use]
pub fn moved(changes: &ChangeSet, chosen: &Configuration, onto: &Tree) -> BTreeMap<TreePath, TreePath> {
    let missing =
        changes.files_of(chosen).map(|(file, _)| &file.path).filter(|path| onto.get(path).is_none());
    let mut moved = BTreeMap::new();
    for path in missing {
        let mut same_name = onto.iter().map(|(other, _)| other).filter(|other| name(other) == name(path));
        if let (Some(only), None) = (same_name.next(), same_name.next()) {
            moved.insert(path.clone(), only.clone());
        }
    }
    moved
}

fn name(path: &TreePath) -> &[u8] {
    path.as_bytes().rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}
