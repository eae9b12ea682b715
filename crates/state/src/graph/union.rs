//! The active member of a union: the largest one that fits, with the fewest invalid pointers.

use super::layout::{LayoutKind, LayoutPart, Pointee};
use super::read::GraphReader;
use super::{Label, MemoryEdge, Shape, VertexId};
use crate::Address;
use crate::debug::TypeId;

/// How many pointers of a member are checked, and how deep they can be.
const MOST_POINTERS: u32 = 64;
const DEPTH: u32 = 8;

/// How well a member fits: the greatest is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Merit {
    /// The number of invalid pointers, negated.
    invalid: i64,
    /// The size in bytes.
    size: u64,
    /// The number of pointers to values that already have that type.
    known: u32,
    /// The number of pointers to memory that is in use.
    alive: u32,
    /// How often the type was seen that they point to.
    frequency: u32,
}

impl GraphReader<'_> {
    /// Chooses a member of a union, unless one is chosen already.
    pub(super) fn read_union(&mut self, vertex: VertexId) {
        let layout = self.layouts.of(self.vertex(vertex).ty);
        let LayoutKind::Union(parts) = &layout.kind else { return };
        if self.vertex(vertex).edges > 0 || self.empty.contains(&vertex) {
            return;
        }
        let at = self.vertex(vertex).at;
        let object = &self.graph.objects[self.vertex(vertex).object.0 as usize];
        let room = object.at + object.size - at;
        let mut best: Option<(Merit, LayoutPart)> = None;
        for part in parts {
            let size = self.layouts.size(part.ty);
            if size > room {
                continue;
            }
            let mut merit = Merit { size, ..Merit::default() };
            let mut left = MOST_POINTERS;
            self.weigh(at + part.offset, part.ty, &mut merit, &mut left, DEPTH);
            if best.is_none_or(|(other, _)| merit > other) {
                best = Some((merit, *part));
            }
        }
        if let Some((_, part)) = best {
            self.choose(vertex, part);
        }
    }

    /// Makes a part the active member of a union.
    pub(super) fn choose(&mut self, vertex: VertexId, part: LayoutPart) {
        let (at, object) = (self.vertex(vertex).at, self.vertex(vertex).object);
        if self.is_exhausted(object) {
            self.graph.left_out += 1;
            return;
        }
        let label = Label::Member(part.name);
        let shape = part.bits.map_or(Shape::Record, Shape::Bits);
        let to = self.push(at + part.offset, part.ty, shape, object, Some(vertex), label.clone());
        self.set_edges(vertex, [MemoryEdge { label, to }]);
        self.expand(to);
    }

    fn weigh(&mut self, at: Address, ty: TypeId, merit: &mut Merit, left: &mut u32, depth: u32) {
        if depth == 0 || *left == 0 {
            return;
        }
        let layout = self.layouts.of(ty);
        match &layout.kind {
            LayoutKind::Pointer(pointee) => {
                *left -= 1;
                self.weigh_pointer(Address(self.word(at)), *pointee, merit);
            }
            LayoutKind::Array { of, stride, count, is_text: false } => {
                for index in 0..count.unwrap_or(0).min(u64::from(*left)) {
                    self.weigh(at + index * stride, *of, merit, left, depth - 1);
                }
            }
            LayoutKind::Record(parts) => {
                for part in parts.parts.iter().filter(|part| part.bits.is_none()) {
                    self.weigh(at + part.offset, part.ty, merit, left, depth - 1);
                }
            }
            _ => {}
        }
    }

    fn weigh_pointer(&self, to: Address, pointee: Pointee, merit: &mut Merit) {
        if to.is_null() {
            return;
        }
        if pointee == Pointee::Function {
            // Code is not in the snapshot. The program knows whether there is code at an address.
            match self.source.name_at(to) {
                Some(_) => merit.alive += 1,
                None => merit.invalid -= 1,
            }
            return;
        }
        let owner = self.overlapping(to, 1);
        if owner.is_none() && self.is_dead(to) {
            merit.invalid -= 1;
            return;
        }
        merit.alive += 1;
        if let Pointee::Typed(ty) | Pointee::Text(ty) = pointee {
            let found = owner.and_then(|object| self.find(object, to, Some(ty)));
            merit.known += u32::from(found.is_some_and(|found| self.vertex(found).ty == ty));
            merit.frequency += self.frequency.get(&ty).copied().unwrap_or(0);
        }
    }
}
