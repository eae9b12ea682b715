//! Bytecode of Python is forgotten with its file.

use super::whole;
use crate::world::files;
use howcome_changes::{Checkout, EntryKind};
use std::fs;
use tempfile::tempdir;

#[test]
fn bytecode_of_a_file_that_is_written_is_forgotten_and_no_other() {
    let folder = tempdir().unwrap();
    let version = |text: &'static [u8]| {
        whole(&files(&[
            ("lib/part.py", EntryKind::PLAIN, text),
            ("lib/other.py", EntryKind::PLAIN, b"x = 1\n"),
        ]))
    };
    let mut checkout = Checkout::fresh(folder.path(), version(b"y = 1\n")).unwrap();
    let cache = folder.path().join("lib/__pycache__");
    fs::create_dir(&cache).unwrap();
    for name in ["part.cpython-311.pyc", "other.cpython-311.pyc", "part_two.cpython-311.pyc"] {
        fs::write(cache.join(name), "").unwrap();
    }
    // Python 2 writes it beside the file.
    for name in ["part.pyc", "part.pyo", "other.pyc"] {
        fs::write(folder.path().join("lib").join(name), "").unwrap();
    }
    checkout.switch(folder.path(), version(b"y = 2\n")).unwrap();
    let left = |name: &str| cache.join(name).exists();
    assert!(!left("part.cpython-311.pyc"));
    assert!(left("other.cpython-311.pyc") && left("part_two.cpython-311.pyc"));
    let left = |name: &str| folder.path().join("lib").join(name).exists();
    assert!(!left("part.pyc") && !left("part.pyo") && left("other.pyc"));
}

#[test]
fn bytecode_that_belongs_to_the_version_is_not_forgotten() {
    let folder = tempdir().unwrap();
    let version = |text: &'static [u8]| {
        whole(&files(&[("part.py", EntryKind::PLAIN, text), ("part.pyc", EntryKind::PLAIN, b"committed")]))
    };
    let mut checkout = Checkout::fresh(folder.path(), version(b"y = 1\n")).unwrap();
    checkout.switch(folder.path(), version(b"y = 2\n")).unwrap();
    assert!(folder.path().join("part.pyc").exists());
}
