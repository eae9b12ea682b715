//! Deltas: changes that make a document smaller, and carrying them out.

use crate::document::{Document, Piece, PieceId, PieceKind};
use std::ops::Range;
use std::sync::Arc;

/// Changes that are carried out together or not at all.
#[derive(Clone, Debug, Default)]
pub struct Delta {
    /// The changes.
    pub changes: Vec<PieceChange>,
}

/// A change of one piece of a document.
#[derive(Clone, Debug)]
pub enum PieceChange {
    /// The piece is removed, with all pieces in it.
    Drop(PieceId),
    /// Bytes of a part are replaced. If two such changes overlap, all their bytes are removed, and each change writes its own
    /// bytes unless its range starts inside the other.
    Replace {
        /// The piece that has the bytes.
        piece: PieceId,
        /// Which of its bytes.
        range: Range<usize>,
        /// The bytes that replace them.
        with: Arc<[u8]>,
    },
    /// The piece is replaced by another one, with pieces in it.
    Become(PieceId, Arc<[Piece]>),
}

impl Delta {
    /// Removes bytes of a part.
    #[must_use]
    pub fn cut(piece: PieceId, range: Range<usize>) -> Self {
        Self::replace(piece, range, *b"")
    }

    /// Replaces bytes of a part.
    #[must_use]
    pub fn replace(piece: PieceId, range: Range<usize>, with: impl Into<Arc<[u8]>>) -> Self {
        Self { changes: vec![PieceChange::Replace { piece, range, with: with.into() }] }
    }

    /// Removes a piece.
    #[must_use]
    pub fn drop(piece: PieceId) -> Self {
        Self { changes: vec![PieceChange::Drop(piece)] }
    }

    /// Removes everything: all bytes of a single file, or all files.
    #[must_use]
    pub fn everything(document: &Document) -> Self {
        match document.pieces() {
            [Piece { kind: PieceKind::Part(part), .. }] => Self::cut(PieceId(0), 0..part.bytes().len()),
            pieces => {
                let mut all = Self::default();
                let mut at = 0;
                while let Some(piece) = pieces.get(at as usize) {
                    all = all.and(Self::drop(PieceId(at)));
                    at += 1 + piece.inside;
                }
                all
            }
        }
    }

    /// How many bytes it removes. Removing or replacing a piece counts as a large number, since its size is not known here.
    #[must_use]
    pub fn gain(&self) -> u64 {
        let gain = |change: &PieceChange| match change {
            PieceChange::Replace { range, with, .. } => range.len() as i64 - with.len() as i64,
            PieceChange::Drop(_) | PieceChange::Become(..) => i64::from(u32::MAX),
        };
        self.changes.iter().map(gain).sum::<i64>().max(0).cast_unsigned()
    }

    /// This delta and another one, as one delta.
    #[must_use]
    pub fn and(mut self, other: Delta) -> Self {
        self.changes.extend(other.changes);
        self
    }
}

/// Bytes of a part, the bytes that replace them, and the delta that this belongs to.
type ReplacedRange = (PieceId, Range<usize>, Arc<[u8]>, u32);

/// The changes of many deltas, in the order in which they are carried out.
#[derive(Clone, Debug, Default)]
pub(crate) struct PieceChanges {
    /// Sorted by piece, then by start, longer ranges first.
    replaced: Vec<ReplacedRange>,
    others: Vec<(PieceChange, u32)>,
}

impl PieceChanges {
    pub(crate) fn of(deltas: &[Delta]) -> Self {
        let mut changes = Self::default();
        for (number, delta) in deltas.iter().enumerate() {
            let number = number as u32;
            for change in &delta.changes {
                match change {
                    PieceChange::Replace { piece, range, with } => {
                        changes.replaced.push((*piece, range.clone(), Arc::clone(with), number));
                    }
                    other => changes.others.push((other.clone(), number)),
                }
            }
        }
        changes.replaced.sort_by(|(piece, range, _, number), (piece2, range2, _, number2)| {
            let order = (piece, range.start).cmp(&(piece2, range2.start));
            order.then(range2.end.cmp(&range.end)).then(number.cmp(number2))
        });
        changes
    }

    /// The changes of one delta.
    pub(crate) fn of_delta(&self, number: u32) -> impl Iterator<Item = PieceChange> {
        let replaced = self.replaced.iter().filter(move |(.., of)| *of == number);
        let replaced = replaced.map(|(piece, range, with, _)| PieceChange::Replace {
            piece: *piece,
            range: range.clone(),
            with: Arc::clone(with),
        });
        let others =
            self.others.iter().filter(move |(_, of)| *of == number).map(|(change, _)| change.clone());
        replaced.chain(others)
    }

    /// The document after the chosen deltas are carried out.
    pub(crate) fn apply(&self, document: &Document, chosen: impl Fn(u32) -> bool) -> Document {
        let pieces = document.pieces();
        let mut becomes: Vec<Option<&Arc<[Piece]>>> = Vec::new();
        let mut drops: Vec<bool> = Vec::new();
        for (change, number) in &self.others {
            if !chosen(*number) {
                continue;
            }
            match change {
                PieceChange::Drop(piece) => {
                    drops.resize(pieces.len(), false);
                    drops[piece.index()] = true;
                }
                PieceChange::Become(piece, instead) => {
                    becomes.resize(pieces.len(), None);
                    becomes[piece.index()] = Some(instead);
                }
                PieceChange::Replace { .. } => {}
            }
        }
        let mut texts: Vec<Option<Vec<u8>>> = vec![None; pieces.len()];
        let mut at = 0;
        while at < self.replaced.len() {
            let piece = self.replaced[at].0;
            let end = at + self.replaced[at..].partition_point(|(of, ..)| *of == piece);
            if let PieceKind::Part(part) = &document.piece(piece).kind {
                texts[piece.index()] = spliced(part.bytes(), &self.replaced[at..end], &chosen);
            }
            at = end;
        }
        let mut builder = DocumentBuilder { made: Vec::with_capacity(pieces.len()), open: Vec::new() };
        let mut at = 0;
        while let Some(piece) = pieces.get(at) {
            builder.close(at);
            let after = at + 1 + piece.inside as usize;
            if drops.get(at) == Some(&true) {
                at = after;
                continue;
            }
            if let Some(Some(instead)) = becomes.get(at) {
                builder.made.extend(instead.iter().cloned());
                at = after;
                continue;
            }
            let kind = match (texts[at].take(), &piece.kind) {
                (Some(bytes), PieceKind::Part(part)) => PieceKind::Part(Arc::new(part.with(bytes))),
                (_, kind) => kind.clone(),
            };
            builder.open.push((builder.made.len(), after));
            builder.made.push(Piece { name: piece.name.clone(), inside: 0, mode: piece.mode, kind });
            at += 1;
        }
        builder.close(usize::MAX);
        Document::new(builder.made)
    }
}

/// Builds a document. How many pieces are in a piece is known only after all of them were added.
struct DocumentBuilder {
    made: Vec<Piece>,
    /// The index of each open piece, and the first piece of the original that is not in it.
    open: Vec<(usize, usize)>,
}

impl DocumentBuilder {
    fn close(&mut self, at: usize) {
        while let Some((place, after)) = self.open.last().copied()
            && after <= at
        {
            self.open.pop();
            self.made[place].inside = (self.made.len() - place - 1) as u32;
        }
    }
}

/// The text after the chosen changes. `None` if no change is chosen.
fn spliced(bytes: &[u8], changes: &[ReplacedRange], chosen: impl Fn(u32) -> bool) -> Option<Vec<u8>> {
    let mut text: Option<Vec<u8>> = None;
    let mut done = 0;
    for (_, range, with, number) in changes {
        if !chosen(*number) || range.end > bytes.len() {
            continue;
        }
        let text = text.get_or_insert_with(|| Vec::with_capacity(bytes.len()));
        if range.start < done {
            done = done.max(range.end);
            continue;
        }
        text.extend_from_slice(&bytes[done..range.start]);
        text.extend_from_slice(with);
        done = done.max(range.end);
    }
    text.map(|mut text| {
        text.extend_from_slice(&bytes[done..]);
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, deltas: &[Delta]) -> String {
        let document = PieceChanges::of(deltas).apply(&Document::of_file("f", text), |_| true);
        String::from_utf8(document.bytes_of(PieceId(0))).unwrap()
    }

    #[test]
    fn a_change_inside_a_longer_one_is_removed_with_it() {
        let deltas = [
            Delta::replace(PieceId(0), 3..4, *b"X"),
            Delta::cut(PieceId(0), 2..6),
            Delta::cut(PieceId(0), 5..7),
            Delta::replace(PieceId(0), 8..9, *b"YY"),
        ];
        assert_eq!(applied("0123456789", &deltas), "017YY9");
    }
}
