//! Trees as large as they come.

use crate::world::{PLAIN, path, words};
use howcome_changes::{ChangeSet, Contents, Tree, TreeEntry, apply_to, mix};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// A file of a repository: it has a name by which it is known without being read.
#[derive(Debug)]
struct Object {
    id: String,
    text: String,
}

impl Contents for Object {
    fn read(&self) -> io::Result<Arc<[u8]>> {
        Ok(self.text.as_bytes().into())
    }

    fn identity(&self) -> Option<&[u8]> {
        Some(self.id.as_bytes())
    }
}

fn tree(files: impl Iterator<Item = (String, String)>) -> Tree {
    let mut tree = Tree::empty();
    for (name, text) in files {
        let contents = Arc::new(Object { id: format!("{name}{}", text.len()), text });
        tree.insert(path(name.as_bytes()), TreeEntry { kind: PLAIN, contents }).unwrap();
    }
    tree
}

#[test]
fn a_hundred_thousand_files_are_compared_by_their_names() {
    let files = |changed: &'static str| {
        (0..100_000).map(move |nth| {
            let text = if nth % 997 == 0 { changed } else { "same\n" };
            (format!("src/{}/{}/{nth}.c", nth % 7, nth % 100), text.to_owned())
        })
    };
    let (good, bad) = (tree(files("good\n")), tree(files("is bad\n")));
    let changes = ChangeSet::between(&good, &bad).unwrap();
    assert_eq!(changes.len(), 101);
    assert!(changes.levels().len() > 1);
    let mix = mix(&changes, &changes.all());
    assert_eq!(good.with(&mix).len(), 100_000);
    let carried = apply_to(&changes, &changes.all(), &good, &BTreeMap::new()).unwrap();
    assert_eq!(carried, mix);
}

#[test]
fn a_thousand_files_that_moved_and_changed_are_recognised() {
    let files = |folder: &'static str| {
        (0..1000).map(move |nth| {
            let license = "/* A line of a license that all of the files have. */\n".repeat(20);
            let line = |line: u32| format!("    call({}, {});\n", nth * line % 977, line * 31 % 113);
            let body: String = (0..500).map(line).collect();
            (format!("{folder}/{nth}.c"), format!("{license}{folder}\n{body}{}", "}\n".repeat(10)))
        })
    };
    let (good, bad) = (tree(files("old")), tree(files("new")));
    let changes = ChangeSet::between(&good, &bad).unwrap();
    let moved = words(&changes).iter().filter(|words| words.contains("renamed")).count();
    assert!(moved > 950, "{moved}");
    let changes = ChangeSet::by_lines(&good, &bad).unwrap();
    assert!(changes.len() >= 2000);
}
