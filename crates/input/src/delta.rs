//! What could be done to a document, and doing it.

use crate::document::{Document, Piece, PieceId, PieceKind};
use std::ops::Range;
use std::sync::Arc;

/// One thing that could be done: all of its changes or none.
#[derive(Clone, Debug, Default)]
pub struct Delta {
    /// What is changed.
    pub changes: Vec<PieceChange>,
}

/// A change of a document.
#[derive(Clone, Debug)]
pub enum PieceChange {
    /// The piece goes, with all that is in it.
    Drop(PieceId),
    /// Bytes of a part are replaced. Where two such changes overlap, all their bytes go, and each writes what it has to
    /// write unless its first byte lies inside of the other.
    Replace {
        /// The part.
        piece: PieceId,
        /// Its bytes.
        range: Range<usize>,
        /// What stands there instead.
        with: Arc<[u8]>,
    },
    /// The piece becomes another one, with pieces in it.
    Become(PieceId, Arc<[Piece]>),
}

impl Delta {
    /// Bytes of a part go.
    #[must_use]
    pub fn cut(piece: PieceId, range: Range<usize>) -> Self {
        Self::replace(piece, range, *b"")
    }

    /// Bytes of a part are replaced.
    #[must_use]
    pub fn replace(piece: PieceId, range: Range<usize>, with: impl Into<Arc<[u8]>>) -> Self {
        Self { changes: vec![PieceChange::Replace { piece, range, with: with.into() }] }
    }

    /// A piece goes.
    #[must_use]
    pub fn drop(piece: PieceId) -> Self {
        Self { changes: vec![PieceChange::Drop(piece)] }
    }

    /// Everything of a document goes: of a single file all bytes, of more than one all files.
    #[must_use]
    pub fn everything(document: &Document) -> Self {
        match document.pieces() {
            [Piece { what: PieceKind::Part(part), .. }] => Self::cut(PieceId(0), 0..part.bytes().len()),
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

    /// How many bytes fewer there are afterwards; of pieces that go or come nothing is known.
    #[must_use]
    pub fn gain(&self) -> u64 {
        let gain = |change: &PieceChange| match change {
            PieceChange::Replace { range, with, .. } => range.len() as i64 - with.len() as i64,
            PieceChange::Drop(_) | PieceChange::Become(..) => i64::from(u32::MAX),
        };
        self.changes.iter().map(gain).sum::<i64>().max(0).cast_unsigned()
    }

    /// The same and a further change.
    #[must_use]
    pub fn and(mut self, other: Delta) -> Self {
        self.changes.extend(other.changes);
        self
    }
}

/// Bytes of a part, what stands there instead, and the delta that wants it.
type ReplacedRange = (PieceId, Range<usize>, Arc<[u8]>, u32);

/// The changes of many deltas, in the order in which they are carried out.
#[derive(Clone, Debug, Default)]
pub(crate) struct PieceChanges {
    /// Sorted by piece, then by where they begin, longer ones first.
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

    /// The document after the chosen deltas.
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
            if let PieceKind::Part(part) = &document.piece(piece).what {
                texts[piece.index()] = spliced(part.bytes(), &self.replaced[at..end], &chosen);
            }
            at = end;
        }
        let mut builder = DocumentBuilder { made: Vec::with_capacity(pieces.len()), open: Vec::new() };
        let mut at = 0;
        while let Some(piece) = pieces.get(at) {
            builder.close(at);
            let behind = at + 1 + piece.inside as usize;
            if drops.get(at) == Some(&true) {
                at = behind;
                continue;
            }
            if let Some(Some(instead)) = becomes.get(at) {
                builder.made.extend(instead.iter().cloned());
                at = behind;
                continue;
            }
            let what = match (texts[at].take(), &piece.what) {
                (Some(bytes), PieceKind::Part(part)) => PieceKind::Part(Arc::new(part.with(bytes))),
                (_, what) => what.clone(),
            };
            builder.open.push((builder.made.len(), behind));
            builder.made.push(Piece { name: piece.name.clone(), inside: 0, mode: piece.mode, what });
            at += 1;
        }
        builder.close(usize::MAX);
        Document::new(builder.made)
    }
}

/// A document in the making; how many pieces are in a piece is known when all of them are there.
struct DocumentBuilder {
    made: Vec<Piece>,
    /// Where an open piece is, and the first piece of the original that is not in it.
    open: Vec<(usize, usize)>,
}

impl DocumentBuilder {
    fn close(&mut self, at: usize) {
        while let Some((place, behind)) = self.open.last().copied()
            && behind <= at
        {
            self.open.pop();
            self.made[place].inside = (self.made.len() - place - 1) as u32;
        }
    }
}

/// The text after the chosen changes; none where nothing is chosen.
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
    fn what_lies_in_a_longer_change_goes_with_it() {
        let deltas = [
            Delta::replace(PieceId(0), 3..4, *b"X"),
            Delta::cut(PieceId(0), 2..6),
            Delta::cut(PieceId(0), 5..7),
            Delta::replace(PieceId(0), 8..9, *b"YY"),
        ];
        assert_eq!(applied("0123456789", &deltas), "017YY9");
    }
}
