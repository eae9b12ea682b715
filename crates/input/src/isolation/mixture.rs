//! The subject of an isolation: two inputs, and all mixes of them.

use super::comparison::{TextChunk, compare};
use super::writing_order::{KINDS, OPTIONAL, STATEMENT};
use crate::{Document, DocumentPart, InputTest, Piece, PieceId, PieceKind};
use howcome_dd::{Configuration, DeltaId, IsolateInOrder};
use howcome_lab::{Command, Prepare, WorkFolder};
use howcome_run::{Because, Content, Subject};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A passing and a failing input, and all mixes of them: without any delta it is the passing input, with all deltas the failing
/// one.
#[derive(Clone, Debug)]
pub struct Mixture {
    pub(super) entries: Vec<MixedEntry>,
    deltas: u32,
    seams: Vec<Vec<u32>>,
    test: Arc<InputTest>,
}

/// A file, a folder or a link, on one side or on both.
#[derive(Clone, Debug)]
pub(super) struct MixedEntry {
    pub(super) path: PathBuf,
    pub(super) body: MixedBody,
}

#[derive(Clone, Debug)]
pub(super) enum MixedBody {
    /// The same on both sides.
    Same(Piece),
    /// A file whose bytes can differ.
    Text {
        passing: Arc<DocumentPart>,
        failing: Arc<DocumentPart>,
        modes: [u32; 2],
        chunks: Vec<TextChunk>,
        is_there: Presence,
    },
    /// Something else, which is exchanged as a whole.
    Whole { passing: Option<Piece>, failing: Option<Piece>, delta: u32 },
}

/// Which side has a file, and the delta that adds or removes it; or the delta that changes its permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    Always,
    Mode(u32),
    Comes(u32),
    Goes(u32),
}

impl Mixture {
    /// All mixes of two inputs.
    #[must_use]
    pub fn new(passing: &Document, failing: &Document, test: Arc<InputTest>) -> Self {
        let mut sides: BTreeMap<PathBuf, [Option<Piece>; 2]> = BTreeMap::new();
        for (side, document) in [passing, failing].into_iter().enumerate() {
            for (path, piece) in pieces(document) {
                sides.entry(path).or_default()[side] = Some(piece);
            }
        }
        let mut mixture = Self { entries: Vec::new(), deltas: 0, seams: vec![Vec::new(); KINDS], test };
        for (path, sides) in sides {
            let body = mixture.body(sides);
            mixture.entries.push(MixedEntry { path, body });
        }
        mixture
    }

    /// Whether tests run in a copy of the user's folder.
    pub(crate) fn is_in_copy(&self) -> bool {
        self.test.folder.is_copy()
    }

    fn body(&mut self, sides: [Option<Piece>; 2]) -> MixedBody {
        let part = |piece: &Option<Piece>| match piece {
            Some(Piece { kind: PieceKind::Part(part), .. }) => Some(Arc::clone(part)),
            _ => None,
        };
        let mode = |piece: &Option<Piece>| piece.as_ref().map_or(0o644, |piece| piece.mode);
        let modes = [mode(&sides[0]), mode(&sides[1])];
        match (part(&sides[0]), part(&sides[1]), sides) {
            (Some(passing), Some(failing), _) => {
                let is_there = match modes[0] == modes[1] {
                    true => Presence::Always,
                    false => Presence::Mode(self.delta(OPTIONAL)),
                };
                let chunks = self.compared(&passing, &failing);
                MixedBody::Text { passing, failing, modes, chunks, is_there }
            }
            (None, Some(failing), [None, _]) => {
                let is_there = Presence::Comes(self.delta(STATEMENT));
                let passing = Arc::new(DocumentPart::new(Vec::new(), failing.language()));
                let chunks = self.compared(&passing, &failing);
                MixedBody::Text { passing, failing, modes: [modes[1]; 2], chunks, is_there }
            }
            (Some(passing), None, [_, None]) => {
                let failing = Arc::new(DocumentPart::new(Vec::new(), passing.language()));
                let chunks = self.compared(&passing, &failing);
                let is_there = Presence::Goes(self.delta(STATEMENT));
                MixedBody::Text { passing, failing, modes: [modes[0]; 2], chunks, is_there }
            }
            (_, _, [Some(passing), Some(failing)]) if is_same(&passing, &failing) => MixedBody::Same(failing),
            (_, _, [passing, failing]) => MixedBody::Whole { passing, failing, delta: self.delta(STATEMENT) },
        }
    }

    fn delta(&mut self, kind: usize) -> u32 {
        self.seams[kind].push(self.deltas);
        self.deltas += 1;
        self.deltas - 1
    }

    fn compared(&mut self, passing: &DocumentPart, failing: &DocumentPart) -> Vec<TextChunk> {
        if passing.bytes() == failing.bytes() {
            return vec![TextChunk::Both(0..failing.bytes().len())];
        }
        let mut compared = compare(passing, failing);
        for chunk in &mut compared.chunks {
            match chunk {
                TextChunk::Both(_) => {}
                TextChunk::Passing(_, delta)
                | TextChunk::Failing(_, delta)
                | TextChunk::Instead { delta, .. } => {
                    *delta += self.deltas;
                }
            }
        }
        for (kind, at) in compared.seams {
            // Deltas can always be cut between two files.
            self.seams[if at == 0 { STATEMENT } else { kind }].push(self.deltas + at);
        }
        self.deltas += compared.deltas;
        compared.chunks
    }

    /// The search for the smallest difference.
    #[must_use]
    pub fn search(&self) -> IsolateInOrder {
        IsolateInOrder::new(self.deltas, self.seams.clone())
    }

    /// The input in which these deltas are applied.
    #[must_use]
    pub fn document(&self, applied: &Configuration) -> Document {
        let has = |delta: u32| applied.contains(DeltaId(delta));
        let mut there: Vec<(PathBuf, Piece)> = Vec::new();
        for MixedEntry { path, body } in &self.entries {
            let piece = match body {
                MixedBody::Same(piece) => Some(piece.clone()),
                MixedBody::Whole { passing, failing, delta } => {
                    if has(*delta) { failing } else { passing }.clone()
                }
                MixedBody::Text { is_there: Presence::Comes(delta), .. } if !has(*delta) => None,
                MixedBody::Text { is_there: Presence::Goes(delta), .. } if has(*delta) => None,
                MixedBody::Text { passing, failing, modes, chunks, is_there } => {
                    let mode = match is_there {
                        Presence::Mode(delta) if !has(*delta) => modes[0],
                        _ => modes[1],
                    };
                    let bytes = mixed([passing.bytes(), failing.bytes()], chunks, applied);
                    let kind = PieceKind::Part(Arc::new(DocumentPart::new(bytes, failing.language())));
                    Some(Piece { name: path.file_name().unwrap_or_default().into(), inside: 0, mode, kind })
                }
            };
            there.extend(piece.map(|piece| (path.clone(), piece)));
        }
        assembled(there)
    }
}

fn mixed([passing, failing]: [&[u8]; 2], chunks: &[TextChunk], applied: &Configuration) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(passing.len().max(failing.len()));
    let has = |delta: u32| applied.contains(DeltaId(delta));
    for chunk in chunks {
        bytes.extend_from_slice(match chunk {
            TextChunk::Both(range) => &failing[range.clone()],
            TextChunk::Passing(range, delta) if !has(*delta) => &passing[range.clone()],
            TextChunk::Failing(range, delta) if has(*delta) => &failing[range.clone()],
            TextChunk::Instead { failing: range, delta, .. } if has(*delta) => &failing[range.clone()],
            TextChunk::Instead { passing: range, .. } => &passing[range.clone()],
            TextChunk::Passing(..) | TextChunk::Failing(..) => b"",
        });
    }
    bytes
}

/// The pieces of a document with their paths. A container counts as its bytes.
fn pieces(document: &Document) -> Vec<(PathBuf, Piece)> {
    let whole = |id: PieceId| {
        let piece = document.piece(id);
        let kind = match &piece.kind {
            PieceKind::Packed(_) => PieceKind::Part(Arc::new(DocumentPart::new(document.bytes_of(id), None))),
            kind => kind.clone(),
        };
        Piece { inside: 0, kind, ..piece.clone() }
    };
    document.entries().into_iter().map(|(path, id)| (path, whole(id))).collect()
}

/// A document of pieces, which are sorted by path. Pieces whose folder is missing are dropped.
fn assembled(there: Vec<(PathBuf, Piece)>) -> Document {
    let mut pieces: Vec<Piece> = Vec::with_capacity(there.len());
    let mut open: Vec<(PathBuf, usize)> = Vec::new();
    for (path, piece) in there {
        let folder = path.parent().map(PathBuf::from).unwrap_or_default();
        while open.last().is_some_and(|(open, _)| *open != folder) {
            open.pop();
        }
        if open.is_empty() && !folder.as_os_str().is_empty() {
            continue;
        }
        open.iter().for_each(|(_, at)| pieces[*at].inside += 1);
        if matches!(piece.kind, PieceKind::Folder) {
            open.push((path, pieces.len()));
        }
        pieces.push(piece);
    }
    Document::new(pieces)
}

fn is_same(passing: &Piece, failing: &Piece) -> bool {
    match (&passing.kind, &failing.kind) {
        (PieceKind::Folder, PieceKind::Folder) => true,
        (PieceKind::Link(passing), PieceKind::Link(failing)) => passing == failing,
        _ => false,
    }
}

impl Subject for Mixture {
    fn deltas(&self) -> u32 {
        self.deltas
    }

    fn describe(&self, delta: DeltaId) -> String {
        format!("{delta:?}")
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        Some(self.document(configuration).content())
    }
}

impl Prepare for Mixture {
    fn prepare(
        &self,
        configuration: &Configuration,
        folder: &mut WorkFolder<'_>,
    ) -> Result<Command, Because> {
        self.test.prepare(&self.document(configuration), folder)
    }

    fn reuses(&self) -> bool {
        self.test.folder.is_copy()
    }
}
