//! Where the files of a change are in another version, if they have moved.

use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{EditedSides, FileChange, FileChangeKind};
use crate::deltas::similar::{TextsByPath, similar_pairs};
use crate::deltas::text::is_binary;
use crate::knowledge::{base_name, is_compiled, is_header, stem};
use crate::trees::entry::{EntryKind, LoadedEntry};
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_dd::Configuration;
use std::collections::BTreeMap;
use std::sync::Arc;

/// At most this many files are read to find where one has moved.
const MOST_READ: usize = 48;

/// For the files of the chosen changes that a tree does not have: the only file of the same name elsewhere, or the file with a related
/// name or ending that has most of its lines. A file that the changes add has not moved: the tree has never had it.
#[must_use]
pub fn moved(
    changes: &ChangeSet,
    chosen: &Configuration,
    onto: &Tree,
    undone: bool,
) -> BTreeMap<TreePath, TreePath> {
    let mut moved = BTreeMap::new();
    for (file, _) in changes.files_of(chosen) {
        let Some((path, version)) = version_before(file, undone) else { continue };
        let other_name = (path != &file.path).then_some(&file.path);
        if [Some(path), other_name].into_iter().flatten().any(|path| onto.get(path).is_some()) {
            continue;
        }
        let mut same_name =
            onto.iter().map(|(other, _)| other).filter(|other| name(other) == name(&file.path));
        let place = match (same_name.next(), same_name.next()) {
            (Some(only), None) => Some(only.clone()),
            _ => by_content(path, version, onto),
        };
        moved.extend(place.map(|place| (file.path.clone(), place)));
    }
    moved
}

/// The file as a version has it to which the change is applied; `None` if such a version has no such file, or several.
fn version_before(file: &FileChange, undone: bool) -> Option<(&TreePath, &LoadedEntry)> {
    match &file.what {
        FileChangeKind::Swapped { good, bad, .. } => match if undone { bad } else { good }.as_slice() {
            [(path, version)] => Some((path, version)),
            _ => None,
        },
        FileChangeKind::Edited(edited) => match (undone, edited.sides) {
            (false, EditedSides::OnlyBad) | (true, EditedSides::OnlyGood) => None,
            (false, _) => Some((edited.from.as_ref().unwrap_or(&file.path), &edited.good)),
            (true, _) => Some((&file.path, &edited.bad)),
        },
    }
}

/// The file that has most of the lines of a version, among those whose names are related, otherwise among those of the same kind.
fn by_content(path: &TreePath, version: &LoadedEntry, onto: &Tree) -> Option<TreePath> {
    if !matches!(version.kind, EntryKind::File { .. }) || is_binary(&version.bytes) {
        return None;
    }
    let files = || onto.iter().filter(|(_, entry)| matches!(entry.kind, EntryKind::File { .. }));
    let related: Vec<_> = files().filter(|(other, _)| is_related(path, other)).collect();
    let of_same_kind = || files().filter(|(other, _)| is_of_same_kind(path, other)).collect::<Vec<_>>();
    [related, of_same_kind()].into_iter().find_map(|candidates| {
        let read = candidates.into_iter().take(MOST_READ).filter_map(|(other, entry)| {
            let loaded = LoadedEntry::read(other, entry).ok()?;
            (!loaded.bytes.is_empty() && !is_binary(&loaded.bytes)).then_some((other, loaded.bytes))
        });
        let texts: Vec<(&TreePath, Arc<[u8]>)> = read.collect();
        let came: TextsByPath<'_> = texts.iter().map(|(other, bytes)| (*other, &bytes[..])).collect();
        let went: TextsByPath<'_> = [(path, &version.bytes[..])].into();
        similar_pairs(&went, &came).first().map(|(_, to)| (*to).clone())
    })
}

/// Whether one name can have become the other: `name.py` and `name/__init__.py`, `name.c` and `name.cpp`.
fn is_related(one: &TreePath, other: &TreePath) -> bool {
    module(one) == module(other)
}

/// The name that a file is imported or included by: that of its folder if its own says nothing.
fn module(path: &TreePath) -> &[u8] {
    let own = stem(name(path));
    let folder = path.as_bytes().rsplit(|byte| *byte == b'/').nth(1);
    match own {
        b"__init__" | b"mod" | b"index" | b"main" => folder.unwrap_or(own),
        _ => own,
    }
}

fn is_of_same_kind(one: &TreePath, other: &TreePath) -> bool {
    let ending = |path: &TreePath| name(path)[stem(name(path)).len()..].to_vec();
    let both = |is: fn(&[u8]) -> bool| is(one.as_bytes()) && is(other.as_bytes());
    both(is_compiled) || both(is_header) || ending(one) == ending(other)
}

fn name(path: &TreePath) -> &[u8] {
    base_name(path.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "one\ntwo\nthree\nfour\nfive\n";
    const NEW: &str = "one\ntwo\n3\nfour\nfive\n";

    /// Where the change of a file is applied to another tree.
    fn place(path: &str, onto: &[(&str, &str)]) -> Option<String> {
        let (good, bad) = (Tree::of_texts(&[(path, OLD)]), Tree::of_texts(&[(path, NEW)]));
        let changes = ChangeSet::between(&good, &bad).unwrap();
        let moved = moved(&changes, &changes.all(), &Tree::of_texts(onto), false);
        moved.values().next().map(ToString::to_string)
    }

    #[test]
    fn a_file_is_found_by_its_content_if_its_name_has_changed() {
        let other = ("lib/other.py", "a\nb\nc\n");
        assert_eq!(place("name.py", &[("name/__init__.py", OLD), other]).unwrap(), "name/__init__.py");
        assert_eq!(place("name/__init__.py", &[("name.py", OLD), other]).unwrap(), "name.py");
        assert_eq!(place("a.c", &[("src/a.cpp", OLD), ("src/b.cpp", "x\n")]).unwrap(), "src/a.cpp");
        assert_eq!(place("name.py", &[("lib/renamed.py", OLD), other]).unwrap(), "lib/renamed.py");
    }

    #[test]
    fn a_file_with_other_content_is_not_taken_for_it() {
        assert_eq!(place("name.py", &[("name/__init__.py", "a\nb\nc\nd\n")]), None);
        assert_eq!(place("name.py", &[("notes.txt", OLD)]), None);
    }

    #[test]
    fn a_new_file_is_not_taken_for_one_of_the_same_name_elsewhere() {
        let (good, bad) =
            (Tree::of_texts(&[("a", "1\n")]), Tree::of_texts(&[("a", "1\n"), ("b/new", "2\n")]));
        let other = Tree::of_texts(&[("a", "1\n"), ("c/new", "3\n")]);
        for changes in [ChangeSet::between(&good, &bad).unwrap(), ChangeSet::by_lines(&good, &bad).unwrap()] {
            assert!(moved(&changes, &changes.all(), &other, false).is_empty());
            assert_eq!(moved(&changes, &changes.all(), &other, true).len(), 1);
        }
    }
}
