//! Containers of libstdc++ with elements in rows, and those with a single value.

use super::super::expand::MOST_ELEMENTS;
use super::super::layout::{LayoutKind, LayoutPart};
use super::super::read::{GraphReader, ObjectClaim};
use super::super::{Label, MemoryEdge, ObjectKind, Shape, VertexId};
use crate::Address;
use crate::debug::{BitField, TypeId};

impl GraphReader<'_> {
    pub(super) fn read_vector(&mut self, vector: VertexId, ty: TypeId) -> Option<()> {
        let pointer = self.member(vector, "_M_start")?;
        let start = self.member_word(vector, "_M_start")?;
        let finish = self.member_word(vector, "_M_finish")?;
        let count = finish.checked_sub(start)?.checked_div(self.layouts.size(ty))?;
        self.hold_array(vector, pointer, Address(start), ty, count)
    }

    /// The elements of a `std::vector<bool>` are bits, from a bit of a first word to a bit of a last word.
    pub(super) fn read_bits(&mut self, vector: VertexId, ty: TypeId) -> Option<()> {
        let [start, finish] = [self.member(vector, "_M_start")?, self.member(vector, "_M_finish")?];
        let pointer = self.member(start, "_M_p")?;
        let [from, to] = [self.member_word(start, "_M_p")?, self.member_word(finish, "_M_p")?];
        let bit_of = |iterator| {
            let bit = self.member(iterator, "_M_offset")?;
            self.snapshot.number(self.vertex(bit).at, 4)
        };
        let (skipped, end) = (bit_of(start)?, bit_of(finish)?);
        let bits = to.checked_sub(from)?.checked_mul(8)?.checked_add(end)?;
        let count = bits.checked_sub(skipped)?;
        self.graph.left_out += count.saturating_sub(MOST_ELEMENTS);
        let bits = skipped..skipped + count.min(MOST_ELEMENTS);
        if bits.is_empty() {
            return None;
        }
        let at = Address(from);
        let block = self.heap.block(at).filter(|block| block.at == at);
        let (size, kind) =
            block.map_or((to - from + 8, ObjectKind::Other), |block| (block.size, ObjectKind::Block));
        let (parent, label, shape) = (Some(pointer), Label::Target, Shape::Array(0));
        let array = self.claim(ObjectClaim { at, size, kind, ty, shape, parent, label })?;
        let object = self.vertex(array).object;
        let first = self.graph.vertices.len() as u32;
        for bit in bits.clone() {
            let shape = Shape::Bits(BitField { skip: (bit % 8) as u8, count: 1 });
            let label = Label::Element((bit - skipped) as u32);
            self.push(at + bit / 8, ty, shape, object, Some(array), label);
        }
        let items: Vec<VertexId> = (first..self.graph.vertices.len() as u32).map(VertexId).collect();
        let edge =
            |(number, to): (usize, &VertexId)| MemoryEdge { label: Label::Element(number as u32), to: *to };
        self.set_edges(array, items.iter().enumerate().map(edge).collect::<Vec<_>>());
        self.graph.vertices[array.0 as usize].shape = Shape::Array(items.len() as u32);
        self.add_items(vector, &items, true);
        Some(())
    }

    pub(super) fn read_string(&mut self, string: VertexId, ty: TypeId) -> Option<()> {
        let pointer = self.member(string, "_M_p")?;
        let at = Address(self.member_word(string, "_M_p")?);
        let length = self.member_word(string, "_M_string_length")?;
        let buffer = self.seek(string, |reader, part| reader.is_union(part))?;
        if at != self.vertex(buffer).at {
            self.choose_named(buffer, "_M_allocated_capacity")?;
            return self.add_text(string, pointer, at, ty, length);
        }
        // A short text is in the string itself.
        let text = self.choose_named(buffer, "_M_local_buf")?;
        if length < 16 {
            self.graph.vertices[text.0 as usize].shape = Shape::Text(length as u32);
        }
        self.add_text_edge(string, text, true);
        Some(())
    }

    pub(super) fn read_deque(&mut self, deque: VertexId, ty: TypeId) -> Option<()> {
        let [start, finish] = [self.member(deque, "_M_start")?, self.member(deque, "_M_finish")?];
        let (from, to) = (self.member_word(start, "_M_cur")?, self.member_word(finish, "_M_cur")?);
        let (first_node, last_node) =
            (self.member_word(start, "_M_node")?, self.member_word(finish, "_M_node")?);
        let pointer = self.member(start, "_M_first")?;
        let size = self.layouts.size(ty).max(1);
        let room = (512 / size).max(1) * size;
        let nodes = last_node.checked_sub(first_node)? / 8;
        let mut items = Vec::new();
        for node in 0..=nodes.min(1 << 16) {
            let begin = self.snapshot.number(Address(first_node + node * 8), 8)?;
            let low = if node == 0 { from } else { begin };
            let high = if node == nodes { to } else { begin.checked_add(room)? };
            let skipped = low.checked_sub(begin)? / size;
            let count = (high.checked_sub(low)? / size).min(room / size);
            let places: Vec<(u32, Address)> =
                (0..count).map(|index| ((skipped + index) as u32, Address(low + index * size))).collect();
            if !places.is_empty() {
                items.extend(self.hold_places(pointer, Address(begin), ty, &places)?);
            }
        }
        self.add_items(deque, &items, true);
        Some(())
    }

    pub(super) fn read_optional(&mut self, optional: VertexId) -> Option<()> {
        let engaged = self.vertex(self.member(optional, "_M_engaged")?).at;
        let union = self.seek(optional, |reader, part| reader.is_union(part))?;
        if self.snapshot.number(engaged, 1)? == 0 {
            self.choose_named(union, "_M_empty")?;
            return Some(());
        }
        let value = self.choose_named(union, "_M_value")?;
        let edge = self.shortcut(optional, Label::Target, value, true);
        self.add_edges(optional, vec![edge]);
        Some(())
    }

    pub(super) fn read_variant(&mut self, variant: VertexId) -> Option<()> {
        let index = self.member(variant, "_M_index")?;
        let size = self.layouts.size(self.vertex(index).ty);
        let index = self.snapshot.number(self.vertex(index).at, size)?;
        let mut union = self.seek(variant, |reader, part| reader.is_union(part))?;
        for _ in 0..index.min(64) {
            union = self.choose_named(union, "_M_rest")?;
        }
        let first = self.choose_named(union, "_M_first")?;
        let value = self.member(first, "_M_storage")?;
        let value = self.member(value, "#buffered").unwrap_or(value);
        let label = Label::Member(self.layouts.names.number("#held"));
        let edge = self.shortcut(variant, label, value, true);
        self.add_edges(variant, vec![edge]);
        Some(())
    }

    pub(in crate::graph) fn is_union(&self, vertex: VertexId) -> bool {
        use crate::debug::{RecordKind, Type};
        matches!(&*self.source.ty(self.vertex(vertex).ty), Type::Record(record)
            if record.kind == RecordKind::Union && record.variants.is_none())
    }

    /// Makes the member with this name the active member of a union.
    pub(super) fn choose_named(&mut self, union: VertexId, name: &str) -> Option<VertexId> {
        let layout = self.layouts.of(self.vertex(union).ty);
        let LayoutKind::Union(parts) = &layout.kind else { return None };
        if self.vertex(union).edges == 0 {
            let named = |part: &&LayoutPart| self.layouts.names.name(part.name) == name;
            let part = *parts.iter().find(named)?;
            self.choose(union, part);
        }
        let chosen = self.graph.edges_of(union).first()?.to;
        let is_it = matches!(self.vertex(chosen).label, Label::Member(number) if self.layouts.names.name(number) == name);
        is_it.then_some(chosen)
    }
}
