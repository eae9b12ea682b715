//! Which addresses words of memory point to, whatever the types of the words are.

use super::heap::Heap;
use crate::{Address, RegionKind, Snapshot};

/// The addresses inside some ranges that a word of memory holds, ascending. Words below the stack pointer and in free blocks
/// of the heap do not count. The ranges must be ascending and must not overlap.
pub(crate) fn pointed_into(snapshot: &Snapshot, heap: &Heap, ranges: &[(Address, Address)]) -> Vec<Address> {
    let (Some((low, _)), Some((_, high))) = (ranges.first(), ranges.last()) else { return Vec::new() };
    let mut pointed = Vec::new();
    for region in snapshot.regions().iter().filter(|region| region.writable) {
        let (words, _) = region.bytes.as_chunks::<8>();
        for (index, word) in words.iter().enumerate() {
            let to = Address(u64::from_le_bytes(*word));
            if to < *low || *high <= to {
                continue;
            }
            let after = ranges.partition_point(|(from, _)| *from <= to);
            let is_inside = after.checked_sub(1).is_some_and(|range| to < ranges[range].1);
            let at = region.start + index as u64 * 8;
            let is_unused = match region.kind {
                RegionKind::Stack => at < snapshot.stack_pointer(),
                _ => heap.is_dead(at),
            };
            if is_inside && !is_unused {
                pointed.push(to);
            }
        }
    }
    pointed.sort_unstable();
    pointed.dedup();
    pointed
}
