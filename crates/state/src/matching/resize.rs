//! Paired objects of different lengths: an array with another number of elements, a text that does not fit.
//!
//! The object is moved into a block of the other size. The part that both have stays as it is, so that its elements are
//! deltas of their own. Pointers to the object follow.

use super::bond::Bond;
use super::compare::{ComparedPair, Comparison, FoundDifference, bonds_of};
use super::delta::DeltaKind;
use super::patch::{BasePatch, Template};
use super::resizing::Resizing;
use super::side::{Meant, StateSide};
use crate::graph::{MemoryObjectId, Shape, VertexId};
use std::collections::HashMap;

impl Comparison<'_, '_> {
    /// An array has another number of elements.
    pub(super) fn other_length(&mut self, base: VertexId, other: VertexId, here: u32, there: u32) {
        let whole = self.other.object(self.other.vertex(other).object);
        let from = if there > here {
            let next = self.other.parts(other).nth(here as usize);
            next.map(|edge| self.other.vertex(edge.to).at - whole.at)
        } else {
            Some(whole.size)
        };
        let Some(from) = from else { return self.dropped += 1 };
        let kind = if there > here { DeltaKind::Created } else { DeltaKind::Deleted };
        let words = [format!("{here} elements"), format!("{there} elements")];
        self.resize(base, other, from, kind, Some(words));
    }

    /// Two texts, possibly of different lengths.
    pub(super) fn text(&mut self, step: ComparedPair) {
        self.note_leftover(step);
        let (base, other) = (step.base, step.other);
        let (here, there) = (self.base.vertex(base), self.other.vertex(other));
        let text = self.other.bytes(there.at, self.other.length(other));
        let Some(text) = text.filter(|text| self.base.bytes(here.at, self.base.length(base)) != Some(*text))
        else {
            return;
        };
        let mut text = text.to_vec();
        let whole = self.other.object(there.object);
        let end = there.at + text.len() as u64;
        if end < whole.at + whole.size && self.other.bytes(end, 1) == Some(&[0]) {
            text.push(0);
        }
        let room = room(self.base, base);
        // A full array has no room for the `\0`, and does not need it.
        let is_full = text.len() as u64 == room + 1 && text.last() == Some(&0) && self.is_declared(base);
        if text.len() as u64 <= room || is_full {
            text.truncate(usize::try_from(room).unwrap_or(usize::MAX));
            self.add_text(step, text);
        } else {
            self.resize(base, other, there.at - whole.at, DeltaKind::Changed, None);
        }
    }

    fn is_declared(&self, text: VertexId) -> bool {
        self.base.program.size(self.base.vertex(text).ty) > 1
    }

    fn add_text(&mut self, step: ComparedPair, text: Vec<u8>) {
        let (base, other) = (step.base, step.other);
        let at = self.base.vertex(base).at;
        if !self.base.snapshot.region(at).is_some_and(|region| region.writable) {
            self.dropped += 1;
            return;
        }
        let patch = BasePatch::Bytes(self.carrier.place(base), Template::plain(text));
        let mut bonds = bonds_of(step);
        // A container knows the length of its text.
        if self.base.length(base) != self.other.length(other) {
            bonds.push(Bond::Resized(self.base.vertex(base).object));
        }
        self.push(base, other, DeltaKind::Changed, patch, None, bonds);
    }

    pub(super) fn resize(
        &mut self,
        base: VertexId,
        other: VertexId,
        from: u64,
        kind: DeltaKind,
        words: Option<[String; 2]>,
    ) {
        let (object, there) = (self.base.vertex(base).object, self.other.vertex(other).object);
        let (here, whole) = (self.base.object(object), self.other.object(there));
        if self.resizings.last().is_some_and(|resizing| resizing.object == object) {
            return;
        }
        let kept = self.base.bytes(here.at, here.size.min(whole.size));
        let tail = self.carrier.template(whole.vertex, whole.at + from, whole.size.saturating_sub(from));
        let (true, Some(kept), Some(tail)) = (self.base.is_anonymous(object), kept, tail) else {
            self.dropped += 1;
            return;
        };
        let number = self.resizings.len() as u32;
        let (kept, pointers) = (kept.to_vec(), Vec::new());
        self.resizings.push(Resizing { object, size: whole.size.max(1), kept, from, tail, pointers });
        let words = words.map(|[here, there]| [self.named(base), here, there]);
        self.push(base, other, kind, BasePatch::Resize(number), words, vec![Bond::Resized(object)]);
    }

    /// The expression for the pointer that leads to an array, else for the array.
    fn named(&self, base: VertexId) -> String {
        let parent = self.base.vertex(base).parent;
        let is_pointer = |parent: &VertexId| self.base.vertex(*parent).shape == Shape::Pointer;
        self.base.expression(parent.filter(is_pointer).unwrap_or(base))
    }

    fn push(
        &mut self,
        base: VertexId,
        other: VertexId,
        kind: DeltaKind,
        patch: BasePatch,
        words: Option<[String; 3]>,
        bonds: Vec<Bond>,
    ) {
        self.found.push(FoundDifference {
            vertices: Some((base, other)),
            spot: None,
            kind,
            pair: self.pair,
            patches: vec![patch],
            words,
            bonds,
            lone: (None, None),
        });
    }

    /// Finds all pointers to objects that are moved.
    pub(super) fn let_pointers_follow(&mut self) {
        let numbers: HashMap<MemoryObjectId, usize> =
            self.resizings.iter().enumerate().map(|(number, resizing)| (resizing.object, number)).collect();
        if numbers.is_empty() {
            return;
        }
        for (index, vertex) in self.base.graph.vertices.iter().enumerate() {
            if !matches!(vertex.shape, Shape::Pointer | Shape::Scalar(8)) {
                continue;
            }
            if let Meant::Inside(object, offset) = self.base.meant(self.base.word(vertex.at))
                && let Some(number) = numbers.get(&object)
            {
                let place = self.carrier.place(VertexId(index as u32));
                self.resizings[*number].pointers.push((place, offset));
            }
        }
    }
}

/// The maximum number of bytes of a text, including its `\0`.
pub(super) fn room(side: &StateSide<'_>, text: VertexId) -> u64 {
    let vertex = side.vertex(text);
    let object = side.object(vertex.object);
    let to_end = object.size.saturating_sub(vertex.at - object.at);
    match side.program.size(vertex.ty) {
        // An element of a block, or an array of unknown length, extends to the end of the object.
        0 | 1 => to_end,
        declared => declared.min(to_end),
    }
}
