//! Makes the image of a PNG smaller and simpler. Its header and its rows must match, so they change together.

use crate::document::PieceKind;
use crate::packing::{PngHeader, PngImage};
use crate::{Delta, Document, DocumentPart, Pass, PassInfo, Piece, PieceId, Proposals, Tier};
use howcome_run::Unit;
use std::ops::Range;
use std::sync::Arc;

/// Makes images smaller.
pub(super) struct PngPass;

impl Pass for PngPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "png",
            about: "make the image of a PNG smaller, and its colours simpler",
            unit: Unit::Image,
            tier: Tier::Coarse,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        let mut room = ROOM;
        for (at, piece) in document.pieces().iter().enumerate() {
            if matches!(&piece.kind, PieceKind::Packed(packing) if packing.format() == "png") {
                let inside = at + 1..at + 1 + piece.inside as usize;
                if let Some(picture) = PngParts::of(document.pieces(), inside.clone()) {
                    deltas.extend(picture.smaller(&mut room));
                }
                deltas.extend(plain_texts(document.pieces(), inside));
            }
        }
        Proposals::flat(deltas)
    }
}

/// The header and the rows of one image.
struct PngParts<'a> {
    header: (PieceId, PngHeader),
    rows: (PieceId, &'a DocumentPart),
}

impl<'a> PngParts<'a> {
    fn of(pieces: &'a [Piece], inside: Range<usize>) -> Option<Self> {
        let named = |name: &str| inside.clone().find(|at| pieces[*at].name == name);
        let (ihdr, idat) = (named("IHDR")?, named("IDAT")?);
        let PieceKind::Part(header) = &pieces[ihdr].kind else { return None };
        // If the image was unpacked, it has one piece.
        let (PieceKind::Packed(_), 1) = (&pieces[idat].kind, pieces[idat].inside) else { return None };
        let PieceKind::Part(rows) = &pieces[idat + 1].kind else { return None };
        let header = PngHeader::read(header.bytes())?;
        Some(Self { header: (PieceId(ihdr as u32), header), rows: (PieceId(idat as u32 + 1), rows) })
    }

    /// Smaller images: if several are chosen, the first one is written.
    fn smaller(&self, room: &mut usize) -> Vec<Delta> {
        let header = self.header.1;
        let grey = PngHeader { depth: 1, colour: 0, interlaced: false, ..header };
        let blank = |header: PngHeader| (header, vec![0; header.size()]);
        let mut images: Vec<(PngHeader, Vec<u8>)> = Vec::new();
        let mut add = |size: usize, image: &dyn Fn() -> (PngHeader, Vec<u8>)| {
            if size <= *room {
                *room -= size;
                images.push(image());
            }
        };
        for header in [
            PngHeader { width: 1, height: 1, ..grey },
            PngHeader { width: 1, height: 1, interlaced: false, ..header },
            PngHeader { width: 1, ..grey },
            PngHeader { height: 1, ..grey },
            grey,
        ] {
            add(header.size(), &|| blank(header));
        }
        if let Some(image) = PngImage::read(header, self.rows.1.bytes()) {
            for (x, y, width, height) in cuts(header) {
                let size = PngHeader { width, height, ..header }.size();
                add(size, &|| image.cut(x, y, width, height));
            }
        }
        add(header.size(), &|| blank(PngHeader { interlaced: false, ..header }));
        images.retain(|image| self.is_progress(image));
        images.dedup();
        images.into_iter().map(|(header, rows)| self.replaced_by(header, rows)).collect()
    }

    /// Whether an image has fewer bytes, or as many but a simpler kind or smaller values. So this ends.
    fn is_progress(&self, (header, rows): &(PngHeader, Vec<u8>)) -> bool {
        let old = self.header.1;
        let kind = |header: &PngHeader| (header.interlaced, header.width, header.height, header.pixel());
        let now = (self.rows.1.bytes().len(), kind(&old), self.rows.1.bytes());
        (rows.len(), kind(header), rows.as_slice()) < now
    }

    fn replaced_by(&self, header: PngHeader, rows: Vec<u8>) -> Delta {
        let rows = Delta::replace(self.rows.0, 0..self.rows.1.bytes().len(), rows);
        if header == self.header.1 {
            return rows;
        }
        Delta::replace(self.header.0, 0..13, header.bytes()).and(rows)
    }
}

/// How many bytes all proposed images can have together. The others are proposed later, when images are smaller.
const ROOM: usize = 64 << 20;

/// Parts of an image, the smallest first: without a half, a quarter and so on at one of its sides.
fn cuts(header: PngHeader) -> Vec<(u32, u32, u32, u32)> {
    let PngHeader { width, height, .. } = header;
    let mut cuts = Vec::new();
    let sizes = |size: u32| (0..32).rev().map(|bit| 1u32 << bit).filter(move |less| *less < size);
    for less in sizes(width) {
        cuts.push((0, 0, width - less, height));
        cuts.push((less, 0, width - less, height));
    }
    for less in sizes(height) {
        cuts.push((0, 0, width, height - less));
        cuts.push((0, less, width, height - less));
    }
    cuts.push((0, 0, 1, 1));
    cuts.sort_by_key(|(x, y, width, height)| (u64::from(*width) * u64::from(*height), *x, *y));
    cuts
}

/// Replaces international texts by the simplest text chunk, with only the keyword and the text.
fn plain_texts(pieces: &[Piece], inside: Range<usize>) -> Vec<Delta> {
    let mut deltas = Vec::new();
    for at in inside {
        let PieceKind::Part(part) = &pieces[at].kind else { continue };
        if pieces[at].name != "iTXt" {
            continue;
        }
        let mut fields = part.bytes().splitn(2, |byte| *byte == 0);
        let (Some(keyword), Some([0, _, rest @ ..])) = (fields.next(), fields.next()) else { continue };
        let Some(text) = rest.splitn(3, |byte| *byte == 0).nth(2) else { continue };
        let plain = [keyword, &[0], text].concat();
        let kind = PieceKind::Part(Arc::new(DocumentPart::new(plain, part.language())));
        let piece = Piece { name: "tEXt".into(), inside: 0, mode: pieces[at].mode, kind };
        let change = crate::PieceChange::Become(PieceId(at as u32), Arc::new([piece]));
        deltas.push(Delta { changes: vec![change] });
    }
    deltas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::passes_that_leave_open;
    use crate::{packing, simplify};

    /// A PNG of 8-bit grey pixels, with a comment.
    fn png(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
        let header = PngHeader { width, height, depth: 8, colour: 0, interlaced: false };
        let rows: Vec<u8> = pixels.chunks(width as usize).flat_map(|row| [&[0], row].concat()).collect();
        let chunks: [(&str, Vec<u8>); 4] = [
            ("IHDR", header.bytes().to_vec()),
            ("iTXt", b"Comment\0\0\0en\0\0hello".to_vec()),
            ("IDAT", packing::zlib_of(&rows)),
            ("IEND", Vec::new()),
        ];
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        for (kind, content) in chunks {
            file.extend((content.len() as u32).to_be_bytes());
            file.extend([kind.as_bytes(), &content, &[0; 4]].concat());
        }
        file
    }

    /// The header and the pixels of a document.
    fn seen(document: &Document) -> Option<(PngHeader, Vec<u8>)> {
        let chunks = packing::open("a.png".as_ref(), 0, &document.bytes_of(PieceId(0)), 10_000)?;
        let chunks = Document::new(chunks);
        let chunk = |name: &str| chunks.pieces().iter().position(|piece| piece.name == name);
        let bytes = |at: usize| chunks.bytes_of(PieceId(at as u32));
        let header = PngHeader::read(&bytes(chunk("IHDR")?))?;
        let rows = Document::new(packing::open("rows".as_ref(), 0, &bytes(chunk("IDAT")?), 10_000)?);
        let rows = rows.bytes_of(PieceId(1));
        chunk("IEND")?;
        Some((header, PngImage::read(header, &rows)?.cut(0, 0, header.width, header.height).1))
    }

    #[test]
    fn an_image_that_must_only_be_valid_has_one_pixel() {
        let document = Document::of_file("a.png", png(100, 70, &[7; 7000]));
        let simplified = simplify(&document, passes_that_leave_open(), |document| seen(document).is_some());
        // The signature, the header, two bytes of rows and the end.
        assert_eq!(simplified.document.size(), 8 + 25 + (12 + 10) + 12);
        assert!(simplified.tests < 60, "{}", simplified.tests);
    }

    #[test]
    fn two_pixels_that_matter_are_cut_out() {
        let mut pixels = [0; 7000];
        pixels[33 * 100 + 57] = 200;
        pixels[34 * 100 + 60] = 100;
        let document = Document::of_file("a.png", png(100, 70, &pixels));
        let simplified = simplify(&document, passes_that_leave_open(), |document| {
            seen(document)
                .is_some_and(|(header, rows)| header.depth == 8 && rows.contains(&200) && rows.contains(&100))
        });
        let (header, rows) = seen(&simplified.document).unwrap();
        assert_eq!((header.width, header.height), (4, 2));
        assert_eq!(rows, [0, 200, 0, 0, 0, 0, 0, 0, 0, 100]);
    }

    #[test]
    fn a_text_with_a_language_becomes_a_plain_one() {
        let document = Document::of_file("a.png", png(1, 1, &[0]));
        let simplified = simplify(&document, passes_that_leave_open(), |document| {
            let bytes = document.bytes_of(PieceId(0));
            seen(document).is_some() && bytes.windows(8).any(|window| window == b"Comment\0")
        });
        let names: Vec<_> = simplified.document.pieces().iter().map(|piece| piece.name.clone()).collect();
        assert!(names.contains(&"tEXt".into()), "{names:?}");
    }
}
