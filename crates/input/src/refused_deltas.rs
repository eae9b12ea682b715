//! What was tried in vain, so that it is not tried again without a reason.

use crate::delta::PieceChange;
use crate::{Delta, PieceId};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// The deltas that could not be carried out, by where they are in the document of today.
#[derive(Clone, Debug, Default)]
pub(crate) struct RefusedDeltas {
    deltas: HashSet<DeltaKey>,
}

/// A delta: its pass, the bytes that it replaces, and a hash of what it puts there, 0 where that is nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct DeltaKey {
    pass: &'static str,
    ranges: Vec<(PieceId, usize, usize)>,
    with: u64,
}

/// The place of a piece that goes as a whole, whatever is in it.
const WHOLE: usize = usize::MAX;

impl DeltaKey {
    /// None where a piece becomes another: those are few.
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

    /// The document has changed: what was refused elsewhere is still refused, but may have moved.
    pub(crate) fn follow<'a>(&mut self, carried_out: impl Iterator<Item = &'a Delta>) {
        let Some(moves) = MovedRanges::of(carried_out) else { return self.deltas.clear() };
        let moved = |mut key: DeltaKey| {
            for (piece, start, end) in key.ranges.iter_mut().filter(|(_, start, _)| *start != WHOLE) {
                let range = moves.of_range(*piece, *start..*end)?;
                (*start, *end) = (range.start, range.end);
            }
            // What is gone already is no longer a part of what was refused.
            if key.with == 0 {
                key.ranges.retain(|(_, start, end)| start < end || *start == WHOLE);
            }
            (!key.ranges.is_empty()).then_some(key)
        };
        self.deltas = self.deltas.drain().filter_map(moved).collect();
    }
}

/// Where bytes are after some changes.
struct MovedRanges {
    /// Disjoint and in order: what was replaced, and the sum of how far everything behind it moves.
    replaced: Vec<(PieceId, Range<usize>, isize)>,
}

impl MovedRanges {
    /// None where pieces come or go.
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

    /// Where a range is now; none if something was replaced that is only partly in it. What is left of a range in which
    /// something was replaced is still refused: without it, the document is the same as without the whole.
    fn of_range(&self, piece: PieceId, range: Range<usize>) -> Option<Range<usize>> {
        let first = self.replaced.partition_point(|(of, at, _)| (*of, at.end) <= (piece, range.start));
        let behind = self.replaced.partition_point(|(of, at, _)| (*of, at.start) < (piece, range.end));
        let inside = self.replaced.get(first..behind).unwrap_or_default();
        let is_inside =
            |(_, at, _): &(PieceId, Range<usize>, isize)| range.start <= at.start && at.end <= range.end;
        // They are disjoint and in order, so that only the first and the last may reach beyond the range.
        let reach_beyond = !inside.first().is_none_or(is_inside) || !inside.last().is_none_or(is_inside);
        let moved = |at: usize, behind: usize| {
            let before = behind.checked_sub(1).and_then(|before| self.replaced.get(before));
            let moves = before.filter(|(of, ..)| *of == piece).map_or(0, |(_, _, moves)| *moves);
            at.checked_add_signed(moves)
        };
        let range = moved(range.start, first)?..moved(range.end, behind.max(first))?;
        (!reach_beyond).then_some(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_refused_is_found_again_where_it_has_moved_to() {
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
    fn what_is_left_of_something_refused_is_refused_too() {
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
