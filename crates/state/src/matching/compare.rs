//! What differs between two paired objects, part by part.

use super::bond::Bond;
use super::buffer_rest::BufferRest;
use super::carrier::Carrier;
use super::container::is_container;
use super::delta::DeltaKind;
use super::differences::DeltaSpot;
use super::pairs::Pairs;
use super::patch::{BaseAddress, BasePatch, Template, bits_of};
use super::resizing::Resizing;
use super::side::{Meant, StateSide};
use crate::debug::{BitField, TypeId};
use crate::graph::{MemoryObjectId, Shape, VertexId};
use crate::{Address, RegionKind};
use std::collections::HashMap;

/// A single difference, before differences that belong together are merged.
#[derive(Debug)]
pub(super) struct FoundDifference {
    pub(super) vertices: Option<(VertexId, VertexId)>,
    /// What it changes, if that is not a vertex.
    pub(super) spot: Option<DeltaSpot>,
    pub(super) kind: DeltaKind,
    /// The index of the pair of objects that it is in; a larger number if it is in none.
    pub(super) pair: usize,
    pub(super) patches: Vec<BasePatch>,
    /// Its name and its two values, if the vertices do not give them.
    pub(super) words: Option<[String; 3]>,
    /// The bonds by which it belongs together with others.
    pub(super) bonds: Vec<Bond>,
    /// Objects without partners that a pointer leads to, in the base run and in the other run.
    pub(super) lone: (Option<MemoryObjectId>, Option<MemoryObjectId>),
}

/// Two vertices to be compared, and what they are parts of.
#[derive(Clone, Copy)]
pub(super) struct ComparedPair {
    pub(super) base: VertexId,
    pub(super) other: VertexId,
    record: Option<VertexId>,
    /// The array that contains it, if the array has another length in the other run.
    resized: Option<MemoryObjectId>,
    /// The outermost container, in both runs.
    pub(super) container: Option<(VertexId, VertexId)>,
}

/// Compares pair by pair.
pub(super) struct Comparison<'s, 'a> {
    pub(super) base: &'s StateSide<'a>,
    pub(super) other: &'s StateSide<'a>,
    pub(super) pairs: &'s Pairs,
    pub(super) carrier: Carrier<'s, 'a>,
    pub(super) found: Vec<FoundDifference>,
    pub(super) dropped: u32,
    /// The pairs of vertices that were compared and do not differ.
    pub(super) common: usize,
    pub(super) resizings: Vec<Resizing>,
    pub(super) leftovers: Vec<BufferRest>,
    /// Containers, and records with pointers, with the objects that they lead to.
    pub(super) holders: Vec<(Bond, MemoryObjectId)>,
    /// The index of the pair that is being compared.
    pub(super) pair: usize,
    open: Vec<ComparedPair>,
    /// Which types are containers.
    containers: HashMap<TypeId, bool>,
    /// Which types are nodes of the trees of Rust.
    pub(super) tree_nodes: HashMap<TypeId, bool>,
}

impl<'s, 'a> Comparison<'s, 'a> {
    /// Finds all differences inside of pairs.
    pub(super) fn of(base: &'s StateSide<'a>, other: &'s StateSide<'a>, pairs: &'s Pairs) -> Self {
        let carrier = Carrier::new(base, other, pairs);
        let mut comparison = Self {
            base,
            other,
            pairs,
            carrier,
            found: Vec::new(),
            dropped: 0,
            common: 0,
            resizings: Vec::new(),
            leftovers: Vec::new(),
            holders: Vec::new(),
            pair: 0,
            open: Vec::new(),
            containers: HashMap::new(),
            tree_nodes: HashMap::new(),
        };
        for (index, pair) in pairs.all.iter().enumerate() {
            comparison.pair = index;
            let (base, other) = (base.object(pair.base).vertex, other.object(pair.other).vertex);
            let container = comparison.resized_tree(base, other);
            comparison.open.push(ComparedPair { base, other, record: None, resized: None, container });
            let mut left = comparison.base.graph.vertices.len() + 1;
            while let Some(step) = comparison.open.pop() {
                left = left.saturating_sub(1);
                if left > 0 {
                    comparison.step(step);
                }
            }
        }
        comparison.common =
            comparison.common.saturating_sub(comparison.found.len() + comparison.dropped as usize);
        comparison.let_pointers_follow();
        comparison.let_copies_follow();
        comparison.add_intermediate_values();
        comparison.add_spilled_values();
        comparison.add_leftovers();
        comparison.carrier.finish();
        comparison.dropped += comparison.carrier.lost;
        comparison
    }

    fn step(&mut self, step: ComparedPair) {
        self.common += 1;
        let (base, other) = (self.base.vertex(step.base), self.other.vertex(step.other));
        match (base.shape, other.shape) {
            (Shape::Pointer | Shape::Scalar(8), Shape::Pointer | Shape::Scalar(8)) => self.word(step),
            (Shape::Scalar(size), Shape::Scalar(there)) if size == there => self.scalar(step, size.into()),
            (Shape::Bits(bits), Shape::Bits(there)) if bits == there => self.bits(step, bits),
            (Shape::Text(_), Shape::Text(_)) => self.text(step),
            (Shape::Record, Shape::Record) if base.ty == other.ty => self.record(step),
            (Shape::Array(here), Shape::Array(there)) => self.array(step, here, there),
            // Streams are compared separately.
            (Shape::Stream, Shape::Stream) => {}
            _ => self.whole(step),
        }
    }

    fn scalar(&mut self, step: ComparedPair, size: u64) {
        let here = self.base.bytes(self.base.vertex(step.base).at, size);
        let there = self.other.bytes(self.other.vertex(step.other).at, size);
        let Some(there) = there.filter(|there| here != Some(*there)) else { return };
        let patch = BasePatch::Bytes(self.carrier.place(step.base), Template::plain(there.to_vec()));
        self.add(step, DeltaKind::Changed, patch);
    }

    fn bits(&mut self, step: ComparedPair, bits: BitField) {
        let length = self.base.length(step.base);
        let here = self.base.bytes(self.base.vertex(step.base).at, length);
        let there = self.other.bytes(self.other.vertex(step.other).at, length);
        let (Some(here), Some(there)) = (here, there) else { return };
        let value = bits_of(there, bits);
        if bits_of(here, bits) != value {
            let at = self.carrier.place(step.base);
            self.add(step, DeltaKind::Changed, BasePatch::Bits { at, bits, value, bytes: here.to_vec() });
        }
    }

    /// Pointers, and numbers that can be pointers.
    fn word(&mut self, step: ComparedPair) {
        let here = self.base.meant(self.base.word(self.base.vertex(step.base).at));
        if let Meant::Inside(object, _) = here {
            self.holders.extend(step.container.map(|container| (Bond::Container(container), object)));
            let block = |record| (Bond::Block { record, object, is_other: false }, object);
            self.holders.extend(step.record.filter(|_| step.container.is_none()).map(block));
        }
        let word = self.other.word(self.other.vertex(step.other).at);
        let there = self.other.meant(word);
        let is_same = match (here, there) {
            (Meant::Plain(here), Meant::Plain(there)) => here == there,
            (Meant::Lost, Meant::Lost) => true,
            (Meant::Inside(here, offset), Meant::Inside(there, at)) => {
                offset == at && self.pairs.of_base[here.0 as usize] == Some(there)
            }
            _ => false,
        };
        if is_same {
            return;
        }
        let Some(place) = self.carrier.address(word) else {
            self.dropped += 1;
            return;
        };
        let lone_here = match here {
            Meant::Inside(object, _) if self.pairs.of_base[object.0 as usize].is_none() => Some(object),
            _ => None,
        };
        let lone_there = match (place, there) {
            (BaseAddress::Made(..), Meant::Inside(object, _)) => Some(object),
            _ => None,
        };
        let is_pointer = self.base.vertex(step.base).shape == Shape::Pointer
            || self.other.vertex(step.other).shape == Shape::Pointer;
        let kind = match (lone_here, lone_there) {
            (_, Some(_)) => DeltaKind::Created,
            (Some(_), None) => DeltaKind::Deleted,
            _ if is_pointer => DeltaKind::Redirected,
            _ => DeltaKind::Changed,
        };
        let patch = BasePatch::Pointer(self.carrier.place(step.base), place);
        if let (true, Some(found)) = (self.add(step, kind, patch), self.found.last_mut()) {
            found.lone = (lone_here, lone_there);
            // An additional element shifts others. All of that is one difference.
            found.bonds.extend(step.resized.map(Bond::Resized));
            if let Some(record) = step.record {
                let ends = [(here, false), (there, true)];
                found.bonds.extend(ends.into_iter().filter_map(|(end, is_other)| match end {
                    Meant::Inside(object, _) => Some(Bond::Block { record, object, is_other }),
                    _ => None,
                }));
            }
        }
    }

    fn record(&mut self, step: ComparedPair) {
        let labels = |side: &StateSide<'_>, vertex| -> Vec<u64> {
            side.parts(vertex).map(|edge| side.key(&edge.label)).collect()
        };
        // Another member of a union, or another case of a Rust enum: part of it alone would be nonsense.
        if labels(self.base, step.base) != labels(self.other, step.other) {
            return self.whole(step);
        }
        let (program, ty) = (self.base.program, self.base.vertex(step.base).ty);
        let is_container = *self.containers.entry(ty).or_insert_with(|| is_container(program, ty));
        let container = step.container.or(is_container.then_some((step.base, step.other)));
        let record = Some(step.base);
        let from = self.open.len();
        for (base, other) in self.base.parts(step.base).zip(self.other.parts(step.other)) {
            self.open.push(ComparedPair { base: base.to, other: other.to, record, resized: None, container });
        }
        self.open[from..].reverse();
    }

    fn array(&mut self, step: ComparedPair, here: u32, there: u32) {
        if self.took_places(step) {
            return;
        }
        if here != there {
            self.other_length(step.base, step.other, here, there);
        }
        let object = self.base.vertex(step.base).object;
        let is_resized = self.resizings.last().is_some_and(|resizing| resizing.object == object);
        let resized = is_resized.then_some(object);
        let first = self.base.parts(step.base).next();
        if first.is_some_and(|edge| self.base.vertex(edge.to).shape == Shape::Scalar(1)) {
            return self.raw(step);
        }
        let mut elements = self.other.parts(step.other).peekable();
        let from = self.open.len();
        for base in self.base.parts(step.base) {
            let key = self.base.key(&base.label);
            while elements.next_if(|other| self.other.key(&other.label) < key).is_some() {}
            if let Some(other) = elements.next_if(|other| self.other.key(&other.label) == key) {
                self.open.push(ComparedPair { base: base.to, other: other.to, resized, ..step });
            }
        }
        self.open[from..].reverse();
    }

    /// Bytes of unknown type. Words that look like addresses are compared as addresses.
    fn raw(&mut self, step: ComparedPair) {
        let here: Vec<VertexId> = self.base.parts(step.base).map(|edge| edge.to).collect();
        let there: Vec<VertexId> = self.other.parts(step.other).map(|edge| edge.to).collect();
        let mut next = 0;
        while let (Some(base), Some(other)) = (here.get(next), there.get(next)) {
            let element = ComparedPair { base: *base, other: *other, ..step };
            let (base, other) = (self.base.vertex(*base), self.other.vertex(*other));
            let is_word = base.at.0.is_multiple_of(8) && here.len().min(there.len()) - next >= 8;
            let is_address = |side: &StateSide<'_>, at| side.is_dynamic(Address(side.word(at)));
            if is_word && (is_address(self.base, base.at) || is_address(self.other, other.at)) {
                self.word(element);
                self.common += 8;
                next += 8;
            } else {
                self.step(element);
                next += 1;
            }
        }
    }

    /// Takes all bytes of the other run.
    fn whole(&mut self, step: ComparedPair) {
        let length = self.base.length(step.base);
        if length == self.other.length(step.other) && self.is_same_whole(step, length) {
            return;
        }
        if length == 0 || length != self.other.length(step.other) {
            let object = self.base.vertex(step.base).object;
            // A union with another member, in an object of another length.
            if length > 0 && self.base.object(object).vertex == step.base {
                return self.resize(step.base, step.other, 0, DeltaKind::Changed, None);
            }
            self.dropped += 1;
            return;
        }
        match self.carrier.template(step.other, self.other.vertex(step.other).at, length) {
            Some(template) => {
                let patch = BasePatch::Bytes(self.carrier.place(step.base), template);
                self.add(step, DeltaKind::Changed, patch);
            }
            None => self.dropped += 1,
        }
    }

    /// Whether two values of different shapes have the same bytes, and none of them can be an address: a union whose member was
    /// chosen differently.
    fn is_same_whole(&self, step: ComparedPair, length: u64) -> bool {
        let here = self.base.bytes(self.base.vertex(step.base).at, length);
        let there = self.other.bytes(self.other.vertex(step.other).at, length);
        let is_plain = |bytes: &[u8]| {
            bytes.chunks_exact(8).all(|word| {
                let word = word.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
                !self.base.is_dynamic(Address(word)) && !self.other.is_dynamic(Address(word))
            })
        };
        here.is_some() && here == there && here.is_some_and(is_plain)
    }

    /// Adds a difference if the program can write there.
    fn add(&mut self, step: ComparedPair, kind: DeltaKind, patch: BasePatch) -> bool {
        let region = self.base.snapshot.region(self.base.vertex(step.base).at);
        let is_writable = |region: &crate::Region| region.writable || region.kind == RegionKind::Registers;
        if !region.is_some_and(is_writable) {
            self.dropped += 1;
            return false;
        }
        self.found.push(FoundDifference {
            vertices: Some((step.base, step.other)),
            spot: None,
            kind,
            pair: self.pair,
            patches: vec![patch],
            words: None,
            bonds: bonds_of(step),
            lone: (None, None),
        });
        true
    }
}

/// A part belongs together with the rest of its container.
pub(super) fn bonds_of(step: ComparedPair) -> Vec<Bond> {
    step.container.map(Bond::Container).into_iter().collect()
}
