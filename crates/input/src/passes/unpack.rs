//! Unpacks containers, so that their members can be made smaller.
//!
//! A container stays unpacked: packing it as it was would be a way to go in circles. And if the failure depends on how the
//! file was packed, the test does not fail with the unpacked file.

use crate::delta::PieceChange;
use crate::document::PieceKind;
use crate::{Delta, Document, Pass, PassInfo, PieceId, Proposals, Tier, packing};
use howcome_run::Unit;
use std::sync::Arc;

/// Unpacks containers.
pub(super) struct UnpackPass;

/// How many bytes all members can have together. Small files can contain a lot (zip bombs).
const ROOM: usize = 256 << 20;
/// How deep containers inside containers are unpacked.
const DEEPEST: usize = 64;
/// How deep compressed containers are unpacked, which can be larger than the files around them.
const DEEPEST_COMPRESSED: usize = 6;

impl Pass for UnpackPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "unpack",
            about: "unpack PNG, zip, gzip, zlib, tar, PEM and DER files, to work on their members",
            unit: Unit::PackedFile,
            tier: Tier::Coarse,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        let mut room = ROOM;
        // The containers around a piece, where they end, and whether they are compressed.
        let mut around: Vec<(usize, bool)> = Vec::new();
        for (at, piece) in document.pieces().iter().enumerate() {
            while around.last().is_some_and(|(end, _)| *end <= at) {
                around.pop();
            }
            match &piece.kind {
                PieceKind::Packed(packing) => {
                    let end = at + 1 + piece.inside as usize;
                    around.push((end, matches!(packing.format(), "zip" | "gzip" | "zlib")));
                }
                PieceKind::Part(part) if part.is_closed() => {}
                PieceKind::Part(part) => {
                    let compressed = around.iter().filter(|(_, is_compressed)| *is_compressed).count();
                    room = room.saturating_sub(part.bytes().len());
                    if around.len() >= DEEPEST || compressed >= DEEPEST_COMPRESSED {
                        continue;
                    }
                    let opened = packing::open(&piece.name, piece.mode, part.bytes(), room);
                    let Some(opened) = opened.map(Document::new) else { continue };
                    // If packing it again makes it larger, it stays as it is.
                    if opened.size() > part.bytes().len() as u64 {
                        continue;
                    }
                    let unpacked: usize = opened.parts().map(|(_, part)| part.bytes().len()).sum();
                    room = room.saturating_sub(unpacked);
                    let change = PieceChange::Become(PieceId(at as u32), Arc::from(opened.pieces()));
                    deltas.push(Delta { changes: vec![change] });
                }
                PieceKind::Folder | PieceKind::Link(_) => {}
            }
        }
        Proposals::flat(deltas)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::passes_that_leave_open;
    use crate::simplify;

    const PEM: &str = "one\n-----BEGIN A-----\nMAYCAQUCAQc=\n-----END A-----\ntwo\n";

    #[test]
    fn the_content_of_a_block_becomes_smaller_with_its_lengths() {
        let document = Document::of_file("a.pem", PEM);
        let simplified = simplify(&document, passes_that_leave_open(), |document| {
            let opened = packing::open("a".as_ref(), 0, &document.bytes_of(PieceId(0)), 100);
            let Some(opened) = opened.map(Document::new) else { return false };
            // The sequence and the second number in it.
            (0..opened.pieces().len()).any(|at| opened.bytes_of(PieceId(at as u32)).ends_with(&[2, 1, 7]))
        });
        // 30 03 02 01 07
        assert_eq!(simplified.document.text(), "-----BEGIN A-----\nMAMCAQc=\n-----END A-----");
    }

    #[test]
    fn containers_in_containers_are_unpacked() {
        let text: String = (0..200).map(|line| format!("line {line}\n")).collect();
        let zlib = packing::zlib_of(&packing::zlib_of(text.as_bytes()));
        let document = Document::of_file("twice", zlib);
        let inside = |document: &Document| -> Option<Vec<u8>> {
            let once = Document::new(packing::open("1".as_ref(), 0, &document.bytes_of(PieceId(0)), 10_000)?);
            let twice = Document::new(packing::open("2".as_ref(), 0, &once.bytes_of(PieceId(1)), 10_000)?);
            Some(twice.bytes_of(PieceId(1)))
        };
        let simplified = simplify(&document, passes_that_leave_open(), |document| {
            inside(document).is_some_and(|text| text.windows(2).any(|window| window == b"77"))
        });
        assert_eq!(inside(&simplified.document).unwrap(), b"77");
    }

    #[test]
    fn a_file_that_fails_only_as_it_was_packed_stays_as_it_is() {
        let broken = b"\x89PNG\r\n\x1a\n\0\0\0\0IEND\x01\x02\x03\x04".to_vec();
        let document = Document::of_file("broken.png", broken.clone());
        let proposals = UnpackPass.proposals(&document);
        assert_eq!(proposals.deltas.len(), 1);
        let simplified = simplify(&document, passes_that_leave_open(), |document| {
            // The failure is the wrong checksum.
            document.bytes_of(PieceId(0)).ends_with(b"\x01\x02\x03\x04")
        });
        assert_eq!(simplified.document.bytes_of(PieceId(0)), b"\x01\x02\x03\x04");
    }
}
