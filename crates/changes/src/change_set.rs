//! All deltas between two versions of a source tree, in a fixed order.

use crate::compare::compare;
use crate::describe::describe;
use crate::file_change::{FileChange, Grain};
use crate::{Change, Tree, TreeError, mix};
use howcome_dd::{Configuration, DeltaId};
use howcome_run::{Content, Subject};
use std::ops::Range;

/// The deltas between a good and a bad version: by path, and within a file its mode first and then line by line.
///
/// It holds the bytes of all files that changed, so whatever happens to the trees later, a configuration always means
/// the same. Any subset of the deltas can be had: see [`mix`].
#[derive(Clone, Debug)]
pub struct ChangeSet {
    files: Vec<FileChange>,
    /// The first delta of each file, and at last how many deltas there are.
    firsts: Vec<u32>,
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

    /// The deltas in groups, from coarse to fine: directories by their depth, files, hunks, single deltas.
    ///
    /// Each level holds all deltas, and each of its groups lies within one of the level before. Levels that decide
    /// nothing are left out: those of one group only, and those that are the same as the next.
    #[must_use]
    pub fn levels(&self) -> Vec<Vec<Range<u32>>> {
        let deepest = self.files.iter().map(|file| file.path.directories().count()).max().unwrap_or(0);
        let mut levels: Vec<_> = (0..deepest).map(|depth| self.directories(depth)).collect();
        levels.push(self.firsts.windows(2).map(|pair| pair[0]..pair[1]).collect());
        levels.push(self.hunks());
        levels.push((0..self.len()).map(|delta| delta..delta + 1).collect());
        levels.dedup();
        let last = levels.pop();
        levels.retain(|level| level.len() > 1);
        levels.extend(last.filter(|level| !level.is_empty()));
        levels
    }

    /// The directories of a depth; files that do not lie so deep are groups of their own.
    fn directories(&self, depth: usize) -> Vec<Range<u32>> {
        let directory = |file: &FileChange| file.path.directories().nth(depth).map(<[u8]>::to_vec);
        let mut groups: Vec<Range<u32>> = Vec::new();
        let mut open = None;
        for (file, firsts) in self.files.iter().zip(self.firsts.windows(2)) {
            let directory = directory(file);
            match groups.last_mut() {
                Some(group) if directory.is_some() && directory == open => group.end = firsts[1],
                _ => groups.push(firsts[0]..firsts[1]),
            }
            open = directory;
        }
        groups
    }

    fn hunks(&self) -> Vec<Range<u32>> {
        let mut end = 0;
        let mut group = |deltas| {
            end += deltas;
            end - deltas..end
        };
        self.files.iter().flat_map(FileChange::groups).map(&mut group).collect()
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
