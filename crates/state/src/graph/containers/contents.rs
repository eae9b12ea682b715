//! What all containers need: finding their members, and adding their content to the graph.

use super::super::expand::MOST_ELEMENTS;
use super::super::read::{GraphReader, MOST_KEYS, ObjectClaim};
use super::super::{Label, MemoryEdge, ObjectKind, Shape, VertexId};
use crate::Address;
use crate::debug::{Type, TypeId};

impl GraphReader<'_> {
    /// Whether the name of a vertex's record begins with one of these stems.
    pub(in crate::graph) fn is_named(&self, vertex: VertexId, stems: &[&str]) -> bool {
        self.record_name(vertex).is_some_and(|name| stems.iter().any(|stem| name.starts_with(stem)))
    }

    /// The name of a vertex's record.
    pub(in crate::graph) fn record_name(&self, vertex: VertexId) -> Option<String> {
        match &*self.source.ty(self.vertex(vertex).ty) {
            Type::Record(record) => Some(record.name.clone()),
            _ => None,
        }
    }

    /// The first part of a vertex, at any depth, that fulfils a condition. Outer parts come first.
    pub(in crate::graph) fn seek(
        &self,
        vertex: VertexId,
        wanted: impl Fn(&Self, VertexId) -> bool,
    ) -> Option<VertexId> {
        const MOST: usize = 256;
        let mut queue = vec![vertex];
        let mut next = 0;
        while next < queue.len().min(MOST) {
            let here = queue[next];
            next += 1;
            if here != vertex && wanted(self, here) {
                return Some(here);
            }
            if self.vertex(here).shape == Shape::Record {
                let edges = self.graph.edges_of(here).iter();
                let inner = edges.filter(|edge| matches!(edge.label, Label::Member(_) | Label::Case(_)));
                queue.extend(inner.map(|edge| edge.to).filter(|to| *to > here));
            }
        }
        None
    }

    /// The member with this name, at any depth.
    pub(in crate::graph) fn member(&self, vertex: VertexId, name: &str) -> Option<VertexId> {
        self.seek(vertex, |reader, part| reader.is_called(part, &[name]))
    }

    /// Whether it is a member with one of these names.
    pub(in crate::graph) fn is_called(&self, vertex: VertexId, names: &[&str]) -> bool {
        matches!(self.vertex(vertex).label, Label::Member(number) if names.contains(&self.layouts.names.name(number)))
    }

    /// The first pointer in a vertex.
    pub(in crate::graph) fn first_pointer(&self, vertex: VertexId) -> Option<VertexId> {
        self.seek(vertex, |reader, part| reader.vertex(part).shape == Shape::Pointer)
    }

    /// The value of the member with this name, as a word.
    pub(in crate::graph) fn member_word(&self, vertex: VertexId, name: &str) -> Option<u64> {
        self.snapshot.number(self.vertex(self.member(vertex, name)?).at, 8)
    }

    /// Adds `count` elements that begin at an address, as an object of their own unless they already belong to one.
    pub(in crate::graph) fn hold_array(
        &mut self,
        container: VertexId,
        pointer: VertexId,
        start: Address,
        ty: TypeId,
        count: u64,
    ) -> Option<()> {
        let stride = self.layouts.size(ty);
        if count == 0 || stride == 0 {
            return None;
        }
        let length = count.checked_mul(stride)?;
        self.snapshot.bytes(start, length)?;
        let block = self.heap.block(start).filter(|block| block.at == start && block.size >= length);
        let (size, kind) = block.map_or((length, ObjectKind::Other), |block| (block.size, ObjectKind::Block));
        let shape = Shape::Array(u32::try_from(count).ok()?);
        let (parent, label) = (Some(pointer), Label::Target);
        let array = self.claim(ObjectClaim { at: start, size, kind, ty, shape, parent, label });
        let elements: Vec<VertexId> = match array {
            Some(array) => self.graph.edges_of(array).iter().map(|edge| edge.to).collect(),
            None => {
                let places = (0..count.min(MOST_ELEMENTS)).map(|index| start + index * stride);
                places.map_while(|at| self.element_at(at, ty)).collect()
            }
        };
        self.add_items(container, &elements, array.is_some());
        Some(())
    }

    /// The vertex with this type at an address, and not the array that begins there.
    pub(in crate::graph) fn element_at(&self, at: Address, ty: TypeId) -> Option<VertexId> {
        let mut vertex = self.find(self.overlapping(at, 1)?, at, Some(ty))?;
        if matches!(self.vertex(vertex).shape, Shape::Array(_)) {
            vertex = self.graph.edges_of(vertex).first()?.to;
        }
        let found = self.vertex(vertex);
        (found.ty == ty && !matches!(found.shape, Shape::Text(_))).then_some(vertex)
    }

    /// Makes an array of a block in which only these slots are in use, and returns their vertices. The slots ascend.
    pub(in crate::graph) fn hold_places(
        &mut self,
        pointer: VertexId,
        start: Address,
        ty: TypeId,
        places: &[(u32, Address)],
    ) -> Option<Vec<VertexId>> {
        let (first, last) = (places.first()?.1, places.last()?.1);
        let stride = self.layouts.size(ty);
        let block = self.heap.block(first).filter(|block| last + stride <= block.at + block.size);
        let (at, size, kind) = match block {
            Some(block) => (block.at, block.size, ObjectKind::Block),
            None => (start, last + stride - start, ObjectKind::Other),
        };
        let (parent, label, shape) = (Some(pointer), Label::Target, Shape::Array(0));
        let array = self.claim(ObjectClaim { at, size, kind, ty, shape, parent, label })?;
        let object = self.vertex(array).object;
        let first = self.graph.vertices.len() as u32;
        for (number, at) in places {
            self.push(*at, ty, Shape::Record, object, Some(array), Label::Element(*number));
        }
        let edges = places.iter().zip(first..);
        self.set_edges(
            array,
            edges.map(|((number, _), to)| MemoryEdge { label: Label::Element(*number), to: VertexId(to) }),
        );
        self.graph.vertices[array.0 as usize].shape = Shape::Array(places.len() as u32);
        self.expand(VertexId(first));
        Some((first..first + places.len() as u32).map(VertexId).collect())
    }

    /// Remembers the keys of a map, to write its items with them.
    pub(in crate::graph) fn add_keys(
        &mut self,
        items: &[VertexId],
        key: impl Fn(&Self, VertexId) -> Option<VertexId>,
    ) {
        for item in items.iter().take(MOST_KEYS) {
            if let Some(key) = key(self, *item) {
                self.keys.push((*item, key));
            }
        }
    }

    /// Adds the content of a container, in its order.
    pub(in crate::graph) fn add_items(&mut self, container: VertexId, items: &[VertexId], is_own: bool) {
        let mut edges = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            edges.push(self.shortcut(container, Label::Item(index as u32), *item, is_own));
        }
        self.add_edges(container, edges);
    }

    /// Adds the text of a string.
    pub(in crate::graph) fn add_text(
        &mut self,
        container: VertexId,
        pointer: VertexId,
        at: Address,
        ty: TypeId,
        length: u64,
    ) -> Option<()> {
        let shape = Shape::Text(u32::try_from(length).ok()?.min(MOST_ELEMENTS as u32));
        self.graph.left_out += length.saturating_sub(MOST_ELEMENTS);
        let block = self.heap.block(at).filter(|block| block.at == at && block.size >= length);
        let (size, kind) = block.map_or((length, ObjectKind::Other), |block| (block.size, ObjectKind::Block));
        let (parent, label) = (Some(pointer), Label::Target);
        let claimed = self.claim(ObjectClaim { at, size, kind, ty, shape, parent, label });
        let text = claimed.or_else(|| {
            let found = self.find(self.overlapping(at, 1)?, at, None)?;
            Some(self.text_in(found)).filter(|text| self.vertex(*text).shape == shape)
        })?;
        self.add_text_edge(container, text, claimed.is_some());
        Some(())
    }

    /// Adds the edge to a text.
    pub(in crate::graph) fn add_text_edge(&mut self, container: VertexId, text: VertexId, is_own: bool) {
        let label = Label::Member(self.layouts.names.number("#text"));
        let edge = self.shortcut(container, label, text, is_own);
        self.add_edges(container, vec![edge]);
    }
}
