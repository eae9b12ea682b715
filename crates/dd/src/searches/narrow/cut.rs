//! Cuts a difference along groups, from coarse to fine: first along whole groups, in more and more parts, then inside them.

use crate::{Configuration, DeltaId};
use std::ops::Range;
use std::sync::Arc;

/// Levels of groups, from coarse to fine. After the last level come the single deltas.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grouping(Arc<[GroupLevel]>);

#[derive(Clone, Debug)]
struct GroupLevel {
    /// The group of each delta. A delta that is in no group is a group of its own.
    group_of: Vec<u32>,
    groups: usize,
}

const NO_GROUP: u32 = u32::MAX;

impl GroupLevel {
    /// If groups overlap, the first group counts.
    fn new(groups: &[Configuration]) -> Self {
        let end = groups.iter().filter_map(Configuration::last).map(|last| last.index() + 1).max();
        let mut group_of = vec![NO_GROUP; end.unwrap_or(0)];
        for (number, group) in groups.iter().enumerate().rev() {
            group.iter().for_each(|delta| group_of[delta.index()] = number as u32);
        }
        Self { group_of, groups: groups.len() }
    }

    /// Numbers the groups of a configuration in the order of their first members. Returns the number for each member, and
    /// how many groups there are.
    fn number(&self, configuration: &Configuration) -> (Arc<[u32]>, usize) {
        let mut number_of = vec![None; self.groups];
        let mut count = 0;
        let mut next = || {
            count += 1;
            count - 1
        };
        let number = |delta: DeltaId| {
            let group = self.group_of.get(delta.index()).copied().unwrap_or(NO_GROUP);
            match number_of.get_mut(group as usize) {
                Some(number) => *number.get_or_insert_with(&mut next),
                None => next(),
            }
        };
        let numbers = configuration.iter().map(number).collect();
        (numbers, count as usize)
    }
}

impl Grouping {
    pub(crate) fn new(levels: &[Vec<Configuration>]) -> Self {
        Self(levels.iter().map(|groups| GroupLevel::new(groups)).collect())
    }
}

/// A difference in `n` parts along the groups of one level, and the progress of the search with them.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    grouping: Grouping,
    level: usize,
    difference: Configuration,
    /// For each delta of the difference the number of its group. `None` at the level of single deltas.
    numbers: Option<Arc<[u32]>>,
    groups: usize,
    n: usize,
    /// The index of the next piece. There are 2n pieces: each part to be added, then each part to be removed.
    at: usize,
    /// How many pieces are left.
    left: usize,
}

/// A part, and what to try with it.
pub(crate) enum CutPiece {
    Add(Configuration),
    Remove(Configuration),
}

impl Cut {
    /// Halves a difference along the coarsest level with at least two groups.
    pub(crate) fn new(grouping: Grouping, difference: Configuration) -> Self {
        Self::at_level(grouping, 0, difference, 2)
    }

    /// Cuts what is left of the difference at the same level. If only one part is left, it is halved. If only one part is
    /// gone, there is one part less, and the cut continues after it, because the parts before it would probably have the
    /// same outcomes again.
    pub(crate) fn onward(&self, difference: Configuration) -> Self {
        let a_part_is_gone = difference.len() > self.difference.len() / 2;
        let n = if a_part_is_gone { self.n.saturating_sub(1).max(2) } else { 2 };
        let mut cut = Self::at_level(self.grouping.clone(), self.level, difference, n);
        let has_begun = self.left < 2 * self.n;
        if has_begun && a_part_is_gone && cut.n == n && cut.level == self.level {
            let tried = (self.at + 2 * self.n - 1) % (2 * self.n);
            cut.at = if tried < self.n { tried } else { tried - self.n + n } % (2 * n);
        }
        cut
    }

    fn at_level(grouping: Grouping, level: usize, difference: Configuration, n: usize) -> Self {
        let mut cut = Self { grouping, level, difference, numbers: None, groups: 0, n, at: 0, left: 0 };
        cut.enter(level, n);
        cut
    }

    /// Enters the first level from here on that has at least two groups. Returns whether there is one.
    fn enter(&mut self, level: usize, n: usize) -> bool {
        self.level = level;
        while let Some(level) = self.grouping.0.get(self.level) {
            let (numbers, groups) = level.number(&self.difference);
            if groups > 1 {
                (self.numbers, self.groups) = (Some(numbers), groups);
                break;
            }
            self.level += 1;
        }
        if self.level >= self.grouping.0.len() {
            self.level = self.grouping.0.len();
            (self.numbers, self.groups) = (None, self.difference.len());
        }
        self.cut_into(n.min(self.groups));
        self.groups > 1
    }

    fn cut_into(&mut self, n: usize) {
        (self.n, self.at, self.left) = (n, 0, 2 * n);
    }

    pub(crate) fn grouping(&self) -> Grouping {
        self.grouping.clone()
    }

    /// The next piece to try. `None` after single deltas were tried too.
    pub(crate) fn next(&mut self) -> Option<CutPiece> {
        if self.groups < 2 {
            return None;
        }
        if self.left == 0 && !self.increase_granularity() {
            return None;
        }
        let at = self.at;
        self.at = (at + 1) % (2 * self.n);
        self.left -= 1;
        Some(match at.checked_sub(self.n) {
            None => CutPiece::Add(self.part(at)),
            Some(at) => CutPiece::Remove(self.part(at)),
        })
    }

    fn increase_granularity(&mut self) -> bool {
        if self.n < self.groups {
            self.cut_into((2 * self.n).min(self.groups));
            return true;
        }
        self.level < self.grouping.0.len() && self.enter(self.level + 1, 2)
    }

    fn part(&self, i: usize) -> Configuration {
        let Some(numbers) = &self.numbers else { return self.difference.part(i, self.n) };
        let groups = self.groups_of_part(i);
        let members = self.difference.iter().zip(numbers.iter());
        members.filter(|(_, number)| groups.contains(number)).map(|(delta, _)| delta).collect()
    }

    fn groups_of_part(&self, i: usize) -> Range<u32> {
        let start = |i: usize| (i * self.groups / self.n) as u32;
        start(i)..start(i + 1)
    }
}
