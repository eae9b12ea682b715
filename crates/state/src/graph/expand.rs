//! The inside of an object: members of records, elements of arrays. Pointers are only noted.

use super::layout::{LayoutKind, LayoutPart, Pointee, TypeLayout};
use super::read::{GraphReader, ReadPhase};
use super::{Label, MemoryEdge, ObjectKind, Shape, VertexId};
use crate::Address;
use crate::debug::TypeId;

/// At most this number of elements of an array is read.
pub(super) const MOST_ELEMENTS: u64 = 65_536;
/// Records can be nested at most this deep: no reasonable type is nested deeper.
const MOST_LEVELS: u32 = 64;

impl GraphReader<'_> {
    /// Adds everything inside a vertex that was just added and is the last one. Corrects its shape, except for `Array` and
    /// `Text`, which a pointer led to.
    pub(super) fn expand(&mut self, from: VertexId) {
        let owner = self.vertex(from).object;
        let object = &self.graph.objects[owner.0 as usize];
        let end = object.at + object.size;
        let (top, size, is_block) = (object.vertex, object.size, object.kind == ObjectKind::Block);
        // An object in a pool extends to the next one. If it is a union, so does its member.
        let is_top = top == from || self.vertex(from).parent == Some(top) && self.is_union(top);
        let is_open = is_block && top == from || is_top && size != self.layouts.size(self.vertex(top).ty);
        let mut tail = is_open.then_some(from);
        let (mut next, mut level_end, mut levels) = (from.0 as usize, from.0 as usize + 1, 0);
        while next < self.graph.vertices.len() {
            if next == level_end {
                (level_end, levels) = (self.graph.vertices.len(), levels + 1);
            }
            if levels > MOST_LEVELS || self.is_exhausted(owner) {
                self.graph.left_out += 1;
                return;
            }
            let vertex = VertexId(next as u32);
            let limit = (tail == Some(vertex)).then_some(end);
            let last = self.expand_one(vertex, limit);
            if limit.is_some() {
                tail = last;
            }
            next += 1;
        }
    }

    /// Adds everything directly inside a vertex. `limit` is the end of the object if the vertex is the last in it. Then the
    /// part that can extend to the end is returned.
    fn expand_one(&mut self, vertex: VertexId, limit: Option<Address>) -> Option<VertexId> {
        let (at, ty, shape) = {
            let vertex = self.vertex(vertex);
            (vertex.at, vertex.ty, vertex.shape)
        };
        match shape {
            Shape::Array(count) => {
                let stride = self.layouts.size(ty);
                self.expand_elements(vertex, ty, stride, u64::from(count));
                return None;
            }
            Shape::Text(_) | Shape::Bits(_) => return None,
            _ => {}
        }
        let layout = self.layouts.of(ty);
        let mut tail = None;
        let shape = match &layout.kind {
            LayoutKind::Scalar => Shape::Scalar(u32::try_from(layout.size).unwrap_or(u32::MAX)),
            LayoutKind::Pointer(Pointee::Function) => Shape::Scalar(8),
            LayoutKind::Pointer(pointee) => {
                let phase = match pointee {
                    _ if self.is_doubtful => ReadPhase::Untyped,
                    Pointee::Typed(_) => ReadPhase::Exact,
                    Pointee::Text(_) => ReadPhase::Text,
                    Pointee::Untyped | Pointee::Function => ReadPhase::Untyped,
                };
                if self.word(at) != 0 {
                    self.enqueue(phase, vertex);
                }
                Shape::Pointer
            }
            LayoutKind::Stream => Shape::Stream,
            LayoutKind::Array { of, stride, count, is_text } => {
                let count = match (limit, count) {
                    (Some(end), None | Some(0 | 1)) if *stride > 0 => (end - at) / *stride,
                    (Some(end), Some(count)) if *stride > 0 => (*count).min((end - at) / *stride),
                    (_, count) => count.unwrap_or(0),
                };
                if *is_text {
                    Shape::Text(self.text_length(at, count))
                } else {
                    self.expand_elements(vertex, *of, *stride, count)
                }
            }
            LayoutKind::Record(parts) => {
                *self.frequency.entry(ty).or_default() += 1;
                let with_virtual = self.with_virtual_bases(vertex, at, &parts.parts, layout.size);
                let last = self.expand_parts(vertex, at, with_virtual.as_deref().unwrap_or(&parts.parts));
                let is_cut = limit.is_some_and(|end| end - at < layout.size);
                tail = last.filter(|_| parts.is_flexible || is_cut);
                if parts.container.is_some() {
                    self.enqueue(ReadPhase::Container, vertex);
                }
                Shape::Record
            }
            LayoutKind::Union(_) => {
                self.enqueue(ReadPhase::Union, vertex);
                Shape::Record
            }
            LayoutKind::Enum { .. } => {
                self.expand_enum(vertex, at, &layout);
                Shape::Record
            }
        };
        self.graph.vertices[vertex.0 as usize].shape = shape;
        tail
    }

    /// Adds the members of a record. Returns the last one.
    pub(super) fn expand_parts(
        &mut self,
        vertex: VertexId,
        at: Address,
        parts: &[LayoutPart],
    ) -> Option<VertexId> {
        let object = self.vertex(vertex).object;
        let first = self.graph.vertices.len() as u32;
        for part in parts {
            let shape = part.bits.map_or(Shape::Record, Shape::Bits);
            let label = Label::Member(part.name);
            self.push(at + part.offset, part.ty, shape, object, Some(vertex), label);
        }
        let edges = (first..).zip(parts);
        self.set_edges(
            vertex,
            edges.map(|(to, part)| MemoryEdge { label: Label::Member(part.name), to: VertexId(to) }),
        );
        Some(VertexId((self.graph.vertices.len() as u32).checked_sub(1)?)).filter(|last| last.0 >= first)
    }

    /// Adds the elements of an array.
    fn expand_elements(&mut self, vertex: VertexId, of: TypeId, stride: u64, count: u64) -> Shape {
        let (at, object) = (self.vertex(vertex).at, self.vertex(vertex).object);
        let is_there = stride > 0 && self.snapshot.bytes(at, count.saturating_mul(stride)).is_some();
        let count = if is_there { count } else { 0 };
        self.graph.left_out += count.saturating_sub(MOST_ELEMENTS);
        let count = count.min(MOST_ELEMENTS) as u32;
        let first = self.graph.vertices.len() as u32;
        self.graph.vertices.reserve(count as usize);
        for index in 0..count {
            let place = at + u64::from(index) * stride;
            self.push(place, of, Shape::Record, object, Some(vertex), Label::Element(index));
        }
        let edges =
            (0..count).map(|index| MemoryEdge { label: Label::Element(index), to: VertexId(first + index) });
        self.set_edges(vertex, edges);
        Shape::Array(count)
    }

    /// Adds the discriminant and the case of a Rust enum.
    fn expand_enum(&mut self, vertex: VertexId, at: Address, layout: &TypeLayout) {
        let LayoutKind::Enum { discriminant, cases } = &layout.kind else { return };
        let value = discriminant.map(|part| (part, self.discriminant(at, part)));
        let case = cases.iter().find(|(values, _)| match value {
            Some((_, value)) => values.contains(&value),
            None => true,
        });
        let Some((values, case)) = case.or_else(|| cases.iter().find(|(values, _)| values.is_empty())) else {
            return;
        };
        let object = self.vertex(vertex).object;
        let mut edges = Vec::with_capacity(2);
        // In the default case, the bytes of the discriminant belong to the content.
        if let Some((part, _)) = value.filter(|_| !values.is_empty()) {
            let label = Label::Member(part.name);
            let to = self.push(at + part.offset, part.ty, Shape::Record, object, Some(vertex), label.clone());
            edges.push(MemoryEdge { label, to });
        }
        let label = Label::Case(case.name);
        let to = self.push(at + case.offset, case.ty, Shape::Record, object, Some(vertex), label.clone());
        edges.push(MemoryEdge { label, to });
        edges.sort_by_key(|edge| self.vertex(edge.to).at);
        self.set_edges(vertex, edges);
    }

    /// The discriminant of an enum. Cases are matched as signed and as unsigned numbers.
    fn discriminant(&mut self, at: Address, part: LayoutPart) -> i128 {
        let size = self.layouts.size(part.ty);
        match self.snapshot.bytes(at + part.offset, size.min(16)) {
            Some(bytes) => {
                let number = bytes.iter().rev().fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
                let is_signed = matches!(
                    &*self.source.ty(part.ty),
                    crate::debug::Type::Scalar { encoding: crate::debug::ScalarEncoding::Signed, .. }
                );
                let unused = 128 - 8 * size.clamp(1, 16) as u32;
                if is_signed { (number << unused) as i128 >> unused } else { number as i128 }
            }
            None => 0,
        }
    }

    /// The word at an address; 0 if it is not mapped.
    pub(super) fn word(&self, at: Address) -> u64 {
        self.snapshot.number(at, 8).unwrap_or(0)
    }

    /// The number of characters before the first `\0`, at most `most`.
    pub(super) fn text_length(&self, at: Address, most: u64) -> u32 {
        let bytes = self.snapshot.bytes(at, most).unwrap_or_default();
        let bytes = &bytes[..bytes.len().min(MOST_ELEMENTS as usize)];
        bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()) as u32
    }
}
