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
    /// SplitParts that keep groups together as long as there are enough groups; then the largest are halved.
    Grouped(Arc<[Configuration]>),
}

impl Split {
    /// Along these groups. They must not overlap; a delta in none of them is on its own.
    #[must_use]
    pub fn along(groups: impl IntoIterator<Item = Configuration>) -> Self {
        Split::Grouped(groups.into_iter().collect())
    }

    /// `n` disjoint parts, none empty, whose union is the configuration. `n` is at most its size.
    #[must_use]
    pub fn parts(&self, configuration: &Configuration, n: usize) -> SplitParts {
        match self {
            Split::Even => SplitParts::Even(configuration.clone(), n),
            Split::Grouped(groups) => SplitParts::Listed(merged(pieces(configuration, groups, n), n).into()),
        }
    }
}

/// The parts of a configuration. Even ones are cut out when they are wanted: a hundred thousand take no room.
#[derive(Clone, Debug)]
pub enum SplitParts {
    /// So many parts of the same size.
    Even(Configuration, usize),
    /// These.
    Listed(Arc<[Configuration]>),
}

impl SplitParts {
    /// How many there are.
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

/// The groups within the configuration, in order of their first members, the largest cut into parts until there are `n`.
fn pieces(configuration: &Configuration, groups: &[Configuration], n: usize) -> Vec<Configuration> {
    let mut pieces: Vec<Configuration> =
        groups.iter().map(|group| group.within(configuration)).filter(|group| !group.is_empty()).collect();
    let grouped: Configuration = pieces.iter().flat_map(Configuration::runs).collect();
    pieces.extend(configuration.without(&grouped).iter().map(|delta| [delta].into_iter().collect()));
    pieces.sort_by_key(|piece| piece.get(0));
    let missing = n.saturating_sub(pieces.len());
    let mut cuts = vec![1; pieces.len()];
    // The size of the largest part of a group, the first group first where several are the same.
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

/// Neighbouring pieces put together into `n` parts of nearly equal size.
fn merged(pieces: Vec<Configuration>, n: usize) -> Vec<Configuration> {
    let mut left: usize = pieces.iter().map(Configuration::len).sum();
    let mut pieces = pieces.into_iter().peekable();
    let mut parts = Vec::with_capacity(n);
    for rest in (1..=n).rev() {
        let target = left / rest;
        let mut part = pieces.next().unwrap_or_else(Configuration::empty);
        // Every part still to come needs a piece of its own.
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
