//! 4096 deltas of a configuration. A chunk that is empty or full takes no memory, and operations on it no time.

use std::ops::Range;
use std::sync::Arc;

pub(crate) const WORDS: usize = 64;
pub(crate) const BITS: u32 = WORDS as u32 * 64;

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ChunkBits {
    pub(crate) words: [u64; WORDS],
    count: u32,
}

#[derive(Clone)]
pub(crate) enum DeltaChunk {
    Empty,
    Full,
    // Neither empty nor full, so that equal sets have equal chunks.
    Mixed(Arc<ChunkBits>),
}

impl DeltaChunk {
    pub(crate) fn of_words(words: [u64; WORDS]) -> Self {
        match words.iter().map(|word| word.count_ones()).sum() {
            0 => DeltaChunk::Empty,
            BITS => DeltaChunk::Full,
            count => DeltaChunk::Mixed(Arc::new(ChunkBits { words, count })),
        }
    }

    pub(crate) fn count(&self) -> u32 {
        match self {
            DeltaChunk::Empty => 0,
            DeltaChunk::Full => BITS,
            DeltaChunk::Mixed(bits) => bits.count,
        }
    }

    pub(crate) fn word(&self, index: usize) -> u64 {
        match self {
            DeltaChunk::Empty => 0,
            DeltaChunk::Full => u64::MAX,
            DeltaChunk::Mixed(bits) => bits.words[index],
        }
    }

    fn zip(&self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        DeltaChunk::of_words(std::array::from_fn(|i| combine(self.word(i), other.word(i))))
    }

    pub(crate) fn union(&self, other: &Self) -> Self {
        match (self, other) {
            (DeltaChunk::Full, _) | (_, DeltaChunk::Full) => DeltaChunk::Full,
            (DeltaChunk::Empty, chunk) | (chunk, DeltaChunk::Empty) => chunk.clone(),
            (DeltaChunk::Mixed(a), DeltaChunk::Mixed(b)) if Arc::ptr_eq(a, b) => self.clone(),
            _ => self.zip(other, |a, b| a | b),
        }
    }

    pub(crate) fn difference(&self, other: &Self) -> Self {
        match (self, other) {
            (DeltaChunk::Empty, _) | (_, DeltaChunk::Full) => DeltaChunk::Empty,
            (_, DeltaChunk::Empty) => self.clone(),
            (DeltaChunk::Mixed(a), DeltaChunk::Mixed(b)) if Arc::ptr_eq(a, b) => DeltaChunk::Empty,
            _ => self.zip(other, |a, b| a & !b),
        }
    }

    pub(crate) fn intersection(&self, other: &Self) -> Self {
        match (self, other) {
            (DeltaChunk::Empty, _) | (_, DeltaChunk::Empty) => DeltaChunk::Empty,
            (DeltaChunk::Full, chunk) | (chunk, DeltaChunk::Full) => chunk.clone(),
            _ => self.zip(other, |a, b| a & b),
        }
    }

    /// The bit of the member with this rank in the chunk.
    pub(crate) fn select(&self, mut rank: u32) -> u32 {
        for index in 0..WORDS {
            let word = self.word(index);
            if rank < word.count_ones() {
                return index as u32 * 64 + select_in_word(word, rank);
            }
            rank -= word.count_ones();
        }
        BITS
    }

    /// The members in this range of bits.
    pub(crate) fn between(&self, bits: Range<u32>) -> Self {
        self.intersection(&DeltaChunk::of_words(std::array::from_fn(|i| mask(i, &bits))))
    }
}

impl PartialEq for DeltaChunk {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (DeltaChunk::Empty, DeltaChunk::Empty) | (DeltaChunk::Full, DeltaChunk::Full) => true,
            (DeltaChunk::Mixed(a), DeltaChunk::Mixed(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

fn select_in_word(mut word: u64, rank: u32) -> u32 {
    for _ in 0..rank {
        word &= word - 1;
    }
    word.trailing_zeros()
}

/// The bits of word `index` of a chunk that are in the range `bits`.
pub(crate) fn mask(index: usize, bits: &Range<u32>) -> u64 {
    let first = index as u32 * 64;
    let from = bits.start.clamp(first, first + 64) - first;
    let to = bits.end.clamp(first, first + 64) - first;
    let below = |bit: u32| if bit == 64 { u64::MAX } else { (1 << bit) - 1 };
    below(to) & !below(from)
}
