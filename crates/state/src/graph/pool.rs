//! Objects in blocks that the program divides itself: obstacks, arenas, slabs.

use super::expand::MOST_ELEMENTS;
use super::heap::HeapBlock;
use super::layout::{LayoutKind, LayoutPart};
use super::read::{GraphReader, ObjectClaim};
use super::{Label, ObjectKind, Shape, VertexId};
use crate::Address;
use crate::debug::TypeId;

/// In a block with fewer objects, an object can be an array: a header, and the elements after it.
const FEW_OBJECTS: usize = 4;

impl GraphReader<'_> {
    /// Makes the target of a pointer into a pool an object of its own. An object without a fixed length extends to where the
    /// next one begins.
    pub(super) fn follow_into_pool(&mut self, pointer: VertexId, at: Address, ty: TypeId, pool: HeapBlock) {
        let layout = self.layouts.of(ty);
        let end = pool.at + pool.size;
        let next = self.next_object(at, end);
        let room = next.unwrap_or(end) - at;
        let (size, count) = match &layout.kind {
            // After the last object there is unused memory: how far the object extends is not known.
            LayoutKind::Record(parts) if parts.is_flexible && next.is_some() => (room, 1),
            // The header of a chunk: an array at its end is where the objects begin.
            LayoutKind::Record(parts) if self.is_cut(&parts.parts, room) => (room, 1),
            LayoutKind::Union(_) if self.ends_flexibly(ty) && next.is_some() => (room, 1),
            LayoutKind::Union(_) => (layout.size.min(room), 1),
            _ if self.objects_in(pool) < FEW_OBJECTS => {
                let count = (room / layout.size.max(1)).clamp(1, MOST_ELEMENTS);
                (layout.size * count, count)
            }
            // Pointers to its members do not end it.
            _ => (layout.size.min(end - at), 1),
        };
        let shape = if count > 1 { Shape::Array(count as u32) } else { Shape::Record };
        let claim = ObjectClaim {
            at,
            size,
            kind: ObjectKind::Other,
            ty,
            shape,
            parent: Some(pointer),
            label: Label::Target,
        };
        if let Some(target) = self.claim(claim) {
            self.link(pointer, target);
        }
    }

    /// Whether only an array at the end of a record does not fit.
    fn is_cut(&mut self, parts: &[LayoutPart], room: u64) -> bool {
        let Some(last) = parts.last() else { return false };
        let layout = self.layouts.of(last.ty);
        let is_array = matches!(layout.kind, LayoutKind::Array { .. });
        is_array && last.offset <= room && room < last.offset + layout.size
    }

    /// Whether a member of a union ends in an array without a length of its own.
    fn ends_flexibly(&mut self, union: TypeId) -> bool {
        let layout = self.layouts.of(union);
        let LayoutKind::Union(parts) = &layout.kind else { return false };
        let is_flexible = |kind: &LayoutKind| matches!(kind, LayoutKind::Record(parts) if parts.is_flexible);
        parts.iter().any(|part| is_flexible(&self.layouts.of(part.ty).kind))
    }

    /// Where the next object of a pool begins.
    fn next_object(&self, at: Address, end: Address) -> Option<Address> {
        let after = self.pool_objects.partition_point(|object| *object <= at);
        let pointed = self.pool_objects.get(after).copied().filter(|object| *object < end);
        let owned = self.owned.range(at + 1..end).next().map(|(owned, _)| *owned);
        pointed.into_iter().chain(owned).min()
    }

    fn objects_in(&self, pool: HeapBlock) -> usize {
        let from = self.pool_objects.partition_point(|object| *object < pool.at);
        let to = self.pool_objects.partition_point(|object| *object < pool.at + pool.size);
        to - from
    }
}
