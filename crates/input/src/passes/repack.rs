//! Packs containers more tightly than usual: no line ends in base64, no empty blocks after the last file.

use crate::delta::PieceChange;
use crate::document::PieceKind;
use crate::{Delta, Document, Pass, PassInfo, Piece, PieceId, Proposals, Tier};
use howcome_run::Unit;
use std::sync::Arc;

/// Packs containers more tightly.
pub(super) struct RepackPass;

impl Pass for RepackPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "repack",
            about: "pack unpacked files more tightly than usual",
            unit: Unit::Packing,
            tier: Tier::Names,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (at, piece) in document.pieces().iter().enumerate() {
            let PieceKind::Packed(packing) = &piece.kind else { continue };
            let inside = &document.pieces()[at + 1..at + 1 + piece.inside as usize];
            let tighter = packing.tighter();
            if tighter.is_empty() {
                continue;
            }
            let size = document.bytes_of(PieceId(at as u32)).len() as u64;
            for packing in tighter {
                let outer = Piece { kind: PieceKind::Packed(packing), ..piece.clone() };
                let pieces: Arc<[Piece]> = std::iter::once(&outer).chain(inside).cloned().collect();
                if Document::new(pieces.to_vec()).size() < size {
                    let change = PieceChange::Become(PieceId(at as u32), pieces);
                    deltas.push(Delta { changes: vec![change] });
                }
            }
        }
        Proposals::flat(deltas)
    }
}
