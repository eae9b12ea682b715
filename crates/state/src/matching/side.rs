//! One of the two states, with what is needed of it again and again.

use crate::debug::StackFrame;
use crate::graph::{
    Declarations, Label, MemoryEdge, MemoryGraph, MemoryObjectId, MemoryVertex, ObjectKind, OpenFile,
    ProgramState, Shape, VertexId,
};
use crate::{Address, RegionKind, Snapshot};
use std::collections::HashMap;

/// One of the two states.
pub(super) struct StateSide<'a> {
    pub(super) graph: &'a MemoryGraph,
    pub(super) snapshot: &'a Snapshot,
    pub(super) files: &'a [OpenFile],
    pub(super) frames: &'a [StackFrame],
    pub(super) program: &'a dyn Declarations,
    /// The number of each name, common to both sides.
    names: Vec<u32>,
    /// Dynamic memory: stack, heap and mappings, but not the data of programs and libraries.
    dynamic: Vec<(Address, Address)>,
}

/// Interpreters keep addresses in numbers that are not a number (NaN): these bits are set, and the lower ones are the address.
const BOXED: u64 = 0x7ff0_0000_0000_0000;
const ADDRESS: u64 = (1 << 48) - 1;

/// The meaning of a word as an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// Not an address, or one that means the same in both runs: null, functions, constants, globals.
    Plain(u64),
    /// An offset in an object on the stack or the heap.
    Inside(MemoryObjectId, u64),
    /// Dynamic memory without an object: dangling, freed, or of unknown use.
    Lost,
}

/// A value without parts, and the path to it inside its object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) vertex: VertexId,
    /// The labels on the path, without the numbers of elements.
    pub(super) path: u64,
    /// The numbers of elements on the path.
    pub(super) slot: u64,
}

impl<'a> StateSide<'a> {
    /// Both sides, with common numbers for names.
    pub(super) fn both(
        program: &'a dyn Declarations,
        base: &'a ProgramState,
        other: &'a ProgramState,
    ) -> (Self, Self) {
        let numbers: HashMap<&str, u32> =
            base.graph.names.iter().zip(0..).map(|(name, number)| (name.as_str(), number)).collect();
        let first_new = base.graph.names.len() as u32;
        let translated =
            |(name, number): (&String, u32)| *numbers.get(name.as_str()).unwrap_or(&(first_new + number));
        let names_of = |state: &ProgramState| state.graph.names.iter().zip(0..).map(translated).collect();
        let side = |state: &'a ProgramState, names| Self {
            graph: &state.graph,
            snapshot: &state.snapshot,
            files: &state.files,
            frames: &state.frames,
            program,
            names,
            dynamic: dynamic(&state.snapshot),
        };
        (side(base, names_of(base)), side(other, names_of(other)))
    }

    pub(super) fn vertex(&self, vertex: VertexId) -> &'a MemoryVertex {
        &self.graph.vertices[vertex.0 as usize]
    }

    pub(super) fn object(&self, object: MemoryObjectId) -> &'a crate::graph::Object {
        &self.graph.objects[object.0 as usize]
    }

    /// A label as a number that means the same on both sides.
    pub(super) fn key(&self, label: &Label) -> u64 {
        let name = |number: &u32| u64::from(self.names.get(*number as usize).copied().unwrap_or(u32::MAX));
        match label {
            Label::Global(number) => 1 << 56 | name(number),
            Label::Local(frame, number) => 2 << 56 | u64::from(frame & 0xff_ffff) << 32 | name(number),
            Label::Member(number) => 3 << 56 | name(number),
            Label::Element(index) => 4 << 56 | u64::from(*index),
            Label::Target => 5 << 56,
            Label::Case(number) => 6 << 56 | name(number),
            Label::Item(index) => 7 << 56 | u64::from(*index),
        }
    }

    /// The edges from a record or an array to its parts, without the shortcuts of containers, whose targets have owners
    /// already.
    pub(super) fn parts(&self, vertex: VertexId) -> impl Iterator<Item = &'a MemoryEdge> + use<'a, '_> {
        let whole = self.vertex(vertex);
        let has_parts = matches!(whole.shape, Shape::Record | Shape::Array(_));
        let edges = if has_parts { self.graph.edges_of(vertex) } else { &[] };
        edges.iter().filter(move |edge| self.is_part(whole, edge))
    }

    fn is_part(&self, whole: &MemoryVertex, edge: &MemoryEdge) -> bool {
        let is_shortcut = match edge.label {
            Label::Item(_) | Label::Target => true,
            Label::Member(name) => self.graph.names.get(name as usize).is_some_and(|name| name == "#text"),
            _ => false,
        };
        !is_shortcut && self.vertex(edge.to).object == whole.object
    }

    /// The leaves below a vertex, depth first.
    pub(super) fn leaves(&self, top: VertexId, mut visit: impl FnMut(Leaf)) {
        let mut open = vec![Leaf { vertex: top, path: 0, slot: 0 }];
        // Parts form trees. The limit is for graphs that are corrupt.
        let mut left = self.graph.vertices.len() + 1;
        while let Some(leaf) = open.pop() {
            left -= 1;
            if left == 0 {
                return;
            }
            let from = open.len();
            for edge in self.parts(leaf.vertex) {
                let (path, slot) = match edge.label {
                    Label::Element(index) => (mix(leaf.path, 4), mix(leaf.slot, u64::from(index))),
                    _ => (mix(leaf.path, self.key(&edge.label)), leaf.slot),
                };
                open.push(Leaf { vertex: edge.to, path, slot });
            }
            if !matches!(self.vertex(leaf.vertex).shape, Shape::Record | Shape::Array(_)) {
                visit(leaf);
            }
            open[from..].reverse();
        }
    }

    /// The records and arrays below a vertex, itself included, with the paths to them.
    pub(super) fn inner(&self, top: VertexId, mut visit: impl FnMut(VertexId, u64)) {
        let mut open = vec![(top, 0)];
        let mut left = self.graph.vertices.len() + 1;
        while let Some((vertex, path)) = open.pop() {
            left -= 1;
            if left == 0 {
                return;
            }
            visit(vertex, path);
            for edge in self.parts(vertex) {
                if matches!(self.vertex(edge.to).shape, Shape::Record | Shape::Array(_)) {
                    open.push((edge.to, mix(path, self.key(&edge.label))));
                }
            }
        }
    }

    /// A vertex as an expression.
    pub(super) fn expression(&self, vertex: VertexId) -> String {
        self.graph.expression(self.program, vertex)
    }

    /// The value of a vertex as the source language writes it.
    pub(super) fn value(&self, vertex: VertexId) -> String {
        self.graph.value(self.program, self.snapshot, vertex)
    }

    /// The number of bytes of a vertex; for texts without their `\0`.
    pub(super) fn length(&self, vertex: VertexId) -> u64 {
        let vertex = self.vertex(vertex);
        match vertex.shape {
            Shape::Scalar(bytes) | Shape::Text(bytes) => u64::from(bytes),
            Shape::Bits(bits) => u64::from(bits.skip + bits.count).div_ceil(8),
            Shape::Pointer => 8,
            // In a pool, an object can be shorter than its type: a union with a short member.
            Shape::Record | Shape::Array(_) | Shape::Stream => {
                let object = self.object(vertex.object);
                self.program.size(vertex.ty).min((object.at + object.size).0.saturating_sub(vertex.at.0))
            }
        }
    }

    pub(super) fn bytes(&self, at: Address, length: u64) -> Option<&'a [u8]> {
        self.snapshot.bytes(at, length)
    }

    pub(super) fn word(&self, at: Address) -> u64 {
        self.snapshot.number(at, 8).unwrap_or(0)
    }

    /// The meaning of a word as an address.
    pub(super) fn meant(&self, word: u64) -> Meant {
        if word & BOXED == BOXED && self.is_dynamic(Address(word & ADDRESS)) {
            // The box counts as a part of the offset, so it is kept when the address is translated.
            return match self.meant(word & ADDRESS) {
                Meant::Inside(object, offset) => Meant::Inside(object, offset | word & !ADDRESS),
                other => other,
            };
        }
        if !self.is_dynamic(Address(word)) {
            return Meant::Plain(word);
        }
        match self.graph.object_at(Address(word)) {
            Some(object) if self.is_after_in_pool(object, Address(word)) => Meant::Lost,
            Some(object) => Meant::Inside(object, Address(word) - self.object(object).at),
            None => Meant::Lost,
        }
    }

    /// Whether an address is the end of an object in a pool. It is where the next object will be, and says nothing about
    /// this one.
    fn is_after_in_pool(&self, object: MemoryObjectId, at: Address) -> bool {
        let object = self.object(object);
        let pools = &self.graph.pools;
        let after = pools.partition_point(|(from, _)| *from <= object.at);
        at == object.at + object.size && after.checked_sub(1).is_some_and(|pool| object.at < pools[pool].1)
    }

    /// The dynamic object that a pointer leads to.
    pub(super) fn target(&self, pointer: VertexId) -> Option<MemoryObjectId> {
        match self.meant(self.word(self.vertex(pointer).at)) {
            Meant::Inside(object, _) => Some(object),
            _ => None,
        }
    }

    /// Whether an address is on the stack, on the heap or in a mapping: what is there depends on the run.
    pub(super) fn is_dynamic(&self, at: Address) -> bool {
        let after = self.dynamic.partition_point(|range| range.0 <= at);
        after.checked_sub(1).is_some_and(|index| at < self.dynamic[index].1)
    }

    /// Whether an object is not a variable and is in dynamic memory, so that only pointers identify it.
    pub(super) fn is_anonymous(&self, object: MemoryObjectId) -> bool {
        let object = self.object(object);
        matches!(object.kind, ObjectKind::Block | ObjectKind::Other) && self.is_dynamic(object.at)
    }
}

/// A cheap way to combine two numbers.
pub(super) fn mix(left: u64, right: u64) -> u64 {
    let mixed = (left.rotate_left(5) ^ right).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// A hash of some bytes.
pub(super) fn digest(bytes: &[u8]) -> u64 {
    let mut digest = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let word = chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        digest = mix(digest, word);
    }
    digest
}

/// The writable regions that are filled at run time. A region directly after the data of a program is its bss.
fn dynamic(snapshot: &Snapshot) -> Vec<(Address, Address)> {
    let mut ranges = Vec::new();
    let mut end_of_file = None;
    for region in snapshot.regions() {
        let is_bss = region.kind == RegionKind::Anonymous && end_of_file == Some(region.start);
        let is_run_time =
            matches!(region.kind, RegionKind::Stack | RegionKind::Heap | RegionKind::Anonymous) && !is_bss;
        if is_run_time && region.writable {
            ranges.push((region.start, region.end()));
        }
        let belongs_to_file = matches!(region.kind, RegionKind::File(_)) || is_bss;
        end_of_file = belongs_to_file.then_some(region.end());
    }
    ranges
}
