//! Bytes after the end of a text, up to the end of its buffer.
//!
//! A program that takes a text apart in place writes `\0` into it and goes on with the rest, so bytes after the first `\0`
//! are state. Most of them are leftovers, though. Those that something points to are deltas of their own; all others together
//! are one delta.

use super::bond::Bond;
use super::buffer_rest::BufferRest;
use super::compare::{ComparedPair, Comparison, FoundDifference};
use super::delta::DeltaKind;
use super::patch::BasePatch;
use super::resize::room;
use super::side::StateSide;
use crate::Address;
use crate::graph::{Heap, VertexId, pointed_into, quote};
use std::collections::HashMap;

/// The longest value in words.
const LONGEST: usize = 60;

impl Comparison<'_, '_> {
    /// Notes that the bytes after two texts differ.
    pub(super) fn note_leftover(&mut self, step: ComparedPair) {
        let used = self.base.length(step.base).max(self.other.length(step.other)) + 1;
        let room = room(self.base, step.base).min(room(self.other, step.other));
        let Some(length) = room.checked_sub(used).filter(|length| *length > 0) else { return };
        let bytes = |side: &StateSide<'_>, vertex| {
            side.bytes(side.vertex(vertex).at + used, length).map(<[u8]>::to_vec)
        };
        let (Some(here), Some(there)) = (bytes(self.base, step.base), bytes(self.other, step.other)) else {
            return;
        };
        let Some(first) = here.iter().zip(&there).position(|(here, there)| here != there) else { return };
        let last = here.iter().zip(&there).rposition(|(here, there)| here != there).unwrap_or(first);
        // From the start of the piece that differs.
        let start = here[..first].iter().rposition(|byte| *byte == 0).map_or(0, |end| end + 1);
        let (offset, length) = (used + start as u64, (last + 1 - start) as u64);
        let ComparedPair { base, other, container, .. } = step;
        self.leftovers.push(BufferRest { base, other, container, pair: self.pair, offset, length });
    }

    /// Makes the leftovers deltas.
    pub(super) fn add_leftovers(&mut self) {
        let leftovers = std::mem::take(&mut self.leftovers);
        if leftovers.is_empty() {
            return;
        }
        let is_pointed_to = [
            pointed_to(self.base, leftovers.iter().map(|leftover| (leftover.base, leftover)).collect()),
            pointed_to(self.other, leftovers.iter().map(|leftover| (leftover.other, leftover)).collect()),
        ];
        let vertices = self.found.iter().zip(0..).filter_map(|(found, index)| Some((found.vertices?, index)));
        let known: HashMap<(VertexId, VertexId), usize> = vertices.collect();
        for (number, leftover) in leftovers.iter().enumerate() {
            let BufferRest { base, other, container, pair, offset, length } = *leftover;
            let there = self.other.vertex(other).at + offset;
            let is_writable = |region: &crate::Region| region.writable;
            let at = self.base.vertex(base).at;
            let (Some(template), true) = (
                self.carrier.template(other, there, length),
                self.base.snapshot.region(at).is_some_and(is_writable),
            ) else {
                continue;
            };
            let place = self.carrier.place(base).after(offset);
            let text = |side: &StateSide<'_>, vertex| {
                let bytes = side.bytes(side.vertex(vertex).at + offset, length).unwrap_or_default();
                let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                quote(&bytes[..end], LONGEST)
            };
            let name = format!("{} + {offset}", self.base.expression(base));
            let words = [name, text(self.base, base), text(self.other, other)];
            let is_used = is_pointed_to.iter().any(|pointed| pointed[number]);
            let bond = if is_used { container.map(Bond::Container) } else { Some(Bond::Leftovers) };
            let bonds = bond.into_iter().collect();
            let patch = BasePatch::Bytes(place, template);
            // The text itself differs, too.
            if let Some(known) = known.get(&(base, other)) {
                self.found[*known].patches.push(patch);
                continue;
            }
            self.found.push(FoundDifference {
                vertices: Some((base, other)),
                spot: None,
                kind: DeltaKind::Changed,
                pair,
                patches: vec![patch],
                words: Some(words),
                bonds,
                lone: (None, None),
            });
        }
    }
}

/// Which of the leftovers something points into.
fn pointed_to(side: &StateSide<'_>, leftovers: Vec<(VertexId, &BufferRest)>) -> Vec<bool> {
    let range = |(vertex, leftover): &(VertexId, &BufferRest)| {
        let from = side.vertex(*vertex).at + leftover.offset;
        (from, from + leftover.length)
    };
    let mut ranges: Vec<(Address, Address)> = leftovers.iter().map(range).collect();
    let ordered = ranges.clone();
    ranges.sort_unstable();
    let pointed = pointed_into(side.snapshot, &Heap::of(side.snapshot), &ranges);
    let is_pointed_to = |(from, to): &(Address, Address)| {
        let next = pointed.partition_point(|at| at < from);
        pointed.get(next).is_some_and(|at| at < to)
    };
    ordered.iter().map(is_pointed_to).collect()
}
