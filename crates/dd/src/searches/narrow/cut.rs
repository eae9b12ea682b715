//! Cutting a difference along groups, from coarse to fine: first whole groups, in ever more parts, then what is in them.

use crate::{Configuration, DeltaId};
use std::ops::Range;
use std::sync::Arc;

/// Groups of deltas from coarse to fine; behind the last come the single deltas.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grouping(Arc<[GroupLevel]>);

#[derive(Clone, Debug)]
struct GroupLevel {
    /// For each delta the group that it is in. One that is in none is on its own.
    group_of: Vec<u32>,
    groups: usize,
}

const NO_GROUP: u32 = u32::MAX;

impl GroupLevel {
    /// Where groups overlap, the first one counts.
    fn new(groups: &[Configuration]) -> Self {
        let end = groups.iter().filter_map(Configuration::last).map(|last| last.index() + 1).max();
        let mut group_of = vec![NO_GROUP; end.unwrap_or(0)];
        for (number, group) in groups.iter().enumerate().rev() {
            group.iter().for_each(|delta| group_of[delta.index()] = number as u32);
        }
        Self { group_of, groups: groups.len() }
    }

    /// For each member of a configuration which of the groups in it is its own, counted in the order of their first
    /// members; and how many there are.
    fn places(&self, configuration: &Configuration) -> (Arc<[u32]>, usize) {
        let mut place_of = vec![None; self.groups];
        let mut count = 0;
        let mut next = || {
            count += 1;
            count - 1
        };
        let place = |delta: DeltaId| {
            let group = self.group_of.get(delta.index()).copied().unwrap_or(NO_GROUP);
            match place_of.get_mut(group as usize) {
                Some(place) => *place.get_or_insert_with(&mut next),
                None => next(),
            }
        };
        let places = configuration.iter().map(place).collect();
        (places, count as usize)
    }
}

impl Grouping {
    pub(crate) fn new(levels: &[Vec<Configuration>]) -> Self {
        Self(levels.iter().map(|groups| GroupLevel::new(groups)).collect())
    }
}

/// A difference in `n` parts along the groups of one level, and how far the search has come with them.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    grouping: Grouping,
    level: usize,
    difference: Configuration,
    /// For each delta of the difference the place of its group; none at the level of single deltas.
    places: Option<Arc<[u32]>>,
    groups: usize,
    n: usize,
    /// The pieces are the parts twice, once to be added, once to be taken away. This is the next one to try,
    at: usize,
    /// and so many of them are still to be tried.
    left: usize,
}

/// What is to be tried with a part.
pub(crate) enum CutPiece {
    Add(Configuration),
    TakeAway(Configuration),
}

impl Cut {
    /// In halves along the coarsest groups that tell anything apart.
    pub(crate) fn new(grouping: Grouping, difference: Configuration) -> Self {
        Self::at_level(grouping, 0, difference, 2)
    }

    /// What is left of the difference, along the groups that the cut has come to. Where only a part is left, in halves;
    /// where only a part is gone, in one part less, going on behind it: what was tried before it would hardly come out
    /// differently now.
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
        let mut cut = Self { grouping, level, difference, places: None, groups: 0, n, at: 0, left: 0 };
        cut.enter(level, n);
        cut
    }

    /// The first level from here on that has groups to tell apart. Whether there is one.
    fn enter(&mut self, level: usize, n: usize) -> bool {
        self.level = level;
        while let Some(level) = self.grouping.0.get(self.level) {
            let (places, groups) = level.places(&self.difference);
            if groups > 1 {
                (self.places, self.groups) = (Some(places), groups);
                break;
            }
            self.level += 1;
        }
        if self.level >= self.grouping.0.len() {
            self.level = self.grouping.0.len();
            (self.places, self.groups) = (None, self.difference.len());
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

    /// The next piece to try, or nothing if single deltas have been tried as well.
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
            Some(at) => CutPiece::TakeAway(self.part(at)),
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
        let Some(places) = &self.places else { return self.difference.part(i, self.n) };
        let groups = self.groups_of_part(i);
        let members = self.difference.iter().zip(places.iter());
        members.filter(|(_, place)| groups.contains(place)).map(|(delta, _)| delta).collect()
    }

    fn groups_of_part(&self, i: usize) -> Range<u32> {
        let start = |i: usize| (i * self.groups / self.n) as u32;
        start(i)..start(i + 1)
    }
}
