//! Trees written as text: `a src/b(x y z)` is a file `a` with the line `a`, and a file `src/b` with three lines.

use howcome_changes::{Contents, EntryKind, Tree, TreeEntry, TreePath};
use howcome_run::Content;
use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

/// The tree of a text.
pub(crate) fn tree(text: &str) -> Tree {
    let mut tree = Tree::empty();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find([' ', '(']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let (lines, after) = match after.strip_prefix('(') {
            Some(lines) => lines.split_once(')').unwrap_or_else(|| panic!("`{text}` lacks a )")),
            None => (name, after),
        };
        let bytes: String = lines.split_whitespace().map(|line| format!("{line}\n")).collect();
        let contents = Arc::new(NamedBytes::new(bytes.as_bytes()));
        let entry = TreeEntry { kind: EntryKind::PLAIN, contents };
        tree.insert(TreePath::new(name.as_bytes()).unwrap(), entry).unwrap();
        rest = after.trim_start();
    }
    tree
}

/// All words of a tree: the lines of its files, and `@` with the names of its files.
pub(crate) fn words(tree: &Tree) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for (path, entry) in tree.iter() {
        words.insert(format!("@{path}"));
        let bytes = entry.contents.read().unwrap();
        words.extend(String::from_utf8_lossy(&bytes).lines().map(str::to_owned));
    }
    words
}

/// Bytes that are known by a name, as blobs of git are, so that trees of the same files are recognised.
#[derive(Debug)]
struct NamedBytes {
    bytes: Arc<[u8]>,
    name: String,
}

impl NamedBytes {
    fn new(bytes: &[u8]) -> Self {
        Self { bytes: bytes.into(), name: Content::of([bytes]).to_string() }
    }
}

impl Contents for NamedBytes {
    fn read(&self) -> io::Result<Arc<[u8]>> {
        Ok(Arc::clone(&self.bytes))
    }

    fn identity(&self) -> Option<&[u8]> {
        Some(self.name.as_bytes())
    }
}
