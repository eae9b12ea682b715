//! What a delta writes into the base run. Some addresses are known only after blocks are allocated.

use crate::debug::BitField;
use crate::graph::{MemoryObjectId, OpenFile};

/// An address in the base run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BaseAddress {
    /// A fixed address.
    Plain(u64),
    /// An offset in an object of the base run, which can be moved.
    Base(MemoryObjectId, u64),
    /// An offset in an allocated block, by its number.
    Made(u32, u64),
}

impl BaseAddress {
    /// The address that comes this many bytes after it.
    pub(super) fn after(self, bytes: u64) -> Self {
        match self {
            Self::Plain(address) => Self::Plain(address + bytes),
            Self::Base(object, offset) => Self::Base(object, offset + bytes),
            Self::Made(number, offset) => Self::Made(number, offset + bytes),
        }
    }
}

/// A change of the base run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BasePatch {
    /// Writes bytes of the other run.
    Bytes(BaseAddress, Template),
    /// Writes an address.
    Pointer(BaseAddress, BaseAddress),
    /// Changes some bits, given the bytes in the base run.
    Bits { at: BaseAddress, bits: BitField, value: u64, bytes: Vec<u8> },
    /// Moves an object into a block of another size, by its number among the resizings.
    Resize(u32),
    /// Lets a descriptor read another file, or at another position.
    File(OpenFile),
}

/// Bytes of the other run, and the words in them that are addresses of the base run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Template {
    pub(super) bytes: Vec<u8>,
    pub(super) pointers: Vec<(usize, BaseAddress)>,
}

impl Template {
    pub(super) fn plain(bytes: Vec<u8>) -> Self {
        Self { bytes, pointers: Vec::new() }
    }

    /// The bytes with all addresses filled in; `None` if an address is unknown.
    pub(super) fn filled(&self, address: impl Fn(BaseAddress) -> Option<u64>) -> Option<Vec<u8>> {
        let mut bytes = self.bytes.clone();
        for (offset, place) in &self.pointers {
            let word = address(*place)?.to_le_bytes();
            bytes.get_mut(*offset..)?.get_mut(..8)?.copy_from_slice(&word);
        }
        Some(bytes)
    }
}

/// The value of a bit-field.
pub(super) fn bits_of(bytes: &[u8], bits: BitField) -> u64 {
    let number = bytes.iter().take(16).rev().fold(0u128, |number, byte| number << 8 | u128::from(*byte));
    (number >> bits.skip) as u64 & mask(bits)
}

/// Which bits of a byte belong to a bit-field, and their new value.
pub(super) fn bits_in_byte(bits: BitField, value: u64, byte: usize) -> (u8, u8) {
    let own = (u128::from(mask(bits)) << bits.skip) >> (8 * byte);
    let wanted = (u128::from(value & mask(bits)) << bits.skip) >> (8 * byte);
    (own as u8, wanted as u8)
}

fn mask(bits: BitField) -> u64 {
    if bits.count >= 64 { u64::MAX } else { (1 << bits.count) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_field_may_reach_into_a_ninth_byte() {
        let bits = BitField { skip: 5, count: 64 };
        let mut bytes = [0u8; 9];
        let value = 0xfedc_ba98_7654_3211;
        for (index, byte) in bytes.iter_mut().enumerate() {
            let (own, wanted) = bits_in_byte(bits, value, index);
            *byte = (*byte & !own) | wanted;
        }
        assert_eq!(bits_of(&bytes, bits), value);
        assert_eq!(bytes[0] & 0x1f, 0);
        assert_eq!(bytes[8] & 0xe0, 0);
    }
}
