//! Trees of folders.

use crate::world::{EXECUTABLE, PLAIN, files, path, read, tree, write};
use howcome_changes::{ChangeSet, Contents, EntryKind, Tree, TreeEntry, TreeError};
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::{fs, io};

#[test]
fn a_folder_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = files(&[
        ("a/b/c", EXECUTABLE, b"1"),
        ("a/link", EntryKind::Symlink, b"../elsewhere"),
        ("a/loop", EntryKind::Symlink, b"."),
        ("plain", PLAIN, b""),
    ]);
    files.insert(b"no \xff utf-8/\xfe".to_vec(), (PLAIN, b"\xff".to_vec()));
    write(folder.path(), &files);
    assert_eq!(read(folder.path()), files);
}

#[test]
fn repositories_and_our_own_runs_are_no_part_of_a_version() {
    let folder = tempfile::tempdir().unwrap();
    for name in [".git/config", "sub/.git", "howcome.out/run.json", "target/x", "kept"] {
        fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        fs::write(folder.path().join(name), "").unwrap();
    }
    let tree = Tree::of_directory(folder.path(), |path| path.as_bytes() == b"target").unwrap();
    assert_eq!(tree.iter().map(|(path, _)| path.to_string()).collect::<Vec<_>>(), ["kept"]);
}

#[test]
fn a_socket_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let _socket = UnixListener::bind(folder.path().join("socket")).unwrap();
    let error = Tree::of_directory(folder.path(), |_| false).unwrap_err();
    assert!(matches!(error, TreeError::Special(_)), "{error}");
    assert!(error.hint().contains("leave it out"));
    assert!(Tree::of_directory(folder.path(), |path| path.as_bytes() == b"socket").unwrap().is_empty());
}

#[test]
fn a_folder_that_is_none_is_an_error_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Tree::of_directory(&folder.path().join("missing"), |_| false).unwrap_err();
    assert!(missing.hint().contains("check the name"));
    fs::write(folder.path().join("file"), "").unwrap();
    let file = Tree::of_directory(&folder.path().join("file"), |_| false).unwrap_err();
    assert!(file.hint().contains("folder"));
}

#[test]
fn a_tree_holds_nothing_inside_of_a_file() {
    let mut tree = tree(&files(&[("a/b", PLAIN, b"")]));
    for name in ["a", "a/b/c"] {
        let error = tree.insert(path(name.as_bytes()), TreeEntry::of_bytes(PLAIN, b"")).unwrap_err();
        assert!(matches!(error, TreeError::InsideAFile { .. }), "{error}");
    }
    tree.insert(path(b"a-b"), TreeEntry::of_bytes(PLAIN, b"")).unwrap();
}

/// Contents with a name, which must not be read.
#[derive(Debug)]
struct Named(&'static str);

impl Contents for Named {
    fn read(&self) -> io::Result<Arc<[u8]>> {
        Err(io::Error::other("was read"))
    }

    fn identity(&self) -> Option<&[u8]> {
        Some(self.0.as_bytes())
    }
}

#[test]
fn what_is_known_to_be_the_same_is_not_read() {
    let tree = |name| {
        let mut tree = Tree::empty();
        tree.insert(path(b"a"), TreeEntry { kind: PLAIN, contents: Arc::new(Named(name)) }).unwrap();
        tree
    };
    assert!(ChangeSet::between(&tree("1"), &tree("1")).unwrap().is_empty());
    let error = ChangeSet::between(&tree("1"), &tree("2")).unwrap_err();
    assert_eq!(error.to_string(), "can't read a: was read");
}
