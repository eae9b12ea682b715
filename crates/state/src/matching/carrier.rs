//! Transfers values from the other run to the base run: translates addresses, and copies objects that only the other run
//! has.

use super::pairs::Pairs;
use super::patch::{BaseAddress, Template};
use super::side::{Meant, StateSide};
use crate::Address;
use crate::graph::{MemoryObjectId, Shape, VertexId};
use std::collections::HashMap;

/// Larger objects are not copied.
const LARGEST: u64 = 1 << 26;

/// Transfers values from the other run to the base run.
pub(super) struct Carrier<'s, 'a> {
    base: &'s StateSide<'a>,
    other: &'s StateSide<'a>,
    pairs: &'s Pairs,
    /// The copies.
    pub(super) blocks: Vec<CarriedBlock>,
    numbers: HashMap<MemoryObjectId, u32>,
    /// The number of words in the copies that could not be translated. They are null instead.
    pub(super) lost: u32,
}

/// A copy of an object of the other run.
#[derive(Debug)]
pub(super) struct CarriedBlock {
    pub(super) object: MemoryObjectId,
    pub(super) size: u64,
    pub(super) template: Template,
}

impl<'s, 'a> Carrier<'s, 'a> {
    pub(super) fn new(base: &'s StateSide<'a>, other: &'s StateSide<'a>, pairs: &'s Pairs) -> Self {
        Self { base, other, pairs, blocks: Vec::new(), numbers: HashMap::new(), lost: 0 }
    }

    /// The address of a vertex in the base run.
    pub(super) fn place(&self, vertex: VertexId) -> BaseAddress {
        let vertex = self.base.vertex(vertex);
        BaseAddress::Base(vertex.object, vertex.at - self.base.object(vertex.object).at)
    }

    /// The address in the base run that corresponds to an address of the other run; `None` if there is none.
    pub(super) fn address(&mut self, word: u64) -> Option<BaseAddress> {
        match self.other.meant(word) {
            Meant::Plain(word) => Some(BaseAddress::Plain(word)),
            Meant::Lost => None,
            Meant::Inside(object, offset) => match self.pairs.of_other[object.0 as usize] {
                Some(base) => Some(BaseAddress::Base(base, offset)),
                None => Some(BaseAddress::Made(self.made(object)?, offset)),
            },
        }
    }

    /// The copy of an object of the other run. Its content follows in [`Self::finish`].
    fn made(&mut self, object: MemoryObjectId) -> Option<u32> {
        if let Some(number) = self.numbers.get(&object) {
            return Some(*number);
        }
        let whole = self.other.object(object);
        let is_stream = self.other.vertex(whole.vertex).shape == Shape::Stream;
        let is_readable = self.other.bytes(whole.at, whole.size).is_some();
        if !self.other.is_anonymous(object) || is_stream || !is_readable || whole.size > LARGEST {
            return None;
        }
        let number = self.blocks.len() as u32;
        self.numbers.insert(object, number);
        self.blocks.push(CarriedBlock { object, size: whole.size.max(1), template: Template::default() });
        Some(number)
    }

    /// Fills all copies, which can need more copies.
    pub(super) fn finish(&mut self) {
        let mut next = 0;
        while let Some(block) = self.blocks.get(next) {
            let whole = self.other.object(block.object);
            let template = self.template(whole.vertex, whole.at, whole.size);
            self.blocks[next].template = template.unwrap_or_default();
            next += 1;
        }
    }

    /// The bytes of the other run that a vertex covers (or more, up to the end of its object), with addresses translated.
    /// Words of unknown type count as addresses if they look like addresses.
    pub(super) fn template(&mut self, top: VertexId, at: Address, length: u64) -> Option<Template> {
        let mut bytes = self.other.bytes(at, length)?.to_vec();
        let (mut words, mut owned) = (Vec::new(), Vec::new());
        self.other.leaves(top, |leaf| {
            let vertex = self.other.vertex(leaf.vertex);
            if vertex.at < at || vertex.at - at >= length {
                return;
            }
            let offset = vertex.at - at;
            // Raw bytes can be anything, including addresses.
            if vertex.shape != Shape::Scalar(1) {
                owned.push((offset, offset + self.other.length(leaf.vertex)));
            }
            if matches!(vertex.shape, Shape::Pointer | Shape::Scalar(8)) {
                words.push((offset, vertex.shape == Shape::Pointer));
            }
        });
        words.extend(unowned(at, length, owned).into_iter().map(|offset| (offset, false)));
        let mut pointers = Vec::new();
        for (offset, is_pointer) in words {
            let from = offset as usize;
            let Some(word) = bytes.get(from..from.saturating_add(8)).and_then(|word| word.try_into().ok())
            else {
                continue;
            };
            let word = u64::from_le_bytes(word);
            if matches!(self.other.meant(word), Meant::Plain(_)) {
                continue;
            }
            match self.address(word) {
                Some(place) => pointers.push((from, place)),
                None => {
                    self.lost += u32::from(is_pointer);
                    bytes[from..from + 8].fill(0);
                }
            }
        }
        Some(Template { bytes, pointers })
    }
}

/// The aligned words of a range that overlap no part of it.
fn unowned(at: Address, length: u64, mut owned: Vec<(u64, u64)>) -> Vec<u64> {
    owned.sort_unstable();
    let mut words = Vec::new();
    let mut offset = at.0.wrapping_neg() % 8;
    let mut owners = owned.into_iter().peekable();
    while offset + 8 <= length {
        while owners.next_if(|owner| owner.1 <= offset).is_some() {}
        if owners.peek().is_none_or(|owner| owner.0 >= offset + 8) {
            words.push(offset);
        }
        offset += 8;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_aligned_words_without_an_owner_may_be_hidden_addresses() {
        assert_eq!(unowned(Address(16), 40, vec![(8, 12), (24, 32)]), [0, 16, 32]);
        assert_eq!(unowned(Address(20), 16, vec![]), [4]);
        assert_eq!(unowned(Address(16), 7, vec![]), [0u64; 0]);
    }
}
