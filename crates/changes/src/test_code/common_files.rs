//! Makes the held code the same in every version: good, bad, each revision, and each mix of them.

use super::held_source::HeldSource;
use super::held_tests::{HeldTests, HoldingRule};
use crate::deltas::path_filter::PathFilter;
use crate::trees::contents::{Contents, same_unread};
use crate::trees::entry::TreeEntry;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_run::{Content, Problem};
use std::io;
use std::sync::Arc;

/// What every version has in common, whatever its revision holds.
#[derive(Debug, Default)]
pub struct CommonFiles {
    rule: HoldingRule,
    /// Files outside of what may be varied, if anything is.
    filter: Option<PathFilter>,
    /// Files that are copied from the user's folder.
    copied: Vec<(TreePath, TreeEntry)>,
    /// The files of the bad version that are held or may not be varied.
    of_bad: Vec<(TreePath, TreeEntry)>,
    /// The source files of which only the tests are held.
    sources: Vec<CommonSource>,
    /// Test files that no version has.
    left_out: Vec<TreePath>,
}

#[derive(Debug)]
struct CommonSource {
    path: TreePath,
    held: HeldSource,
    /// The entry of the bad version, and the same as every version has it.
    bad: TreeEntry,
    bad_entry: TreeEntry,
}

impl CommonFiles {
    /// The files that are copied into every version, and no others.
    #[must_use]
    pub fn copied(copied: Vec<(TreePath, TreeEntry)>) -> Self {
        let copied = copied.into_iter().map(|(path, entry)| (path, identified(entry))).collect();
        Self { copied, ..Self::default() }
    }

    /// The code of the test as the bad version has it; with a filter, also everything that may not be varied.
    ///
    /// # Errors
    /// If a pattern cannot be understood.
    pub fn holding(self, held: &HeldTests, filter: Option<PathFilter>, bad: &Tree) -> Result<Self, Problem> {
        let rule = held.rule()?;
        let is_common =
            |path: &TreePath| rule.holds(path) || filter.as_ref().is_some_and(|filter| !filter.keeps(path));
        let is_copied = |path: &TreePath| self.copied.iter().any(|(copied, _)| copied == path);
        let of_bad = bad.iter().filter(|(path, _)| is_common(path) && !is_copied(path));
        // There can be many files that may not be varied, so they are not read.
        let common = |path: &TreePath, entry: &TreeEntry| match rule.holds(path) {
            true => identified(entry.clone()),
            false => entry.clone(),
        };
        let of_bad = of_bad.map(|(path, entry)| (path.clone(), common(path, entry))).collect();
        let source = |name: &String| {
            let path = TreePath::new(name.as_bytes()).ok().filter(|path| !is_common(path))?;
            let bad = bad.get(&path)?.clone();
            let bytes = bad.contents.read().ok()?;
            let held = HeldSource::of(&path, &bytes)?;
            Some(CommonSource { bad_entry: hashed(&bad, bytes), path, held, bad })
        };
        let sources = held.sources.iter().filter_map(source).collect();
        Ok(Self { rule, filter, of_bad, sources, ..self })
    }

    /// The same, but no version has these files.
    #[must_use]
    pub fn leaving_out(self, files: &[String]) -> Self {
        let left_out = files.iter().filter_map(|name| TreePath::new(name.as_bytes()).ok()).collect();
        Self { left_out, ..self }
    }

    /// Gives a tree what every version has. A file that would be inside of a file of the tree is left out.
    pub fn add_to(&self, tree: &mut Tree) {
        let is_common = |path: &TreePath| {
            self.rule.holds(path) || self.filter.as_ref().is_some_and(|filter| !filter.keeps(path))
        };
        // Tests that the bad version does not have any more are no part of its test.
        tree.retain(|path| !is_common(path));
        for (path, entry) in self.copied.iter().chain(&self.of_bad) {
            let _ = tree.insert(path.clone(), entry.clone());
        }
        tree.retain(|path| !self.left_out.contains(path));
        for source in &self.sources {
            if let Some(entry) = tree.get(&source.path).and_then(|entry| source.entry(entry)) {
                let _ = tree.insert(source.path.clone(), entry);
            }
        }
    }
}

impl CommonSource {
    /// The entry of a revision with the tests of the bad version. All entries at this path are known by the same kind of hash, so
    /// that trees can still be compared without reading them.
    fn entry(&self, entry: &TreeEntry) -> Option<TreeEntry> {
        let is_bad =
            entry.kind == self.bad.kind && same_unread(&*entry.contents, &*self.bad.contents) == Some(true);
        if is_bad && entry.contents.identity().is_some() {
            return Some(self.bad_entry.clone());
        }
        let bytes = entry.contents.read().ok()?;
        Some(hashed(entry, self.held.hold(&bytes).into()))
    }
}

/// An entry whose bytes are known by their hash, so that trees that hold it can be compared without reading it.
fn identified(entry: TreeEntry) -> TreeEntry {
    match entry.contents.identity().is_none().then(|| entry.contents.read()) {
        Some(Ok(bytes)) => hashed(&entry, bytes),
        _ => entry,
    }
}

fn hashed(entry: &TreeEntry, bytes: Arc<[u8]>) -> TreeEntry {
    let hash = Content::of([&*bytes]).to_string();
    TreeEntry { kind: entry.kind, contents: Arc::new(HashedBytes { bytes, hash }) }
}

/// Bytes in memory, known by the same hash as those of the pool of listed revisions.
#[derive(Debug)]
struct HashedBytes {
    bytes: Arc<[u8]>,
    hash: String,
}

impl Contents for HashedBytes {
    fn read(&self) -> io::Result<Arc<[u8]>> {
        Ok(Arc::clone(&self.bytes))
    }

    fn size(&self) -> Option<u64> {
        Some(self.bytes.len() as u64)
    }

    fn identity(&self) -> Option<&[u8]> {
        Some(self.hash.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(files: &[(&str, &str)]) -> Vec<(String, String)> {
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn every_version_has_the_tests_of_the_bad_one_and_no_others() {
        let bad = Tree::of_texts(&[("cart.py", "bad"), ("tests/test_cart.py", "new"), ("check.sh", "new")]);
        let held = HeldTests { by_name: true, ..HeldTests::default() };
        let common = CommonFiles::default().holding(&held, None, &bad).unwrap();
        let mut good =
            Tree::of_texts(&[("cart.py", "good"), ("tests/test_old.py", "old"), ("check.sh", "old")]);
        common.add_to(&mut good);
        let expected = [("cart.py", "good"), ("check.sh", "new"), ("tests/test_cart.py", "new")];
        assert_eq!(good.texts(), strings(&expected));
    }

    #[test]
    fn what_may_not_be_varied_is_that_of_the_bad_version() {
        let bad = Tree::of_texts(&[("lib/a", "bad"), ("src/b", "bad")]);
        let filter = PathFilter::new(&["src".into()], &[]).unwrap();
        let common = CommonFiles::default().holding(&HeldTests::default(), Some(filter), &bad).unwrap();
        let mut good = Tree::of_texts(&[("lib/a", "good"), ("lib/old", "good"), ("src/b", "good")]);
        common.add_to(&mut good);
        assert_eq!(good.texts(), strings(&[("lib/a", "bad"), ("src/b", "good")]));
    }

    #[cfg(feature = "syntax")]
    #[test]
    fn a_source_file_keeps_its_program_and_gets_the_tests_of_the_bad_version() {
        let text = |number: &str, test: &str| {
            format!("fn f() -> u8 {{\n    {number}\n}}\n\n#[test]\nfn {test}() {{}}\n")
        };
        let bad = Tree::of_texts(&[("src/lib.rs", &text("2", "new"))]);
        let held = HeldTests { sources: vec!["src/lib.rs".to_owned()], ..HeldTests::default() };
        let common = CommonFiles::default().holding(&held, None, &bad).unwrap();
        let mut good = Tree::of_texts(&[("src/lib.rs", &text("1", "old"))]);
        common.add_to(&mut good);
        assert_eq!(good.texts(), strings(&[("src/lib.rs", &text("1", "new"))]));
        let mut same = bad.clone();
        common.add_to(&mut same);
        assert_eq!(same.texts(), bad.texts());
    }
}
