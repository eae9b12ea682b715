//! The blocks of the heap, from the chunk headers of the GNU C library (2.31 to 2.41).
//!
//! A chunk is `[size of the previous chunk if that is free][size and flags][memory that malloc returned …]`, and its last
//! word is the first word of the next chunk. If anything looks implausible, no blocks are reported, rather than wrong ones.

use crate::{Address, Region, RegionKind, Snapshot};

/// A block that `malloc` returned at some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapBlock {
    /// The address that `malloc` returned.
    pub at: Address,
    /// The usable size in bytes, at least the requested size.
    pub size: u64,
    /// Whether it has been freed, or was never allocated.
    pub is_free: bool,
}

/// All known blocks, by address.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    blocks: Vec<HeapBlock>,
    /// The ranges that consist of blocks. Memory there that is in no block is not in use.
    ranges: Vec<(Address, Address)>,
}

/// A flag in the low bits of a chunk's size: the previous chunk is in use.
const PREVIOUS_IN_USE: u64 = 1;
/// A flag: the chunk has a mapping of its own.
const MAPPED: u64 = 2;
/// All flags.
const FLAGS: u64 = 7;
/// The size of the first chunk, which holds the thread's cache of free blocks.
const CACHE_CHUNK: u64 = 0x290;
/// The number of lists in that cache.
const CACHE_LISTS: u64 = 64;
/// The lists of small free chunks in an arena: their offset and their number.
const FAST_LISTS: (u64, u64) = (16, 10);
/// The offset of `top`, the last chunk, in an arena.
const TOP: u64 = 96;
/// The size of an arena.
const ARENA: u64 = 2200;
/// The alignment of the mappings of all arenas except the first.
const ARENA_ALIGNMENT: u64 = 64 << 20;
/// Blocks of at least this size get mappings of their own, unless the program changes that.
const MAPPED_FROM: u64 = 0x20000;
const PAGE: u64 = 0x1000;

impl Heap {
    /// Finds the blocks in a snapshot.
    #[must_use]
    pub fn of(snapshot: &Snapshot) -> Self {
        let mut heap = Self::default();
        for region in snapshot.regions().iter().filter(|region| region.writable) {
            match region.kind {
                RegionKind::Heap => heap.add_first_arena(snapshot, region),
                RegionKind::Anonymous => {
                    let is_aligned = region.start.0.is_multiple_of(ARENA_ALIGNMENT);
                    if !(is_aligned && heap.add_other_arena(snapshot, region)) {
                        heap.add_mapped(snapshot, region);
                    }
                }
                _ => {}
            }
        }
        heap.blocks.sort_by_key(|block| block.at);
        heap
    }

    /// The blocks, ascending by address.
    #[must_use]
    pub fn blocks(&self) -> &[HeapBlock] {
        &self.blocks
    }

    /// The block that contains an address.
    #[must_use]
    pub fn block(&self, at: Address) -> Option<&HeapBlock> {
        let after = self.blocks.partition_point(|block| block.at <= at);
        let block = self.blocks.get(after.checked_sub(1)?)?;
        (at - block.at < block.size).then_some(block)
    }

    /// Whether an address belongs to the heap, but to no block that is in use.
    #[must_use]
    pub fn is_dead(&self, at: Address) -> bool {
        match self.block(at) {
            Some(block) => block.is_free,
            None => self.ranges.iter().any(|(from, to)| *from <= at && at < *to),
        }
    }

    /// The heap that `brk` allocated.
    fn add_first_arena(&mut self, snapshot: &Snapshot, region: &Region) {
        let Some((mut blocks, top)) = chunks(snapshot, region.start, region.end()) else { return };
        let cache = blocks.first().filter(|block| block.size + 8 == CACHE_CHUNK).map(|block| block.at);
        let arena = find_arena(snapshot, top);
        mark_free(snapshot, &mut blocks, cache, arena);
        self.blocks.append(&mut blocks);
        self.ranges.push((region.start, region.end()));
    }

    /// A heap of another arena. Returns false if there is none.
    fn add_other_arena(&mut self, snapshot: &Snapshot, region: &Region) -> bool {
        let Some(arena) = snapshot.number(region.start, 8).map(Address) else { return false };
        let inside = arena - region.start;
        if inside != 0x20 && inside != 0x30 {
            return false;
        }
        let first = Address((arena.0 + ARENA + 15) & !15);
        let Some(length) = snapshot.number(region.start + 16, 8) else { return false };
        let end = (region.start + length).min(region.end());
        let Some((mut blocks, top)) = chunks(snapshot, first, end) else { return false };
        if snapshot.number(arena + TOP, 8) != Some(top.0) {
            return false;
        }
        let cache = blocks.first().filter(|block| block.size + 8 == CACHE_CHUNK).map(|block| block.at);
        mark_free(snapshot, &mut blocks, cache, Some(arena));
        self.blocks.append(&mut blocks);
        self.ranges.push((region.start, region.end()));
        true
    }

    /// Blocks with mappings of their own. Neighbours are one region.
    fn add_mapped(&mut self, snapshot: &Snapshot, region: &Region) {
        let mut at = Address(region.start.0.next_multiple_of(PAGE));
        while at + 16 <= region.end() {
            let header = snapshot.number(at, 8).zip(snapshot.number(at + 8, 8));
            let Some((0, size)) = header else {
                at = at + PAGE;
                continue;
            };
            let length = size & !FLAGS;
            let fits = length.is_multiple_of(PAGE) && length >= MAPPED_FROM && length <= region.end() - at;
            if size & FLAGS == MAPPED && fits {
                self.blocks.push(HeapBlock { at: at + 16, size: length - 16, is_free: false });
                at = at + length;
            } else {
                at = at + PAGE;
            }
        }
    }
}

/// The chunks between two addresses, and the last of them, which is the arena's `top`.
fn chunks(snapshot: &Snapshot, from: Address, to: Address) -> Option<(Vec<HeapBlock>, Address)> {
    let mut blocks: Vec<HeapBlock> = Vec::new();
    let mut at = from;
    while at < to {
        let size = snapshot.number(at + 8, 8)?;
        let length = size & !FLAGS;
        let is_last = length == to - at;
        let plausible = length.is_multiple_of(16) && (length >= 32 || is_last && length >= 16);
        if !plausible || length > to - at || size & MAPPED != 0 {
            return None;
        }
        // A free chunk that is not in one of the lists of small chunks is marked in its neighbour.
        if size & PREVIOUS_IN_USE == 0 {
            match blocks.last_mut() {
                Some(previous) => previous.is_free = true,
                None => return None,
            }
        }
        blocks.push(HeapBlock { at: at + 16, size: length - 8, is_free: is_last });
        if is_last {
            // The word after the last chunk does not belong to it.
            if let Some(top) = blocks.last_mut() {
                top.size = length - 16;
            }
            return Some((blocks, at));
        }
        at = at + length;
    }
    None
}

/// The arena with this `top`: in the data of the C library, or of the program if it is linked statically.
fn find_arena(snapshot: &Snapshot, top: Address) -> Option<Address> {
    let regions = snapshot.regions().iter().filter(|region| {
        region.writable && matches!(region.kind, RegionKind::File(_) | RegionKind::Anonymous)
    });
    for region in regions {
        let (words, _) = region.bytes.as_chunks::<8>();
        for (index, _) in words.iter().enumerate().filter(|(_, word)| u64::from_le_bytes(**word) == top.0) {
            let arena = region.start + index as u64 * 8 - TOP;
            if is_arena(snapshot, arena, region) {
                return Some(arena);
            }
        }
    }
    None
}

/// Whether this is an arena: its first list of free chunks points to itself, because it is empty, or to the heap.
fn is_arena(snapshot: &Snapshot, arena: Address, region: &Region) -> bool {
    if arena < region.start {
        return false;
    }
    // A list of free chunks is a ring through the arena itself, so most of the first bins point to themselves.
    let bins = (0..64).filter(|bin| {
        let itself = arena + TOP + bin * 16;
        snapshot.number(itself + 16, 8) == Some(itself.0) && snapshot.number(itself + 24, 8) == Some(itself.0)
    });
    bins.count() >= 16
}

/// Marks the free blocks that are not marked in their neighbours.
fn mark_free(snapshot: &Snapshot, blocks: &mut [HeapBlock], cache: Option<Address>, arena: Option<Address>) {
    for list in 0..CACHE_LISTS {
        let Some(cache) = cache else { break };
        let count = snapshot.number(cache + list * 2, 2).unwrap_or(0);
        let first = snapshot.number(cache + 2 * CACHE_LISTS + list * 8, 8).unwrap_or(0);
        mark_list(snapshot, blocks, Address(first), Some(count), 0);
    }
    for list in 0..FAST_LISTS.1 {
        let Some(arena) = arena else { break };
        let first = snapshot.number(arena + FAST_LISTS.0 + list * 8, 8).unwrap_or(0);
        if first != 0 {
            mark_list(snapshot, blocks, Address(first) + 16, None, 16);
        }
    }
}

/// Marks the blocks of one list. Its links point `before` bytes before the blocks. Since 2.32 a link is mixed with its own
/// address.
fn mark_list(snapshot: &Snapshot, blocks: &mut [HeapBlock], first: Address, count: Option<u64>, before: u64) {
    for is_mixed in [true, false] {
        let mut found = Vec::new();
        let mut at = first;
        let complete = loop {
            if at.is_null() {
                break count.is_none_or(|count| count == found.len() as u64);
            }
            let Ok(index) = blocks.binary_search_by_key(&at, |block| block.at) else { break false };
            if found.len() >= blocks.len() {
                break false;
            }
            found.push(index);
            let Some(link) = snapshot.number(at, 8) else { break false };
            let next = if is_mixed { link ^ (at.0 >> 12) } else { link };
            at = if next == 0 { Address(0) } else { Address(next) + before };
        };
        if complete {
            for index in found {
                blocks[index].is_free = true;
            }
            return;
        }
    }
}
