//! Deltas that were tried without success. They are not tried again without a reason.

use crate::delta::PieceChange;
use crate::{Delta, PieceId};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// The deltas that could not be carried out, by their ranges in the present document.
#[derive(Clone, Debug, Default)]
pub(crate) struct RefusedDeltas {
    deltas: HashSet<DeltaKey>,
}

/// A delta: its pass, the ranges that it replaces, and a hash of the bytes that replace them, 0 if there are none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct DeltaKey {
    pass: &'static str,
    ranges: Vec<(PieceId, usize, usize)>,
    with: u64,
}

/// Start and end of a piece that is removed as a whole.
const WHOLE: usize = usize::MAX;

impl DeltaKey {
    /// `None` if a piece is replaced by another one. Such deltas are few, so they can be tried again.
    fn of(pass: &'static str, delta: &Delta) -> Option<Self> {
        let mut hasher = DefaultHasher::new();
        let mut ranges = Vec::with_capacity(delta.changes.len());
        let mut is_cut = true;
        for change in &delta.changes {
            match change {
                PieceChange::Replace { piece, range, with } => {
                    ranges.push((*piece, range.start, range.end));
                    is_cut &= with.is_empty();
                    with.hash(&mut hasher);
                }
                PieceChange::Drop(piece) => ranges.push((*piece, WHOLE, WHOLE)),
                PieceChange::Become(..) => return None,
            }
        }
        if is_cut {
            ranges.sort_unstable();
        }
        Some(Self { pass, ranges, with: if is_cut { 0 } else { hasher.finish() } })
    }
}

impl RefusedDeltas {
    pub(crate) fn contains(&self, pass: &'static str, delta: &Delta) -> bool {
        DeltaKey::of(pass, delta).is_some_and(|key| self.deltas.contains(&key))
    }

    pub(crate) fn insert(&mut self, pass: &'static str, delta: &Delta) {
        self.deltas.extend(DeltaKey::of(pass, delta));
    }

    /// Adapts the refused deltas to changes of the document: those in other ranges stay refused, but can have moved.
    pub(crate) fn follow<'a>(&mut self, carried_out: impl Iterator<Item = &'a Delta>) {
        let Some(moves) = MovedRanges::of(carried_out) else { return self.deltas.clear() };
        let moved = |mut key: DeltaKey| {
            for (piece, start, end) in key.ranges.iter_mut().filter(|(_, start, _)| *start != WHOLE) {
                let range = moves.of_range(*piece, *start..*end)?;
                (*start, *end) = (range.start, range.end);
            }
            // Ranges that were removed meanwhile are no longer part of the delta.
            if key.with == 0 {
                key.ranges.retain(|(_, start, end)| start < end || *start == WHOLE);
            }
            (!key.ranges.is_empty()).then_some(key)
        };
        self.deltas = self.deltas.drain().filter_map(moved).collect();
    }
}

/// Where ranges are after some changes.
struct MovedRanges {
    /// The replaced ranges, disjoint and in order, and by how many bytes everything after each of them moves.
    replaced: Vec<(PieceId, Range<usize>, isize)>,
}

impl MovedRanges {
    /// `None` if pieces were added or removed.
    fn of<'a>(carried_out: impl Iterator<Item = &'a Delta>) -> Option<Self> {
        let mut changes = Vec::new();
        for change in carried_out.flat_map(|delta| &delta.changes) {
            let PieceChange::Replace { piece, range, with } = change else { return None };
            changes.push((*piece, range.clone(), with.len()));
        }
        changes.sort_by(|a, b| (a.0, a.1.start, b.1.end).cmp(&(b.0, b.1.start, a.1.end)));
        let mut replaced: Vec<(PieceId, Range<usize>, isize)> = Vec::new();
        for (piece, range, length) in changes {
            match replaced.last_mut() {
                Some((of, last, moves)) if *of == piece && range.start < last.end => {
                    let further = range.end.saturating_sub(last.end);
                    last.end += further;
                    *moves -= further.cast_signed();
                }
                last => {
                    let before = last.filter(|(of, ..)| *of == piece).map_or(0, |(_, _, moves)| *moves);
                    let moves = before + length.cast_signed() - range.len().cast_signed();
                    replaced.push((piece, range, moves));
                }
            }
        }
        Some(Self { replaced })
    }

    /// Where a range is now. `None` if a replaced range overlaps it only in part. The rest of a range in which something was
    /// replaced is still refused: without the rest, the document is the same as without the whole range.
    fn of_range(&self, piece: PieceId, range: Range<usize>) -> Option<Range<usize>> {
        let first = self.replaced.partition_point(|(of, at, _)| (*of, at.end) <= (piece, range.start));
        let after = self.replaced.partition_point(|(of, at, _)| (*of, at.start) < (piece, range.end));
        let inside = self.replaced.get(first..after).unwrap_or_default();
        let is_inside =
            |(_, at, _): &(PieceId, Range<usize>, isize)| range.start <= at.start && at.end <= range.end;
        // The replaced ranges are disjoint and in order, so only the first and the last can reach beyond the range.
        let reach_beyond = !inside.first().is_none_or(is_inside) || !inside.last().is_none_or(is_inside);
        let moved = |at: usize, after: usize| {
            let before = after.checked_sub(1).and_then(|before| self.replaced.get(before));
            let moves = before.filter(|(of, ..)| *of == piece).map_or(0, |(_, _, moves)| *moves);
            at.checked_add_signed(moves)
        };
        let range = moved(range.start, first)?..moved(range.end, after.max(first))?;
        (!reach_beyond).then_some(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_deltas_are_found_where_they_have_moved_to() {
        let cut = |range| Delta::cut(PieceId(0), range);
        let mut refused = RefusedDeltas::default();
        for range in [0..2, 10..14, 20..22] {
            refused.insert("lines", &cut(range));
        }
        refused.insert("pieces", &Delta::drop(PieceId(0)));
        refused.follow([cut(3..8), cut(5..9), cut(14..15)].iter());
        assert!(refused.contains("lines", &cut(0..2)));
        assert!(refused.contains("lines", &cut(13..15)));
        assert!(refused.contains("lines", &cut(4..8)));
        assert!(!refused.contains("lines", &cut(4..7)));
        assert!(!refused.contains("nodes", &cut(0..2)));
        assert!(refused.contains("pieces", &Delta::drop(PieceId(0))));
        refused.follow([Delta::drop(PieceId(1))].iter());
        assert!(!refused.contains("pieces", &Delta::drop(PieceId(0))));
    }

    #[test]
    fn the_rest_of_a_refused_range_is_refused_too() {
        let cut = |range| Delta::cut(PieceId(0), range);
        let mut refused = RefusedDeltas::default();
        refused.insert("nodes", &cut(10..20));
        refused.insert("nodes", &cut(30..40).and(cut(50..60)));
        refused.insert("smallest", &Delta::replace(PieceId(0), 10..20, *b"0"));
        refused.follow([cut(0..5), cut(10..12), cut(15..16), cut(50..60)].iter());
        assert!(refused.contains("nodes", &cut(5..12)));
        assert!(refused.contains("nodes", &cut(22..32)));
        assert!(refused.contains("smallest", &Delta::replace(PieceId(0), 5..12, *b"0")));
        refused.follow([cut(11..13)].iter());
        assert!(!refused.contains("nodes", &cut(5..11)));
    }
}
