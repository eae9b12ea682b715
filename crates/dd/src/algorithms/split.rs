//! Splitting a configuration: evenly, or along groups that belong together (Zeller 1999, section 6).

use crate::Configuration;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// How a search cuts a configuration into parts.
#[derive(Clone, Debug, Default)]
pub enum Split {
    /// Consecutive parts whose sizes differ by at most one.
    #[default]
    Even,
    /// Parts that keep groups together while there are enough groups. After that, the largest groups are split.
    Grouped(Arc<SplitLevels>),
}

/// Groups of deltas that belong together, from coarse to fine.
#[derive(Clone, Debug)]
pub struct SplitLevels {
    /// There is at least one level.
    levels: Vec<Vec<Configuration>>,
    /// Whether groups stay in the order in which they are listed. If not, they are ordered by their first members.
    is_ordered: bool,
}

impl Split {
    /// Splits along these groups. They must not overlap. A delta that is in no group is a group of its own.
    #[must_use]
    pub fn along(groups: impl IntoIterator<Item = Configuration>) -> Self {
        Self::along_levels(vec![groups.into_iter().collect()])
    }

    /// Splits along the coarsest level that has enough groups; if none has, along the finest, whose groups are split.
    #[must_use]
    pub fn along_levels(levels: Vec<Vec<Configuration>>) -> Self {
        match levels.is_empty() {
            true => Split::Even,
            false => Split::Grouped(Arc::new(SplitLevels { levels, is_ordered: false })),
        }
    }

    /// Splits along these groups, and keeps them in this order: parts are consecutive groups. Deltas in no group come last.
    #[must_use]
    pub fn in_order(groups: Vec<Configuration>) -> Self {
        Split::Grouped(Arc::new(SplitLevels { levels: vec![groups], is_ordered: true }))
    }

    /// Splits a configuration into `n` disjoint parts, none of them empty. `n` is at most its size.
    #[must_use]
    pub fn parts(&self, configuration: &Configuration, n: usize) -> SplitParts {
        match self {
            Split::Even => SplitParts::Even(configuration.clone(), n),
            Split::Grouped(levels) => SplitParts::Listed(merged(levels.pieces(configuration, n), n).into()),
        }
    }
}

/// The parts of a configuration. Even parts are made only when they are needed, so 100,000 of them take no memory.
#[derive(Clone, Debug)]
pub enum SplitParts {
    /// This number of parts of the same size.
    Even(Configuration, usize),
    /// A list of parts.
    Listed(Arc<[Configuration]>),
}

impl SplitParts {
    /// The number of parts.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            SplitParts::Even(_, n) => *n,
            SplitParts::Listed(parts) => parts.len(),
        }
    }

    /// Part `i`, counted from 0.
    #[must_use]
    pub fn get(&self, i: usize) -> Configuration {
        match self {
            SplitParts::Even(configuration, n) => configuration.part(i, *n),
            SplitParts::Listed(parts) => parts[i].clone(),
        }
    }
}

impl SplitLevels {
    /// The groups in the configuration at the coarsest level with at least `n` of them. If there are fewer, the largest are split.
    fn pieces(&self, configuration: &Configuration, n: usize) -> Vec<Configuration> {
        let mut pieces = Vec::new();
        for groups in &self.levels {
            pieces = self.groups_within(configuration, groups);
            if pieces.len() >= n {
                return pieces;
            }
        }
        cut_largest(&pieces, n)
    }

    fn groups_within(&self, configuration: &Configuration, groups: &[Configuration]) -> Vec<Configuration> {
        let mut pieces: Vec<Configuration> = groups
            .iter()
            .map(|group| group.within(configuration))
            .filter(|group| !group.is_empty())
            .collect();
        let grouped: Configuration = pieces.iter().flat_map(Configuration::runs).collect();
        pieces.extend(configuration.without(&grouped).iter().map(|delta| [delta].into_iter().collect()));
        if !self.is_ordered {
            pieces.sort_by_key(|piece| piece.get(0));
        }
        pieces
    }
}

fn cut_largest(pieces: &[Configuration], n: usize) -> Vec<Configuration> {
    let missing = n.saturating_sub(pieces.len());
    let mut cuts = vec![1; pieces.len()];
    // The size of the largest part of each group. If sizes are equal, the first group comes first.
    let mut sizes: BinaryHeap<(usize, Reverse<usize>)> =
        pieces.iter().enumerate().map(|(group, piece)| (piece.len(), Reverse(group))).collect();
    for _ in 0..missing {
        let Some((_, Reverse(group))) = sizes.pop() else { break };
        cuts[group] += 1;
        sizes.push((pieces[group].len().div_ceil(cuts[group]), Reverse(group)));
    }
    let parts = |(piece, cuts): (&Configuration, &usize)| {
        let (piece, cuts) = (piece.clone(), *cuts);
        (0..cuts).map(move |i| piece.part(i, cuts))
    };
    pieces.iter().zip(&cuts).flat_map(parts).collect()
}

/// Joins neighbouring pieces into `n` parts of nearly equal size.
fn merged(pieces: Vec<Configuration>, n: usize) -> Vec<Configuration> {
    let mut left: usize = pieces.iter().map(Configuration::len).sum();
    let mut pieces = pieces.into_iter().peekable();
    let mut parts = Vec::with_capacity(n);
    for rest in (1..=n).rev() {
        let target = left / rest;
        let mut part = pieces.next().unwrap_or_else(Configuration::empty);
        // Each of the remaining parts needs at least one piece.
        while pieces.len() >= rest {
            let Some(next) = pieces.next_if(|next| part.len() + next.len() <= target) else {
                break;
            };
            part = part.with(&next);
        }
        left -= part.len();
        parts.push(part);
    }
    parts
}
