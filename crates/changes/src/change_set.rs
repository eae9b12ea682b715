//! All deltas between two versions of a source tree, in a fixed order.

use crate::compare::compare;
use crate::describe::describe;
use crate::file_change::{FileChange, Grain};
use crate::{Change, Tree, TreeError, mix};
use howcome_dd::{Configuration, DeltaId};
use howcome_run::{Content, Subject};

/// The deltas between a good and a bad version: by path, and within a file its mode first and then line by line.
///
/// It holds the bytes of all files that changed, so whatever happens to the trees later, a configuration always means
/// the same. Any subset of the deltas can be had: see [`mix`].
#[derive(Clone, Debug)]
pub struct ChangeSet {
    pub(crate) files: Vec<FileChange>,
    /// The first delta of each file, and at last how many deltas there are.
    pub(crate) firsts: Vec<u32>,
}

impl ChangeSet {
    /// What makes the bad version of the good one: a delta a hunk.
    pub fn between(good: &Tree, bad: &Tree) -> Result<Self, TreeError> {
        Ok(Self::of_files(compare(good, bad, Grain::Hunks)?))
    }

    /// The same in the finest deltas there are: single lines, or a line with the one that comes in its place.
    ///
    /// The lines of a text that comes or goes are deltas as well: it is there as long as one of its lines is.
    pub fn by_lines(good: &Tree, bad: &Tree) -> Result<Self, TreeError> {
        Ok(Self::of_files(compare(good, bad, Grain::Lines)?))
    }

    fn of_files(files: Vec<FileChange>) -> Self {
        let mut firsts = vec![0];
        let mut deltas = 0;
        firsts.extend(files.iter().map(|file| {
            deltas += file.deltas();
            deltas
        }));
        Self { files, firsts }
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
    pub fn describe(&self, delta: DeltaId) -> Option<Change<'_>> {
        let file = self.file_of(delta.0)?;
        Some(describe(&self.files[file], delta.0 - self.firsts[file]))
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

    fn file_of(&self, delta: u32) -> Option<usize> {
        (delta < self.len()).then(|| self.firsts.partition_point(|&first| first <= delta) - 1)
    }
}

impl Subject for ChangeSet {
    fn deltas(&self) -> u32 {
        self.len()
    }

    fn describe(&self, delta: DeltaId) -> String {
        ChangeSet::describe(self, delta)
            .map_or_else(|| format!("change {delta}"), |change| change.to_string())
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        Some(mix(self, configuration).content())
    }
}
