//! Grouping by words: deltas that share rare names, from coarse to fine.

use super::{Dependencies, Words};
use crate::deltas::change_set::ChangeSet;
use howcome_dd::{Configuration, DeltaId};
use std::collections::{BTreeMap, BTreeSet};

/// Groups of the finer and of the coarser level have at most this share of all deltas.
const PARTS: [u32; 2] = [16, 4];
/// Names in more deltas than this do not tell which deltas belong together.
const COMMON: usize = 40;

/// Levels of groups of deltas that belong together by the names in them, coarse ones first.
///
/// Each level has all deltas, and each of its groups is part of a group of the level before. The last level joins only deltas
/// that need each other.
#[must_use]
pub fn by_words(changes: &ChangeSet, words: &Words) -> Vec<Vec<Configuration>> {
    let count = changes.len();
    let dependencies = Dependencies::of(changes, words);
    let mut union = Union::new(count);
    for circle in circles(&dependencies, count) {
        for pair in circle.windows(2) {
            union.join(pair[0], pair[1], u32::MAX);
        }
    }
    let mut levels = vec![union.groups()];
    for part in PARTS {
        let most = (count / part).max(2);
        for delta in 0..count {
            for &needed in dependencies.of_delta(delta) {
                union.join(delta, needed, most);
            }
        }
        for deltas in shared_names(words).values().flatten() {
            for pair in deltas.windows(2) {
                union.join(pair[0], pair[1], most);
            }
        }
        // Deltas that share no name are joined by their files.
        let mut open = None;
        for group in union.groups() {
            let Some(first) = group.first_from(DeltaId(0)) else { continue };
            let is_joined = open.is_some_and(|open| union.join(open, first.0, most));
            open = open.filter(|_| is_joined).or(Some(first.0));
        }
        levels.push(union.groups());
    }
    levels.reverse();
    levels.dedup();
    levels.retain(|level| level.len() > 1);
    levels
}

/// The deltas of each name that changes, rarest names first.
fn shared_names(words: &Words) -> BTreeMap<usize, Vec<Vec<u32>>> {
    let mut mentions: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (delta, words) in (0..).zip(&words.deltas) {
        // A name that is on both sides of a delta did not change there.
        for &id in words.added.symmetric_difference(&words.removed) {
            mentions.entry(id).or_default().push(delta);
        }
    }
    let mut by_rarity: BTreeMap<usize, Vec<Vec<u32>>> = BTreeMap::new();
    for (id, deltas) in mentions {
        let tells = words.is_new_id(id) || words.is_gone_id(id) || deltas.len() <= COMMON / 4;
        if deltas.len() > 1 && deltas.len() <= COMMON && tells {
            by_rarity.entry(deltas.len()).or_default().push(deltas);
        }
    }
    by_rarity
}

/// Deltas that need each other, directly or through others: the strongly connected components, each in order.
fn circles(dependencies: &Dependencies, count: u32) -> Vec<Vec<u32>> {
    let mut reversed: Vec<Vec<u32>> = vec![Vec::new(); count as usize];
    for delta in 0..count {
        dependencies.of_delta(delta).iter().for_each(|&needed| reversed[needed as usize].push(delta));
    }
    let forward = |delta: u32| dependencies.of_delta(delta).iter().copied().collect::<Vec<_>>();
    // Kosaraju's algorithm: in the reverse order of leaving, along the reversed edges.
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for delta in 0..count {
        walk(delta, &forward, &mut seen, &mut order);
    }
    let (mut taken, mut found) = (BTreeSet::new(), Vec::new());
    for &delta in order.iter().rev() {
        let mut circle = Vec::new();
        walk(delta, &|delta| reversed[delta as usize].clone(), &mut taken, &mut circle);
        circle.sort_unstable();
        if circle.len() > 1 {
            found.push(circle);
        }
    }
    found
}

/// Depth first, with its own stack. Records deltas as it leaves them.
fn walk(from: u32, next: &dyn Fn(u32) -> Vec<u32>, seen: &mut BTreeSet<u32>, left: &mut Vec<u32>) {
    if !seen.insert(from) {
        return;
    }
    let mut path = vec![(from, next(from))];
    while let Some((delta, open)) = path.last_mut() {
        match open.pop() {
            Some(child) if seen.insert(child) => path.push((child, next(child))),
            Some(_) => {}
            None => {
                left.push(*delta);
                path.pop();
            }
        }
    }
}

/// Groups that are joined step by step.
struct Union {
    parents: Vec<u32>,
    sizes: Vec<u32>,
}

impl Union {
    fn new(count: u32) -> Self {
        Self { parents: (0..count).collect(), sizes: vec![1; count as usize] }
    }

    fn root(&mut self, mut delta: u32) -> u32 {
        while self.parents[delta as usize] != delta {
            let above = self.parents[self.parents[delta as usize] as usize];
            self.parents[delta as usize] = above;
            delta = above;
        }
        delta
    }

    /// Joins two groups unless the result has more than `most` deltas. Returns whether it did.
    fn join(&mut self, one: u32, other: u32, most: u32) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        let size = self.sizes[one as usize].saturating_add(self.sizes[other as usize]);
        let joins = one != other && size <= most;
        if joins {
            let (low, high) = (one.min(other), one.max(other));
            self.parents[high as usize] = low;
            self.sizes[low as usize] = size;
        }
        joins
    }

    /// All groups, by their first deltas.
    fn groups(&mut self) -> Vec<Configuration> {
        let mut groups: BTreeMap<u32, Vec<DeltaId>> = BTreeMap::new();
        for delta in 0..self.parents.len() as u32 {
            let root = self.root(delta);
            groups.entry(root).or_default().push(DeltaId(delta));
        }
        groups.into_values().map(|group| group.into_iter().collect()).collect()
    }
}
