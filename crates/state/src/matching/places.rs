//! Blocks in which only some places are in use: hash tables of Rust, and rings.
//!
//! Which places are in use says what the rest of the block means, such as the control bytes of a hash table. If other places are in use in the other
//! run, single elements make no sense: the block is taken as a whole.

use super::bond::Bond;
use super::compare::{ComparedPair, Comparison, FoundDifference};
use super::delta::DeltaKind;
use super::patch::BasePatch;
use super::side::{Meant, StateSide};
use crate::debug::Type;
use crate::graph::{Label, MemoryObjectId, Shape, VertexId};

/// The namespace of the tables behind `HashMap` and `HashSet`.
const HASH_TABLES: &str = "hashbrown::raw::";
/// The nodes of trees, and the trees.
const TREE_NODES: &str = "alloc::collections::btree::node::";
const TREES: [&str; 2] =
    ["alloc::collections::btree::map::BTreeMap<", "alloc::collections::btree::set::BTreeSet<"];
/// A node of a tree is at most this number of steps below the tree.
const DEPTH: usize = 200;

impl Comparison<'_, '_> {
    /// Takes a block as a whole if other places of it are in use. Returns whether it did.
    pub(super) fn took_places(&mut self, step: ComparedPair) -> bool {
        let (object, other) = (self.base.vertex(step.base).object, self.other.vertex(step.other).object);
        let (block, whole) = (self.base.object(object), self.other.object(other));
        if (block.vertex, whole.vertex) != (step.base, step.other) {
            return false;
        }
        let is_table = is_hash_table(self.base, step.base) && is_hash_table(self.other, step.other);
        let are_rows = || is_row(self.base, step.base) && is_row(self.other, step.other);
        if !is_table && are_rows() {
            return false;
        }
        let is_same = places(self.base, step.base).eq(places(self.other, step.other));
        if is_same && (!is_table || self.has_same_control(object, other)) {
            return false;
        }
        let owner = self.owner(step);
        let known = self.found.len();
        if block.size == whole.size {
            let Some(template) = self.carrier.template(step.other, whole.at, whole.size) else {
                return false;
            };
            let patch = BasePatch::Bytes(self.carrier.place(step.base), template);
            self.found.push(FoundDifference {
                vertices: Some((step.base, step.other)),
                spot: None,
                kind: DeltaKind::Changed,
                pair: self.pair,
                patches: vec![patch],
                words: None,
                bonds: vec![Bond::Resized(object)],
                lone: (None, None),
            });
        } else {
            self.resize(step.base, step.other, 0, DeltaKind::Changed, None);
        }
        if let (Some(found), Some(owner)) = (self.found.get_mut(known), owner) {
            found.vertices = Some(owner);
        }
        self.hold(object, step);
        true
    }

    /// What the elements of a block hold belongs together with the block.
    fn hold(&mut self, block: MemoryObjectId, step: ComparedPair) {
        let mut held = Vec::new();
        let targets = |side: &StateSide<'_>, top: VertexId| {
            let mut targets = Vec::new();
            side.leaves(top, |leaf| {
                if side.vertex(leaf.vertex).shape == Shape::Pointer
                    && let Meant::Inside(target, _) = side.meant(side.word(side.vertex(leaf.vertex).at))
                {
                    targets.push(target);
                }
            });
            targets
        };
        held.extend(targets(self.base, step.base));
        let partner = |there: MemoryObjectId| self.pairs.of_other[there.0 as usize];
        held.extend(targets(self.other, step.other).into_iter().filter_map(partner));
        self.holders.extend(held.into_iter().map(|object| (Bond::Resized(block), object)));
    }

    /// Whether two hash tables of the same size have the same control bytes, which come after the places.
    fn has_same_control(&self, base: MemoryObjectId, other: MemoryObjectId) -> bool {
        let control = |side: &StateSide<'_>, object: MemoryObjectId| {
            let block = side.object(object);
            let pointer = side.vertex(block.vertex).parent?;
            let at = crate::Address(side.word(side.vertex(pointer).at));
            let length = (block.at + block.size).0.checked_sub(at.0)?;
            // Bytes after the last control byte are not in use.
            let used = length.min(at.0.checked_sub(block.at.0)?.max(GROUP) + GROUP);
            side.bytes(at, used).map(<[u8]>::to_vec)
        };
        control(self.base, base) == control(self.other, other)
    }

    /// The tree that a node belongs to, in both runs, if it has another number of elements: then its nodes are one difference.
    pub(super) fn resized_tree(&mut self, base: VertexId, other: VertexId) -> Option<(VertexId, VertexId)> {
        let (base_side, ty) = (self.base, self.base.vertex(base).ty);
        if !*self.tree_nodes.entry(ty).or_insert_with(|| has_type(base_side, base, &[TREE_NODES])) {
            return None;
        }
        let (here, there) = (tree(self.base, base)?, tree(self.other, other)?);
        (length(self.base, here)? != length(self.other, there)?)
            .then(|| (self.outermost(self.base, here), self.outermost(self.other, there)))
    }

    /// The containers whose elements are in a block, in both runs.
    fn owner(&self, step: ComparedPair) -> Option<(VertexId, VertexId)> {
        let pointer = |side: &StateSide<'_>, vertex| side.vertex(vertex).parent;
        let (here, there) = (pointer(self.base, step.base)?, pointer(self.other, step.other)?);
        let owner = (self.outermost(self.base, here), self.outermost(self.other, there));
        (owner.0 != here && owner.1 != there).then_some(owner)
    }

    /// The outermost container around a vertex, in the same object.
    fn outermost(&self, side: &StateSide<'_>, vertex: VertexId) -> VertexId {
        let object = side.vertex(vertex).object;
        let above = std::iter::successors(Some(vertex), |vertex| side.vertex(*vertex).parent);
        let own = above.take(DEPTH).take_while(|above| side.vertex(*above).object == object);
        own.filter(|above| super::container::is_container(side.program, side.vertex(*above).ty))
            .last()
            .unwrap_or(vertex)
    }
}

/// The control bytes are read in groups of this length.
const GROUP: u64 = 16;

/// The numbers of the elements of an array.
fn places<'s>(side: &'s StateSide<'_>, array: VertexId) -> impl Iterator<Item = u32> + 's {
    side.parts(array).filter_map(|edge| match edge.label {
        Label::Element(number) => Some(number),
        _ => None,
    })
}

/// Whether all places of an array are in use, from the first one on.
fn is_row(side: &StateSide<'_>, array: VertexId) -> bool {
    places(side, array).zip(0..).all(|(place, number)| place == number)
}

fn is_hash_table(side: &StateSide<'_>, array: VertexId) -> bool {
    let pointer = side.vertex(array).parent;
    let above = std::iter::successors(pointer, |vertex| side.vertex(*vertex).parent);
    above.take(4).any(|vertex| has_type(side, vertex, &[HASH_TABLES]))
}

fn tree(side: &StateSide<'_>, node: VertexId) -> Option<VertexId> {
    if !has_type(side, node, &[TREE_NODES]) {
        return None;
    }
    let mut above =
        std::iter::successors(side.vertex(node).parent, |vertex| side.vertex(*vertex).parent).take(DEPTH);
    above.find(|vertex| has_type(side, *vertex, &TREES))
}

/// The number of elements of a tree.
fn length(side: &StateSide<'_>, tree: VertexId) -> Option<u64> {
    let mut open = vec![tree];
    while let Some(vertex) = open.pop() {
        for edge in side.parts(vertex) {
            match edge.label {
                Label::Member(name)
                    if side.graph.names.get(name as usize).is_some_and(|name| name == "length") =>
                {
                    return Some(side.word(side.vertex(edge.to).at));
                }
                _ => open.push(edge.to),
            }
        }
    }
    None
}

fn has_type(side: &StateSide<'_>, vertex: VertexId, prefixes: &[&str]) -> bool {
    let ty = side.program.ty(side.vertex(vertex).ty);
    matches!(&*ty, Type::Record(record) if prefixes.iter().any(|prefix| record.name.starts_with(prefix)))
}
