//! The ordered maps and sets of Rust: trees of nodes with up to eleven keys.

use super::super::read::{GraphReader, MOST_KEYS, ObjectClaim};
use super::super::{Label, ObjectKind, Shape, VertexId};
use crate::Address;
use crate::debug::TypeId;

/// A tree of this height has more elements than there is memory.
const MOST_LEVELS: u64 = 24;
/// The number of keys in a node.
const ROOM: u64 = 11;
/// At most this number of elements is read.
const MOST_ITEMS: usize = 1 << 20;

/// The nodes of a tree.
struct TreeNodes {
    pointer: VertexId,
    leaf: TypeId,
    inner: Option<TypeId>,
    key: TypeId,
    value: TypeId,
    /// Sets have no values.
    is_set: bool,
    items: Vec<VertexId>,
}

impl GraphReader<'_> {
    pub(super) fn read_btree(&mut self, map: VertexId) -> Option<()> {
        let count = self.member_word(map, "length")?;
        if count == 0 {
            return None;
        }
        let height = self.member_word(map, "height")?;
        let pointer = self.first_pointer(self.member(map, "node")?).or(self.member(map, "node"))?;
        let leaf = self.pointee(pointer)?;
        let name = match &*self.source.ty(leaf) {
            crate::debug::Type::Record(record) => record.name.clone(),
            _ => return None,
        };
        let inner = self.source.type_named(&name.replacen("::LeafNode<", "::InternalNode<", 1));
        let [key, value] = match &*self.source.ty(leaf) {
            crate::debug::Type::Record(record) => [record.arguments.first()?.1, record.arguments.get(1)?.1],
            _ => return None,
        };
        let is_set = self.layouts.size(value) == 0;
        let mut nodes = TreeNodes { pointer, leaf, inner, key, value, is_set, items: Vec::new() };
        let root = Address(self.word(self.vertex(pointer).at));
        self.read_node(&mut nodes, root, height.min(MOST_LEVELS))?;
        self.add_items(map, &nodes.items, true);
        Some(())
    }

    /// Reads a node and all nodes below it, in order.
    fn read_node(&mut self, nodes: &mut TreeNodes, at: Address, height: u64) -> Option<()> {
        let ty = if height == 0 { nodes.leaf } else { nodes.inner? };
        let length = self.layouts.size(ty);
        let block = self.heap.block(at).filter(|block| block.at == at && block.size >= length);
        let (size, kind) = block.map_or((length, ObjectKind::Other), |block| (block.size, ObjectKind::Block));
        let (parent, label, shape) = (Some(nodes.pointer), Label::Target, Shape::Record);
        let node = self.claim(ObjectClaim { at, size, kind, ty, shape, parent, label })?;
        let count = self.member(node, "len")?;
        let count = self.snapshot.number(self.vertex(count).at, 2)?.min(ROOM);
        let keys = self.decide(node, "keys", count, Some(nodes.key))?;
        let values = self.decide(node, "vals", count, Some(nodes.value))?;
        let below = if height > 0 { self.decide(node, "edges", count + 1, None)? } else { Vec::new() };
        for index in 0..=count as usize {
            if let Some(edge) = below.get(index) {
                let next = Address(self.word(self.vertex(*edge).at));
                self.read_node(nodes, next, height - 1)?;
            }
            let item = if nodes.is_set { keys.get(index) } else { values.get(index) };
            if let Some(item) = item.filter(|_| index < count as usize) {
                nodes.items.push(*item);
                if !nodes.is_set && self.keys.len() < MOST_KEYS {
                    self.keys.extend(keys.get(index).map(|key| (*item, *key)));
                }
            }
            if nodes.items.len() > MOST_ITEMS {
                return None;
            }
        }
        Some(())
    }

    /// In an array of possibly uninitialised values, the first `count` are initialised. The values are wrapped; returns the
    /// values with the type, or the wrappers if there are none.
    fn decide(
        &mut self,
        node: VertexId,
        name: &str,
        count: u64,
        ty: Option<TypeId>,
    ) -> Option<Vec<VertexId>> {
        let array = self.member(node, name)?;
        let places: Vec<VertexId> = self.graph.edges_of(array).iter().map(|edge| edge.to).collect();
        let mut values = Vec::new();
        for (index, place) in places.into_iter().enumerate() {
            if index as u64 >= count {
                self.empty.insert(place);
            } else if let Some(wrapped) = self.choose_named(place, "value") {
                let value = self.seek(wrapped, |reader, part| ty == Some(reader.vertex(part).ty));
                values.push(value.unwrap_or(wrapped));
            }
        }
        Some(values)
    }
}
