//! Turns a container into plain bytes again when nothing more can be removed inside. It is not unpacked again.

use crate::delta::PieceChange;
use crate::document::PieceKind;
use crate::{Delta, Document, DocumentPart, Pass, PassInfo, Piece, PieceId, Proposals, Tier};
use howcome_run::Unit;
use std::sync::Arc;

/// Closes containers, so that a header or a checksum that no program reads can be removed, too.
pub(super) struct ClosePass;

impl Pass for ClosePass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "close",
            about: "treat unpacked files as plain bytes again, to work on their headers and checksums",
            unit: Unit::PackedFile,
            tier: Tier::Last,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        let mut at = 0;
        while let Some(piece) = document.pieces().get(at) {
            let id = PieceId(at as u32);
            at += 1;
            if matches!(piece.kind, PieceKind::Packed(_)) {
                let kind = PieceKind::Part(Arc::new(DocumentPart::closed(document.bytes_of(id))));
                let closed = Piece { inside: 0, kind, ..piece.clone() };
                deltas.push(Delta { changes: vec![PieceChange::Become(id, Arc::from([closed]))] });
                at += piece.inside as usize;
            }
        }
        Proposals::flat(deltas)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::passes;
    use crate::simplify;
    use std::io::{Read, Write};

    #[test]
    fn a_checksum_that_no_program_reads_is_removed_in_the_end() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(b"some text with a needle in it").unwrap();
        let packed = encoder.finish().unwrap();
        // The compressed text must be there; what comes after it does not matter.
        let simplified = simplify(&Document::of_file("a.gz", packed), passes(), |document| {
            let bytes = document.bytes_of(PieceId(0));
            let mut text = String::new();
            let mut decoder = flate2::read::DeflateDecoder::new(bytes.get(10..).unwrap_or_default());
            decoder.read_to_string(&mut text).is_ok() && text.contains("needle")
        });
        assert_eq!(simplified.minimal_in, Some(Unit::Byte));
        assert_eq!(simplified.document.size(), 18);
    }
}
