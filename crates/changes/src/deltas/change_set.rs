//! All deltas between two versions of a source tree, in a fixed order.

use crate::deltas::change::DescribedChange;
use crate::deltas::compare::compare;
use crate::deltas::describe::describe;
use crate::deltas::file_change::{FileChange, FileChangeKind, Grain};
use crate::deltas::generated::{GeneratedMarks, is_generated, sources_of};
use crate::trees::tree::Tree;
use crate::trees::tree_error::TreeError;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};

/// The deltas between a good and a bad version: by path, and within a file its mode first and then line by line.
///
/// It holds the bytes of all files that changed, so a configuration always means the same, whatever happens to the trees later.
/// Any subset of the deltas can be applied: see [`mix`](crate::mix).
#[derive(Clone, Debug)]
pub struct ChangeSet {
    pub(crate) files: Vec<FileChange>,
    /// The first delta of each file, and the number of all deltas as the last element.
    pub(crate) firsts: Vec<u32>,
    /// The files that the bad version calls generated.
    marks: GeneratedMarks,
}

impl ChangeSet {
    /// The changes from the good version to the bad version, one delta for each hunk.
    pub fn between(good: &Tree, bad: &Tree) -> Result<Self, TreeError> {
        Self::compared(good, bad, Grain::Hunks)
    }

    /// The same with one delta for the content of each file.
    pub fn by_files(good: &Tree, bad: &Tree) -> Result<Self, TreeError> {
        Self::compared(good, bad, Grain::Files)
    }

    /// The same with one delta for each function, type, macro and declaration, and for each hunk of other files.
    pub fn by_items(good: &Tree, bad: &Tree) -> Result<Self, TreeError> {
        Self::compared(good, bad, Grain::Items)
    }

    /// The same in the finest deltas: single lines, or a line with the line that replaces it.
    ///
    /// The lines of a text file that is added or removed are deltas too: the file exists as long as one of its lines does.
    pub fn by_lines(good: &Tree, bad: &Tree) -> Result<Self, TreeError> {
        Self::compared(good, bad, Grain::Lines)
    }

    /// The same with each block of changed lines as one delta: no unchanged line is inside a block.
    pub fn by_blocks(good: &Tree, bad: &Tree) -> Result<Self, TreeError> {
        Self::compared(good, bad, Grain::Blocks)
    }

    /// The same with each removed and each added line on its own.
    pub fn by_unpaired_lines(good: &Tree, bad: &Tree) -> Result<Self, TreeError> {
        Self::compared(good, bad, Grain::UnpairedLines)
    }

    fn compared(good: &Tree, bad: &Tree, grain: Grain) -> Result<Self, TreeError> {
        let marks = GeneratedMarks::of(bad);
        let files = compare(good, bad, grain, &marks)?;
        let mut firsts = vec![0];
        let mut deltas = 0;
        firsts.extend(files.iter().map(|file| {
            deltas += file.deltas();
            deltas
        }));
        Ok(Self { files, firsts, marks })
    }

    /// How many deltas there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.firsts[self.files.len()]
    }

    /// Whether the two versions are the same.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// All deltas: the bad version.
    #[must_use]
    pub fn all(&self) -> Configuration {
        Configuration::all(self.len())
    }

    /// What a delta is; `None` if there is no such delta.
    #[must_use]
    pub fn describe(&self, delta: DeltaId) -> Option<DescribedChange<'_>> {
        let file = self.file_of(delta.0)?;
        Some(describe(&self.files[file], delta.0 - self.firsts[file]))
    }

    /// If a program has written a changed file, as its first lines or `.gitattributes` say: the changed files that it comes from.
    pub(crate) fn sources_of_generated(&self, path: &TreePath) -> Option<Vec<TreePath>> {
        let file = self.file(path)?;
        let FileChangeKind::Edited(edited) = &file.what else { return None };
        let [good, bad] = [&edited.good, &edited.bad].map(|version| &version.bytes[..]);
        let is_generated = self.marks.name(path) || is_generated(good) && is_generated(bad);
        is_generated.then(|| sources_of(path, bad, |source| self.file(source).is_some()))
    }

    /// The generated files that changed together with files that they come from.
    pub(crate) fn generated_files(&self) -> Vec<&TreePath> {
        let has_source =
            |path: &&TreePath| self.sources_of_generated(path).is_some_and(|sources| !sources.is_empty());
        self.files.iter().map(|file| &file.path).filter(has_source).collect()
    }

    /// The files that have a delta in the configuration, each with the number of its first delta.
    pub(crate) fn files_of(
        &self,
        configuration: &Configuration,
    ) -> impl Iterator<Item = (&FileChange, DeltaId)> {
        let mut next = configuration.first_from(DeltaId(0));
        std::iter::from_fn(move || {
            let file = self.file_of(next?.0)?;
            next = configuration.first_from(DeltaId(self.firsts[file + 1]));
            Some((&self.files[file], DeltaId(self.firsts[file])))
        })
    }

    /// What became of a path.
    pub(crate) fn file(&self, path: &TreePath) -> Option<&FileChange> {
        self.files.iter().find(|file| file.path == *path)
    }

    fn file_of(&self, delta: u32) -> Option<usize> {
        (delta < self.len()).then(|| self.firsts.partition_point(|&first| first <= delta) - 1)
    }
}
