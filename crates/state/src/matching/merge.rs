//! Differences that make sense only together are one delta: the pointers of a vector and its block, an inserted node of a
//! doubly linked list.

use super::bond::Bond;
use super::compare::{Comparison, FoundDifference};
use super::content::ObjectContents;
use super::side::StateSide;
use crate::graph::{MemoryObjectId, Shape};
use std::collections::HashMap;

/// A run of inserted or lost nodes has at most this number of pointers to it from the nodes next to it: next and previous.
const LINKS: usize = 2;

/// Disjoint sets of numbers (union-find).
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn find(&mut self, of: usize) -> usize {
        let mut top = of;
        while self.0[top] != top {
            self.0[top] = self.0[self.0[top]];
            top = self.0[top];
        }
        top
    }

    /// The smaller number represents both.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// The differences that make up each delta: indices into [`Comparison::found`], each list ascending.
pub(super) fn merged(comparison: &Comparison<'_, '_>) -> Vec<Vec<usize>> {
    let found = &comparison.found;
    let mut sets = Sets::new(found.len());
    let mut bonds: HashMap<Bond, usize> = HashMap::new();
    for (index, difference) in found.iter().enumerate() {
        for bond in &difference.bonds {
            sets.join(*bonds.entry(*bond).or_insert(index), index);
        }
    }
    join_holders(comparison, &bonds, &mut sets);
    for is_other in [false, true] {
        join_nodes(comparison, is_other, &mut sets);
    }
    let mut lists: Vec<Vec<usize>> = vec![Vec::new(); found.len()];
    for index in 0..found.len() {
        lists[sets.find(index)].push(index);
    }
    lists.retain(|list| !list.is_empty());
    lists
}

/// A container, or a record with several pointers into a block, belongs together with a resizing of the block.
fn join_holders(comparison: &Comparison<'_, '_>, bonds: &HashMap<Bond, usize>, sets: &mut Sets) {
    let mut holders = comparison.holders.clone();
    holders.sort_unstable();
    for same in holders.chunk_by(|a, b| a == b) {
        let (bond, object) = same[0];
        if same.len() < 2 && !matches!(bond, Bond::Container(_) | Bond::Resized(_)) {
            continue;
        }
        if let (Some(holders), Some(held)) = (bonds.get(&bond), bonds.get(&Bond::Resized(object))) {
            sets.join(*holders, *held);
        }
    }
}

/// Pointers to a run of nodes that only one of the states has: from the nodes around it, and from the one list that has it
/// as its head or tail. Other pointers to it are deltas of their own.
fn join_nodes(comparison: &Comparison<'_, '_>, is_other: bool, sets: &mut Sets) {
    let side = if is_other { comparison.other } else { comparison.base };
    let partners = if is_other { &comparison.pairs.of_other } else { &comparison.pairs.of_base };
    let lone = |found: &FoundDifference| if is_other { found.lone.1 } else { found.lone.0 };
    if !comparison.found.iter().any(|found| lone(found).is_some()) {
        return;
    }
    let mut runs = lone_runs(side, partners);
    let mut pointers: HashMap<usize, (Vec<usize>, Vec<usize>)> = HashMap::new();
    for (index, found) in comparison.found.iter().enumerate() {
        let (Some(node), Some(vertices)) = (lone(found), found.vertices) else { continue };
        let source = if is_other { vertices.1 } else { vertices.0 };
        let classes = [side.vertex(source).object, node].map(|object| ObjectContents::class(side, object));
        let (links, others) = pointers.entry(runs.find(node.0 as usize)).or_default();
        if classes[0].is_some() && classes[0] == classes[1] { links.push(index) } else { others.push(index) }
    }
    for (mut links, others) in pointers.into_values() {
        if links.is_empty() || links.len() > LINKS {
            continue;
        }
        let is_end = |index: &usize| is_end(comparison, &comparison.found[*index]);
        if others.len() == 1 && others.iter().all(is_end) {
            links.extend(others);
        }
        for link in &links[1..] {
            sets.join(links[0], *link);
        }
    }
}

/// Whether a pointer is the head or the tail of a list: its record has another pointer of the same type.
fn is_end(comparison: &Comparison<'_, '_>, found: &FoundDifference) -> bool {
    let record = found.bonds.iter().find_map(|bond| match bond {
        Bond::Block { record, .. } => Some(*record),
        _ => None,
    });
    let (Some(record), Some((pointer, _))) = (record, found.vertices) else { return false };
    let base = comparison.base;
    let ty = base.vertex(pointer).ty;
    base.parts(record).filter(|edge| base.vertex(edge.to).ty == ty).count() > 1
}

/// Nodes without a partner that are linked with each other.
fn lone_runs(side: &StateSide<'_>, partners: &[Option<MemoryObjectId>]) -> Sets {
    let mut runs = Sets::new(partners.len());
    for (index, partner) in partners.iter().enumerate() {
        let node = MemoryObjectId(index as u32);
        let class = ObjectContents::class(side, node);
        if partner.is_some() || class.is_none() {
            continue;
        }
        side.leaves(side.object(node).vertex, |leaf| {
            if side.vertex(leaf.vertex).shape == Shape::Pointer {
                let target = side.target(leaf.vertex);
                let is_lone = |target: &MemoryObjectId| partners[target.0 as usize].is_none();
                if let Some(target) = target.filter(is_lone)
                    && ObjectContents::class(side, target) == class
                {
                    runs.join(index, target.0 as usize);
                }
            }
        });
    }
    runs
}
