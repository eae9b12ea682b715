//! Containers of Rust's standard library with elements in rows.

use super::super::layout::{LayoutKind, Pointee};
use super::super::read::{GraphReader, ObjectClaim};
use super::super::{Label, ObjectKind, Shape, VertexId};
use crate::Address;
use crate::debug::{Type, TypeId};

/// At most this number of slots of a hash table is read.
const MOST_PLACES: u64 = 1 << 24;
/// The length of the counters before a shared value.
const COUNTERS: u64 = 16;

impl GraphReader<'_> {
    pub(super) fn read_rust_vec(&mut self, vec: VertexId, ty: TypeId) -> Option<()> {
        let pointer = self.first_pointer(vec)?;
        let start = Address(self.word(self.vertex(pointer).at));
        let count = self.member_word(vec, "len")?;
        self.hold_array(vec, pointer, start, ty, count)
    }

    pub(super) fn read_rust_string(&mut self, string: VertexId) -> Option<()> {
        let pointer = self.first_pointer(string)?;
        let ty = self.pointee(pointer)?;
        let at = Address(self.word(self.vertex(pointer).at));
        let length = self.member_word(string, "len")?;
        self.add_text(string, pointer, at, ty, length)
    }

    pub(super) fn read_slice(&mut self, slice: VertexId, is_text: bool) -> Option<()> {
        let pointer = self.member(slice, "data_ptr")?;
        let ty = self.pointee(pointer)?;
        let at = Address(self.word(self.vertex(pointer).at));
        let length = self.member_word(slice, "length")?;
        if is_text {
            self.add_text(slice, pointer, at, ty, length)
        } else {
            self.hold_array(slice, pointer, at, ty, length)
        }
    }

    /// The target of a trait object: its table of virtual functions belongs to one type. Shared values have two counters before them.
    pub(super) fn read_trait_object(&mut self, object: VertexId) -> Option<()> {
        let pointer = self.member(object, "pointer")?;
        let ty = self.source.trait_object(Address(self.member_word(object, "vtable")?))?;
        let start = Address(self.word(self.vertex(pointer).at));
        let is_shared = match &*self.source.ty(self.vertex(pointer).ty) {
            Type::Pointer { to, .. } => self.source.type_name(*to).contains("Inner<"),
            _ => false,
        };
        let at = if is_shared { start + COUNTERS } else { start };
        let known = self.overlapping(at, 1);
        let target = match known {
            Some(known) => self.find(known, at, Some(ty)).filter(|found| self.vertex(*found).ty == ty)?,
            None => {
                let size = self.layouts.size(ty);
                let block = self.heap.block(at).filter(|block| block.at == start && !block.is_free);
                let (size, kind) = match block {
                    Some(block) if !is_shared => (block.size, ObjectKind::Block),
                    _ => (size, ObjectKind::Other),
                };
                let (parent, label, shape) = (Some(pointer), Label::Target, Shape::Record);
                self.claim(ObjectClaim { at, size, kind, ty, shape, parent, label })?
            }
        };
        if !is_shared {
            self.link(pointer, target);
        }
        let edge = self.shortcut(object, Label::Target, target, known.is_none());
        self.add_edges(object, vec![edge]);
        Some(())
    }

    pub(super) fn read_ring(&mut self, ring: VertexId, ty: TypeId) -> Option<()> {
        let pointer = self.first_pointer(ring)?;
        let start = Address(self.word(self.vertex(pointer).at));
        let [head, count] = [self.member_word(ring, "head")?, self.member_word(ring, "len")?];
        let capacity = self.member(ring, "cap")?;
        let room = self.snapshot.number(self.vertex(capacity).at, 8)?;
        let size = self.layouts.size(ty);
        if size == 0 || count > room || head >= room || room > MOST_PLACES {
            return None;
        }
        let order: Vec<u64> = (0..count).map(|index| (head + index) % room).collect();
        let mut used = order.clone();
        used.sort_unstable();
        let places: Vec<(u32, Address)> =
            used.iter().map(|place| (*place as u32, start + place * size)).collect();
        let held = self.hold_places(pointer, start, ty, &places)?;
        let items: Vec<VertexId> =
            order.iter().filter_map(|place| Some(held[used.binary_search(place).ok()?])).collect();
        self.add_items(ring, &items, true);
        Some(())
    }

    pub(super) fn read_hash_table(&mut self, map: VertexId) -> Option<()> {
        let table = self.seek(map, |reader, part| reader.is_named(part, &["hashbrown::raw::RawTable<"]))?;
        let ty = match &*self.source.ty(self.vertex(table).ty) {
            Type::Record(record) => record.arguments.first()?.1,
            _ => return None,
        };
        let control = self.member(table, "ctrl")?;
        let pointer = self.seek_pointer(control)?;
        let at = Address(self.word(self.vertex(pointer).at));
        let places = self.member_word(table, "bucket_mask")?.checked_add(1)?;
        let count = self.member_word(table, "items")?;
        let size = self.layouts.size(ty);
        if count == 0 || size == 0 || places > MOST_PLACES {
            return None;
        }
        // The slots are before the control bytes, in reverse order; a control byte without its high bit means a slot in use.
        let control = self.snapshot.bytes(at, places)?;
        let used = control.iter().enumerate().rev().filter(|(_, byte)| **byte & 0x80 == 0);
        let used: Vec<(u32, Address)> =
            used.map(|(place, _)| (place as u32, at - (place as u64 + 1) * size)).collect();
        if used.len() as u64 != count {
            return None;
        }
        let mut items = self.hold_places(pointer, at - places * size, ty, &used)?;
        items.reverse();
        if self.is_named(map, &["std::collections::hash::set::"]) {
            let keys = items.iter().map(|item| self.member(*item, "0").unwrap_or(*item));
            items = keys.collect();
        } else {
            self.add_keys(&items, |reader, item| reader.member(item, "0"));
        }
        self.add_items(map, &items, true);
        Some(())
    }

    /// The vertex itself if it is a pointer, else the first pointer in it.
    fn seek_pointer(&self, vertex: VertexId) -> Option<VertexId> {
        if self.vertex(vertex).shape == super::super::Shape::Pointer {
            return Some(vertex);
        }
        self.first_pointer(vertex)
    }

    /// The type that a pointer points to.
    pub(super) fn pointee(&mut self, pointer: VertexId) -> Option<TypeId> {
        match self.layouts.of(self.vertex(pointer).ty).kind {
            LayoutKind::Pointer(Pointee::Typed(ty) | Pointee::Text(ty)) => Some(ty),
            _ => None,
        }
    }
}
