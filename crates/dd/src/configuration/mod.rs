//! Sets of deltas: the papers' `c`, cheap to copy, to compare, to split and to hash.
//!
//! A set consists of chunks. An operation shares the chunks that it does not change instead of copying them. In a search
//! over a million deltas these are most of them.

pub(crate) mod chunk;
pub(crate) mod text;

use chunk::{BITS, DeltaChunk, WORDS, mask};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

/// One atomic change, by its position in the fixed order of all deltas. Counted from 0, but shown to people from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DeltaId(pub u32);

impl DeltaId {
    /// The position in a list of all deltas.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for DeltaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

impl fmt::Debug for DeltaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of deltas.
///
/// ```
/// use howcome_dd::Configuration;
/// let all = Configuration::all(8);
/// let [first, second] = [all.part(0, 2), all.part(1, 2)];
/// assert_eq!(first.to_string(), "1-4");
/// assert_eq!(first.with(&second), all);
/// assert_eq!(all.without(&first), second);
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Configuration {
    // The last chunk is never empty, so that equal sets have the same number of chunks.
    chunks: Arc<[DeltaChunk]>,
    len: u32,
}

impl Configuration {
    /// The empty set.
    #[must_use]
    pub fn empty() -> Self {
        Self::of_chunks(Vec::new())
    }

    /// The first `count` deltas.
    #[must_use]
    pub fn all(count: u32) -> Self {
        Self::from_run(0..count)
    }

    /// A run of consecutive deltas, counted from 0.
    #[must_use]
    pub fn from_run(run: Range<u32>) -> Self {
        std::iter::once(run).collect()
    }

    fn of_chunks(mut chunks: Vec<DeltaChunk>) -> Self {
        while matches!(chunks.last(), Some(DeltaChunk::Empty)) {
            chunks.pop();
        }
        let len = chunks.iter().map(DeltaChunk::count).sum();
        Self { chunks: chunks.into(), len }
    }

    /// The number of deltas in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the delta is in the set.
    #[must_use]
    pub fn contains(&self, delta: DeltaId) -> bool {
        let bit = delta.0 % BITS;
        self.chunks
            .get((delta.0 / BITS) as usize)
            .is_some_and(|chunk| chunk.word((bit / 64) as usize) >> (bit % 64) & 1 == 1)
    }

    /// Union: `c1 ∪ c2`.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let (long, short) =
            if self.chunks.len() < other.chunks.len() { (other, self) } else { (self, other) };
        let both = short.chunks.iter().zip(long.chunks.iter()).map(|(a, b)| a.union(b));
        Self::of_chunks(both.chain(long.chunks[short.chunks.len()..].iter().cloned()).collect())
    }

    /// Difference: `c1 − c2`.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let shared = self.chunks.len().min(other.chunks.len());
        let both = self.chunks.iter().zip(other.chunks.iter()).map(|(a, b)| a.difference(b));
        Self::of_chunks(both.chain(self.chunks[shared..].iter().cloned()).collect())
    }

    /// Intersection: `c1 ∩ c2`.
    #[must_use]
    pub fn within(&self, other: &Self) -> Self {
        Self::of_chunks(self.chunks.iter().zip(other.chunks.iter()).map(|(a, b)| a.intersection(b)).collect())
    }

    /// Those of the first `count` deltas that are not in the set.
    #[must_use]
    pub fn complement(&self, count: u32) -> Self {
        Self::all(count).without(self)
    }

    /// The union with a single delta.
    #[must_use]
    pub fn with_delta(&self, delta: DeltaId) -> Self {
        self.with(&Self::from_run(delta.0..delta.0 + 1))
    }

    /// The set without a single delta.
    #[must_use]
    pub fn without_delta(&self, delta: DeltaId) -> Self {
        self.without(&Self::from_run(delta.0..delta.0 + 1))
    }

    /// Whether every delta of this set is also in the other set.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.len <= other.len && self.without(other).is_empty()
    }

    /// Part `i`, counted from 0, of `n` consecutive parts. Their sizes differ by at most one, and smaller parts come first.
    #[must_use]
    pub fn part(&self, i: usize, n: usize) -> Self {
        let (size, larger) = (self.len() / n, self.len() % n);
        let start = |i: usize| i * size + i.saturating_sub(n - larger);
        self.slice(start(i)..start(i + 1))
    }

    /// The members with these ranks. The smallest member has rank 0.
    #[must_use]
    pub fn slice(&self, ranks: Range<usize>) -> Self {
        let (from, to) = (ranks.start as u32, (ranks.end as u32).min(self.len));
        let mut rank = 0;
        let mut chunks = Vec::with_capacity(self.chunks.len());
        for chunk in self.chunks.iter() {
            let count = chunk.count();
            let (first, last) = (from.saturating_sub(rank).min(count), to.saturating_sub(rank).min(count));
            chunks.push(match (first, last) {
                _ if first >= last => DeltaChunk::Empty,
                (0, _) if last == count => chunk.clone(),
                _ => {
                    let end = if last == count { BITS } else { chunk.select(last) };
                    chunk.between(chunk.select(first)..end)
                }
            });
            rank += count;
            if rank >= to {
                break;
            }
        }
        Self::of_chunks(chunks)
    }

    /// The member with this rank.
    #[must_use]
    pub fn get(&self, rank: usize) -> Option<DeltaId> {
        let mut rank = rank as u32;
        for (index, chunk) in self.chunks.iter().enumerate() {
            if rank < chunk.count() {
                return Some(DeltaId(index as u32 * BITS + chunk.select(rank)));
            }
            rank -= chunk.count();
        }
        None
    }

    /// The member with the highest number.
    #[must_use]
    pub fn last(&self) -> Option<DeltaId> {
        self.get(self.len().checked_sub(1)?)
    }

    /// The first member whose number is at least that of `delta`.
    #[must_use]
    pub fn first_from(&self, delta: DeltaId) -> Option<DeltaId> {
        self.next_bit(delta.0, true).map(DeltaId)
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = DeltaId> + '_ {
        self.runs().flatten().map(DeltaId)
    }

    /// The members as runs of consecutive numbers, each as long as possible.
    #[must_use]
    pub fn runs(&self) -> DeltaRuns<'_> {
        DeltaRuns { configuration: self, next: 0 }
    }

    /// A 128-bit hash that identifies the set where storing the set itself would take too much memory.
    #[must_use]
    pub fn fingerprint(&self) -> u128 {
        let mut low = Mixer(0x9e37_79b9_7f4a_7c15);
        let mut high = Mixer(0xc2b2_ae3d_27d4_eb4f);
        let mut add = |word: u64| {
            low.add(word);
            high.add(word.rotate_left(32));
        };
        for (index, chunk) in self.chunks.iter().enumerate() {
            match chunk {
                DeltaChunk::Empty => {}
                DeltaChunk::Full => add(index as u64 * 2 + 1),
                DeltaChunk::Mixed(bits) => {
                    add(index as u64 * 2);
                    bits.words.iter().copied().for_each(&mut add);
                }
            }
        }
        u128::from(high.0) << 64 | u128::from(low.0)
    }

    /// The first bit at or after `from` that is set, or that is clear if `set` is false.
    fn next_bit(&self, from: u32, set: bool) -> Option<u32> {
        let end = self.chunks.len() as u32 * BITS;
        let mut bit = from;
        while bit < end {
            let chunk = &self.chunks[(bit / BITS) as usize];
            match (chunk, set) {
                (DeltaChunk::Full, true) | (DeltaChunk::Empty, false) => return Some(bit),
                (DeltaChunk::Full, false) | (DeltaChunk::Empty, true) => bit = (bit / BITS + 1) * BITS,
                (DeltaChunk::Mixed(bits), _) => {
                    let word = bits.words[(bit % BITS / 64) as usize];
                    let seen = (if set { word } else { !word }) >> (bit % 64);
                    if seen != 0 {
                        return Some(bit + seen.trailing_zeros());
                    }
                    bit = (bit / 64 + 1) * 64;
                }
            }
        }
        if set { None } else { Some(end.max(from)) }
    }
}

/// One multiplication and one fold per word, as in other fast hashes. Nobody chooses deltas to make two sets collide.
struct Mixer(u64);

impl Mixer {
    fn add(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word.wrapping_mul(0xff51_afd7_ed55_8ccd)) * 0xa076_1d64_78bd_642f;
        self.0 = (product ^ (product >> 64)) as u64 ^ word;
    }
}

/// The runs of a configuration, see [`Configuration::runs`].
pub struct DeltaRuns<'a> {
    configuration: &'a Configuration,
    next: u32,
}

impl Iterator for DeltaRuns<'_> {
    type Item = Range<u32>;

    fn next(&mut self) -> Option<Range<u32>> {
        let start = self.configuration.next_bit(self.next, true)?;
        let end = self.configuration.next_bit(start, false)?;
        self.next = end;
        Some(start..end)
    }
}

impl FromIterator<Range<u32>> for Configuration {
    fn from_iter<I: IntoIterator<Item = Range<u32>>>(runs: I) -> Self {
        let mut chunks: Vec<Option<Box<[u64; WORDS]>>> = Vec::new();
        let mut full: Vec<bool> = Vec::new();
        for run in runs.into_iter().filter(|run| run.start < run.end) {
            let last = ((run.end - 1) / BITS) as usize;
            if chunks.len() <= last {
                chunks.resize_with(last + 1, || None);
                full.resize(last + 1, false);
            }
            for index in (run.start / BITS) as usize..=last {
                let first = index as u32 * BITS;
                let bits = run.start.max(first) - first..run.end.min(first + BITS) - first;
                if bits == (0..BITS) {
                    full[index] = true;
                    continue;
                }
                let words = chunks[index].get_or_insert_with(|| Box::new([0; WORDS]));
                for word in (bits.start / 64) as usize..=((bits.end - 1) / 64) as usize {
                    words[word] |= mask(word, &bits);
                }
            }
        }
        let chunk = |(words, full): (Option<Box<[u64; WORDS]>>, bool)| match words {
            _ if full => DeltaChunk::Full,
            Some(words) => DeltaChunk::of_words(*words),
            None => DeltaChunk::Empty,
        };
        Self::of_chunks(chunks.into_iter().zip(full).map(chunk).collect())
    }
}

impl FromIterator<DeltaId> for Configuration {
    fn from_iter<I: IntoIterator<Item = DeltaId>>(deltas: I) -> Self {
        deltas.into_iter().map(|delta| delta.0..delta.0 + 1).collect()
    }
}

impl PartialEq for Configuration {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && (Arc::ptr_eq(&self.chunks, &other.chunks) || self.chunks == other.chunks)
    }
}

impl Eq for Configuration {}

impl Hash for Configuration {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fingerprint().hash(state);
    }
}
