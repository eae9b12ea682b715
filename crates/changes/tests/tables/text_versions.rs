//! Versions written as text, one line for each revision or range of revisions.
//!
//! ```text
//! 1-3  calc: list        unit: one
//! 4    calc: list sum
//! 5    unit: two
//! 6    calc: -
//! ```
//!
//! A revision has the files of the one before it; those that its line names are replaced. Each word of a file is a line of it. `-`
//! stands for no file.

use howcome_changes::versions::revision_graph::{Revision, RevisionGraph};
use howcome_changes::versions::revision_id::RevisionId;
use howcome_changes::versions::revision_range::RevisionRange;
use howcome_changes::versions::source::VersionSource;
use howcome_changes::{Base, EntryKind, Tree, TreeEntry, TreePath};
use howcome_run::{Because, Problem};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Files by their names, as lists of lines.
pub(crate) type TextFiles = BTreeMap<String, Vec<String>>;

/// A line of revisions in memory.
pub(crate) struct TextVersions {
    /// In their order.
    revisions: Vec<(RevisionId, TextFiles)>,
    /// Those that are not available.
    pub(crate) absent: BTreeSet<String>,
    /// Whether they are commits.
    pub(crate) has_history: bool,
}

impl TextVersions {
    /// Reads lines as described above.
    pub(crate) fn parse<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        let mut revisions: Vec<(RevisionId, TextFiles)> = Vec::new();
        for line in lines {
            let (numbers, files) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
            let mut tree = revisions.last().map(|(_, files)| files.clone()).unwrap_or_default();
            for (name, lines) in named_files(files) {
                match lines.as_slice() {
                    [none] if none == "-" => drop(tree.remove(&name)),
                    _ => drop(tree.insert(name, lines)),
                }
            }
            for number in first.parse::<usize>().unwrap()..=last.parse().unwrap() {
                assert_eq!(number, revisions.len() + 1, "revisions are numbered from 1: {line}");
                revisions.push((RevisionId::new(number.to_string()), tree.clone()));
            }
        }
        Self { revisions, absent: BTreeSet::new(), has_history: false }
    }

    /// The ids of all revisions.
    pub(crate) fn ids(&self) -> Vec<RevisionId> {
        self.revisions.iter().map(|(id, _)| id.clone()).collect()
    }

    fn position(&self, revision: &RevisionId) -> Option<usize> {
        self.revisions.iter().position(|(id, _)| id == revision)
    }
}

/// `calc: list sum  unit: one` as files.
fn named_files(text: &str) -> Vec<(String, Vec<String>)> {
    let mut files: Vec<(String, Vec<String>)> = Vec::new();
    for word in text.split_whitespace() {
        match (word.strip_suffix(':'), files.last_mut()) {
            (Some(name), _) => files.push((name.to_owned(), Vec::new())),
            (None, Some((_, lines))) => lines.push(word.to_owned()),
            (None, None) => panic!("`{word}` is not in a file"),
        }
    }
    files
}

impl VersionSource for TextVersions {
    fn tree(&self, revision: &RevisionId) -> Result<Arc<Base>, Because> {
        if self.absent.contains(revision.as_str()) {
            return Err(Because::DidNotApply(format!("there is no {revision}")));
        }
        let position = self.position(revision).ok_or_else(|| Because::Broken(format!("no {revision}")))?;
        let mut tree = Tree::empty();
        for (name, lines) in &self.revisions[position].1 {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let entry = TreeEntry::of_bytes(EntryKind::PLAIN, text.as_bytes());
            tree.insert(TreePath::new(name.as_bytes()).unwrap(), entry).unwrap();
        }
        Ok(Base::new(tree, revision.as_str().as_bytes()))
    }

    fn has_history(&self) -> bool {
        self.has_history
    }

    fn range(&self, good: &[RevisionId], bad: &RevisionId) -> Result<RevisionRange, Problem> {
        let first = good.iter().filter_map(|good| self.position(good)).max().map_or(0, |good| good + 1);
        let last = self.position(bad).unwrap_or_default();
        let revision = |index: usize| Revision {
            id: self.revisions[index].0.clone(),
            parents: index
                .checked_sub(1)
                .map(|parent| self.revisions[parent].0.clone())
                .into_iter()
                .collect(),
        };
        Ok(RevisionRange {
            good: good.to_vec(),
            bad: bad.clone(),
            untested_bases: Vec::new(),
            revisions: RevisionGraph::new((first..=last).map(revision).collect()),
        })
    }
}

/// The files of a tree as lists of lines.
pub(crate) fn text_of(tree: &Tree) -> TextFiles {
    let lines = |entry: &TreeEntry| {
        let bytes = entry.contents.read().unwrap();
        String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
    };
    tree.iter().map(|(path, entry)| (path.to_string(), lines(entry))).collect()
}
