//! Pairs the objects of the two states.
//!
//! Variables are the same if they have the same name, frame, file and function. The targets of pointers are paired in two
//! ways. *By content*: the nodes that a pointer (or all pointers of an array) leads to through nodes of the same kind (a
//! list, a tree, a table with its chains) are aligned as sequences, so that an inserted or lost node does not shift the
//! others. *By place*: two pointers with the same name lead to the same object, whatever its content. Content comes first
//! everywhere; place decides about the rest, breadth first from the variables.

use super::align::{align, unique};
use super::content::ObjectContents;
use super::roots::{Root, common_roots};
use super::side::{StateSide, mix};
use crate::graph::{Label, MemoryObjectId, ObjectKind, Shape};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// An object is compared by content at most this many times; then only its place counts. It limits nodes with many pointers
/// to them.
const TRIES: u8 = 4;

/// Two objects that are the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObjectPair {
    pub(super) base: MemoryObjectId,
    pub(super) other: MemoryObjectId,
    /// The index in [`Pairs::roots`] of the variable that leads to it.
    pub(super) root: u32,
}

/// The pairs of objects.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pub(super) roots: Vec<Root>,
    /// All pairs, those of variables first, then by distance.
    pub(super) all: Vec<ObjectPair>,
    pub(super) of_base: Vec<Option<MemoryObjectId>>,
    pub(super) of_other: Vec<Option<MemoryObjectId>>,
}

/// Pointers with one name on both sides: one each, or all of an array.
struct Port {
    base: Range<usize>,
    other: Range<usize>,
    root: u32,
}

struct Matcher<'s, 'a> {
    base: &'s StateSide<'a>,
    other: &'s StateSide<'a>,
    base_contents: ObjectContents,
    other_contents: ObjectContents,
    base_visits: Visits,
    other_visits: Visits,
    pairs: Pairs,
    /// The targets of ports: a number for the place in an array, and the object.
    targets: Vec<(u64, MemoryObjectId)>,
    by_content: VecDeque<Port>,
    by_place: VecDeque<Port>,
}

/// The nodes that a walk has seen, and how often each was seen by all walks.
struct Visits {
    walk: u32,
    seen: Vec<u32>,
    tries: Vec<u8>,
}

impl Pairs {
    pub(super) fn of(base: &StateSide<'_>, other: &StateSide<'_>) -> Self {
        let mut matcher = Matcher {
            base,
            other,
            base_contents: ObjectContents::new(base),
            other_contents: ObjectContents::new(other),
            base_visits: Visits::new(base),
            other_visits: Visits::new(other),
            pairs: Self {
                of_base: vec![None; base.graph.objects.len()],
                of_other: vec![None; other.graph.objects.len()],
                ..Self::default()
            },
            targets: Vec::new(),
            by_content: VecDeque::new(),
            by_place: VecDeque::new(),
        };
        matcher.pair_roots();
        matcher.pair_statics();
        matcher.follow();
        matcher.pairs
    }
}

impl Matcher<'_, '_> {
    fn pair_roots(&mut self) {
        self.pairs.roots = common_roots(self.base, self.other);
        for root in 0..self.pairs.roots.len() {
            let (base, other) = self.pairs.roots[root].objects;
            self.pair(base, other, root as u32);
        }
    }

    /// Pairs objects that are not variables, but have the same address in both runs: data of libraries.
    fn pair_statics(&mut self) {
        let root = self.pairs.roots.len() as u32;
        for (index, object) in self.base.graph.objects.iter().enumerate() {
            if object.kind != ObjectKind::Other || self.base.is_dynamic(object.at) {
                continue;
            }
            let is_same = |there: &MemoryObjectId| {
                let there = self.other.object(*there);
                let types = (self.base.vertex(object.vertex).ty, self.other.vertex(there.vertex).ty);
                there.at == object.at && there.kind == ObjectKind::Other && types.0 == types.1
            };
            if let Some(there) = self.other.graph.object_at(object.at).filter(is_same) {
                self.pair(MemoryObjectId(index as u32), there, root);
            }
        }
    }

    fn follow(&mut self) {
        loop {
            while let Some(port) = self.by_content.pop_front() {
                self.pair_by_content(&port);
                self.by_place.push_back(port);
            }
            let Some(port) = self.by_place.pop_front() else { return };
            self.pair_by_place(&port);
        }
    }

    fn pair_by_content(&mut self, port: &Port) {
        let base_targets = &self.targets[port.base.clone()];
        let other_targets = &self.targets[port.other.clone()];
        let mut base = self.base_visits.nodes(self.base, base_targets, &self.pairs.of_base);
        let mut other = self.other_visits.nodes(self.other, other_targets, &self.pairs.of_other);
        type ContentHash = fn(&mut ObjectContents, &StateSide<'_>, MemoryObjectId) -> Option<u64>;
        type Alignment = fn(&[u64], &[u64]) -> Vec<(usize, usize)>;
        let levels: [(ContentHash, Alignment); 4] = [
            (ObjectContents::deep, align),
            (ObjectContents::deep, unique),
            (ObjectContents::shallow, align),
            (ObjectContents::first, unique),
        ];
        for (content, alignment) in levels {
            if base.is_empty() || other.is_empty() {
                return;
            }
            let known = |nodes: &[MemoryObjectId], contents: &mut ObjectContents, side: &StateSide<'_>| {
                let known = |node: &MemoryObjectId| Some((content(contents, side, *node)?, *node));
                nodes.iter().filter_map(known).unzip::<u64, MemoryObjectId, Vec<_>, Vec<_>>()
            };
            let (base_digests, base_nodes) = known(&base, &mut self.base_contents, self.base);
            let (other_digests, other_nodes) = known(&other, &mut self.other_contents, self.other);
            for (i, j) in alignment(&base_digests, &other_digests) {
                self.pair(base_nodes[i], other_nodes[j], port.root);
            }
            base.retain(|node| self.pairs.of_base[node.0 as usize].is_none());
            other.retain(|node| self.pairs.of_other[node.0 as usize].is_none());
        }
    }

    fn pair_by_place(&mut self, port: &Port) {
        if port.base.len() == 1 && port.other.len() == 1 {
            let (base, other) = (self.targets[port.base.start], self.targets[port.other.start]);
            if base.0 == other.0 {
                self.pair_alike(base.1, other.1, port.root);
            }
            return;
        }
        // The first target of each place that has no partner, in an order that is the same if the states are swapped.
        let open =
            |targets: Range<usize>, partners: &[Option<MemoryObjectId>]| -> BTreeMap<u64, MemoryObjectId> {
                let targets = self.targets[targets].iter().rev().copied();
                targets.filter(|(_, target)| partners[target.0 as usize].is_none()).collect()
            };
        let base = open(port.base.clone(), &self.pairs.of_base);
        let other = open(port.other.clone(), &self.pairs.of_other);
        for (slot, base) in base {
            let Some(other) = other.get(&slot).copied() else { continue };
            self.pair_alike(base, other, port.root);
        }
    }

    fn pair_alike(&mut self, base: MemoryObjectId, other: MemoryObjectId, root: u32) {
        let class = ObjectContents::class(self.base, base);
        if class.is_some() && class == ObjectContents::class(self.other, other) {
            self.pair(base, other, root);
        }
    }

    /// Pairs two objects unless one of them has a partner, and notes where their pointers lead.
    fn pair(&mut self, base: MemoryObjectId, other: MemoryObjectId, root: u32) {
        let (base_index, other_index) = (base.0 as usize, other.0 as usize);
        if self.pairs.of_base[base_index].is_some() || self.pairs.of_other[other_index].is_some() {
            return;
        }
        self.pairs.of_base[base_index] = Some(other);
        self.pairs.of_other[other_index] = Some(base);
        self.pairs.all.push(ObjectPair { base, other, root });
        let (base_ways, other_ways) = (ways(self.base, base), ways(self.other, other));
        let mut others = other_ways.chunk_by(|a, b| a.0 == b.0).peekable();
        let is_open = |partners: &[Option<MemoryObjectId>], way: &[(u64, u64, MemoryObjectId)]| {
            way.iter().any(|way| partners[way.2.0 as usize].is_none())
        };
        for base_way in base_ways.chunk_by(|a, b| a.0 == b.0) {
            while others.next_if(|other_way| other_way[0].0 < base_way[0].0).is_some() {}
            let Some(other_way) = others.next_if(|other_way| other_way[0].0 == base_way[0].0) else {
                continue;
            };
            if !is_open(&self.pairs.of_base, base_way) || !is_open(&self.pairs.of_other, other_way) {
                continue;
            }
            let from = self.targets.len();
            self.targets.extend(base_way.iter().map(|way| (way.1, way.2)));
            let middle = self.targets.len();
            self.targets.extend(other_way.iter().map(|way| (way.1, way.2)));
            let port = Port { base: from..middle, other: middle..self.targets.len(), root };
            self.by_content.push_back(port);
        }
    }
}

/// Where the pointers of an object lead: a number for the name of the pointer, one for the place in arrays, the target.
/// Sorted by name, then by address. The targets of the shortcuts of containers are included.
fn ways(side: &StateSide<'_>, object: MemoryObjectId) -> Vec<(u64, u64, MemoryObjectId)> {
    let mut ways = Vec::new();
    side.leaves(side.object(object).vertex, |leaf| {
        if side.vertex(leaf.vertex).shape == Shape::Pointer
            && let Some(target) = side.target(leaf.vertex).filter(|target| side.is_anonymous(*target))
        {
            ways.push((leaf.path, leaf.slot, target));
        }
    });
    side.inner(side.object(object).vertex, |vertex, path| {
        for edge in side.graph.edges_of(vertex) {
            let target = side.vertex(edge.to).object;
            if let (Label::Item(index), true) = (&edge.label, target != object)
                && side.is_anonymous(target)
            {
                ways.push((mix(path, 7), u64::from(*index), target));
            }
        }
    });
    ways.sort_by_key(|way| way.0);
    ways
}

impl Visits {
    fn new(side: &StateSide<'_>) -> Self {
        let objects = side.graph.objects.len();
        Self { walk: 0, seen: vec![0; objects], tries: vec![0; objects] }
    }

    /// The nodes without a partner that some pointers lead to, and nodes of the same kind after them, depth first.
    fn nodes(
        &mut self,
        side: &StateSide<'_>,
        from: &[(u64, MemoryObjectId)],
        partners: &[Option<MemoryObjectId>],
    ) -> Vec<MemoryObjectId> {
        self.walk += 1;
        let mut nodes = Vec::new();
        let mut open: Vec<MemoryObjectId> = from.iter().rev().map(|(_, object)| *object).collect();
        while let Some(node) = open.pop() {
            let index = node.0 as usize;
            if partners[index].is_some() || self.seen[index] == self.walk || self.tries[index] >= TRIES {
                continue;
            }
            let Some(class) = ObjectContents::class(side, node) else { continue };
            self.seen[index] = self.walk;
            self.tries[index] += 1;
            nodes.push(node);
            let first = open.len();
            side.leaves(side.object(node).vertex, |leaf| {
                if side.vertex(leaf.vertex).shape == Shape::Pointer {
                    let target = side.target(leaf.vertex);
                    open.extend(target.filter(|target| ObjectContents::class(side, *target) == Some(class)));
                }
            });
            open[first..].reverse();
        }
        nodes
    }
}
