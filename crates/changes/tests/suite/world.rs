//! Small trees, in memory and in folders.

use howcome_changes::{ChangeSet, EntryKind, LoadedEntry, Mix, Tree, TreeEntry, TreePath, mix};
use howcome_dd::Configuration;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

pub(crate) const PLAIN: EntryKind = EntryKind::PLAIN;
pub(crate) const EXECUTABLE: EntryKind = EntryKind::File { executable: true };

/// What a tree holds, as plain data.
pub(crate) type Files = BTreeMap<Vec<u8>, (EntryKind, Vec<u8>)>;

pub(crate) fn path(path: &[u8]) -> TreePath {
    TreePath::new(path).unwrap()
}

pub(crate) fn files(files: &[(&str, EntryKind, &[u8])]) -> Files {
    files.iter().map(|(path, kind, bytes)| (path.as_bytes().to_vec(), (*kind, bytes.to_vec()))).collect()
}

pub(crate) fn tree(files: &Files) -> Tree {
    let mut tree = Tree::empty();
    for (name, (kind, bytes)) in files {
        tree.insert(path(name), TreeEntry::of_bytes(*kind, bytes)).unwrap();
    }
    tree
}

pub(crate) fn changes(good: &Files, bad: &Files) -> ChangeSet {
    ChangeSet::between(&tree(good), &tree(bad)).unwrap()
}

pub(crate) fn line_changes(good: &Files, bad: &Files) -> ChangeSet {
    ChangeSet::by_lines(&tree(good), &tree(bad)).unwrap()
}

/// The good files with a configuration applied.
pub(crate) fn mixed(good: &Files, changes: &ChangeSet, configuration: &Configuration) -> Files {
    let mix: Mix = mix(changes, configuration);
    let mut files = good.clone();
    for (path, version) in mix.iter() {
        match version {
            Some(LoadedEntry { kind, bytes }) => {
                let old = files.insert(path.as_bytes().to_vec(), (*kind, bytes.to_vec()));
                assert_ne!(old, Some((*kind, bytes.to_vec())), "{path} is listed but did not change");
            }
            None => assert!(files.remove(path.as_bytes()).is_some(), "{path} was not there"),
        }
    }
    files
}

pub(crate) fn words(changes: &ChangeSet) -> Vec<String> {
    changes.all().iter().map(|delta| changes.describe(delta).unwrap().to_string()).collect()
}

pub(crate) fn write(folder: &Path, files: &Files) {
    for (name, (kind, bytes)) in files {
        let path = folder.join(OsStr::from_bytes(name));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match kind {
            EntryKind::Symlink => symlink(OsStr::from_bytes(bytes), path).unwrap(),
            EntryKind::File { executable } => {
                fs::write(&path, bytes).unwrap();
                let mode = if *executable { 0o755 } else { 0o644 };
                fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            }
            EntryKind::Submodule => panic!("a folder holds no submodules"),
        }
    }
}

pub(crate) fn read(folder: &Path) -> Files {
    contents(&Tree::of_directory(folder, |_| false).unwrap())
}

pub(crate) fn contents(tree: &Tree) -> Files {
    let bytes = |entry: &TreeEntry| entry.contents.read().unwrap().to_vec();
    tree.iter().map(|(path, entry)| (path.as_bytes().to_vec(), (entry.kind, bytes(entry)))).collect()
}

/// Some of the deltas, chosen by bits.
pub(crate) fn subset(changes: &ChangeSet, bits: u64) -> Configuration {
    changes.all().iter().filter(|delta| bits >> (delta.0 % 64) & 1 == 1).collect()
}

/// Texts of few different lines, so that many are there more than once.
pub(crate) fn text() -> impl Strategy<Value = Vec<u8>> {
    let line = prop::sample::select(vec![
        &b"a\n"[..],
        b"b\n",
        b"c\r\n",
        b"c\n",
        b"\n",
        b"\r\n",
        b"    x\n",
        b"}\n",
        b"\xff\xfe\n",
        b"-- \n",
        b"@@\n",
        b"\\\n",
    ]);
    let last = prop::sample::select(vec![&b""[..], b"", b"a", b"\r", b"\xe9"]);
    (prop::collection::vec(line, 0..30), last).prop_map(|(lines, last)| [&lines.concat()[..], last].concat())
}

/// Two texts, the second often made of the first by a few edits.
pub(crate) fn texts() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), 0_usize..3, text()), 0..5);
    let edited = (text(), edits).prop_map(|(good, edits)| {
        let mut lines: Vec<Vec<u8>> =
            good.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        for (at, gone, come) in edits {
            let at = at.index(lines.len() + 1);
            let end = (at + gone).min(lines.len());
            let come = come.split_inclusive(|&byte| byte == b'\n').take(2).map(<[u8]>::to_vec);
            lines.splice(at..end, come.collect::<Vec<_>>());
        }
        (good, lines.concat())
    });
    prop_oneof![3 => edited, 1 => (text(), text())]
}

/// Trees of few different names and contents, so that much is in both, has moved, or is in the way.
pub(crate) fn small_tree() -> impl Strategy<Value = Files> {
    let name =
        prop::sample::select(vec!["a", "a/b", "a/b/c", "a/d", "a-b", "d", "d/e", "d/f", "x y/\"z\"", "x y"]);
    let file = prop::sample::select(vec![&b"1\n"[..], b"1\n2\n3\n4", b"0\n1\n2\n3\n5\n", b"", b"\0\n", b"d"]);
    let entry = prop_oneof![
        4 => (any::<bool>(), file).prop_map(|(executable, bytes)| (EntryKind::File { executable }, bytes.to_vec())),
        1 => prop::sample::select(vec!["x y", "nowhere", "elsewhere"]).prop_map(|to| (EntryKind::Symlink, to.into())),
    ];
    prop::collection::vec((name, entry), 0..8).prop_map(|entries| {
        let mut tree = Tree::empty();
        let mut fits =
            |name: &str| tree.insert(path(name.as_bytes()), TreeEntry::of_bytes(PLAIN, b"")).is_ok();
        // Git gives up on links that lead to themselves, so `x y` never is one.
        let leads_to_itself = |name: &str, kind| kind == EntryKind::Symlink && name == "x y";
        let entries = entries.into_iter().filter(|(name, (kind, _))| !leads_to_itself(name, *kind));
        let fitting = entries.filter(|(name, _)| fits(name));
        fitting.map(|(name, entry)| (name.as_bytes().to_vec(), entry)).collect()
    })
}
