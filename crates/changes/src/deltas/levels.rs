//! The deltas in groups, for a search from coarse to fine.

use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::FileChange;
use howcome_dd::{Configuration, DeltaId};
use std::ops::Range;

impl ChangeSet {
    /// The deltas in groups, from coarse to fine: directories by their depth, files, hunks, single deltas.
    ///
    /// Each level holds all deltas, and each of its groups is part of a group of the level before. Levels that do not help are left
    /// out: those with a single group, and those that are the same as the next level.
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

    /// The same levels as configurations, without the last one of single deltas, which every search has anyway.
    #[must_use]
    pub fn level_groups(&self) -> Vec<Vec<Configuration>> {
        let mut levels = self.levels();
        levels.pop();
        levels.into_iter().map(|level| level.into_iter().map(Configuration::from_run).collect()).collect()
    }

    /// All deltas of the hunks that have a delta in the configuration.
    #[must_use]
    pub(crate) fn hunks_with(&self, chosen: &Configuration) -> Configuration {
        let is_chosen = |hunk: &Range<u32>| hunk.clone().any(|delta| chosen.contains(DeltaId(delta)));
        self.hunks().into_iter().filter(is_chosen).flatten().map(DeltaId).collect()
    }

    /// The directories of a depth. Files above that depth are groups of their own.
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
}
