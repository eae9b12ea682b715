//! DER: keys and certificates as nested elements with tags and lengths. All lengths around a change are computed again.

use super::byte_reader::ByteReader;
use super::container::{OpenedContainer, SealedFile};
use crate::{DocumentPart, Packing, Piece, PieceKind};
use std::ffi::OsStr;
use std::sync::Arc;

/// Packs the elements of a constructed element. Their names are their tags.
#[derive(Debug)]
struct DerPacking;

impl Packing for DerPacking {
    fn format(&self) -> &'static str {
        "der"
    }

    fn pack(&self, members: &[(&OsStr, Vec<u8>)]) -> Vec<u8> {
        let mut file = Vec::new();
        for (tag, content) in members {
            let digits = tag.as_encoded_bytes();
            let digit = |digit: u8| (digit as char).to_digit(16).unwrap_or(0) as u8;
            file.extend(digits.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])));
            match content.len() {
                length @ 0..=127 => file.push(length as u8),
                length => {
                    let bytes = length.to_be_bytes();
                    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
                    file.push(0x80 | (bytes.len() - zeros) as u8);
                    file.extend(&bytes[zeros..]);
                }
            }
            file.extend(content);
        }
        file
    }
}

/// The tags of a sequence and of a set.
const OUTERMOST: [u8; 2] = [0x30, 0x31];
/// Deeper elements are not unpacked.
const DEEPEST: usize = 32;

pub(super) fn open(sealed: &SealedFile<'_>) -> Option<OpenedContainer> {
    let mut file = ByteReader::new(sealed.bytes);
    let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let outermost = element(&mut file)?;
    let may_be = OUTERMOST.contains(&outermost.tag[0]) && !outermost.content.is_empty();
    // A text can start with `0` and happen to have the length that its second character says.
    if !may_be || !file.is_at_end() || sealed.bytes.iter().all(is_text) {
        return None;
    }
    // If the outermost element does not consist of elements, this is not DER.
    elements(outermost.content)?;
    let mut members = Vec::new();
    add(&outermost, &mut members, DEEPEST);
    Some((Arc::new(DerPacking), members))
}

struct DerElement<'a> {
    tag: &'a [u8],
    content: &'a [u8],
}

fn element<'a>(file: &mut ByteReader<'a>) -> Option<DerElement<'a>> {
    let start = file.rest();
    if file.byte()? & 0x1f == 0x1f {
        // A long tag ends with the first byte whose highest bit is not set.
        while file.byte()? & 0x80 != 0 {}
    }
    let tag = &start[..start.len() - file.rest().len()];
    let length = match file.byte()? {
        length @ 0..=0x7f => usize::from(length),
        count @ 0x81..=0x84 => {
            let bytes = file.take(usize::from(count & 0x7f))?;
            bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte))
        }
        _ => return None,
    };
    Some(DerElement { tag, content: file.take(length)? })
}

/// The elements of a content. `None` if it does not consist of elements.
fn elements(content: &[u8]) -> Option<Vec<DerElement<'_>>> {
    let mut content = ByteReader::new(content);
    let mut elements = Vec::new();
    while !content.is_at_end() {
        elements.push(element(&mut content)?);
    }
    Some(elements)
}

/// Adds the piece of an element, and the pieces of the elements in it down to a depth.
fn add(element: &DerElement<'_>, pieces: &mut Vec<Piece>, deepest: usize) {
    let name: String = element.tag.iter().map(|byte| format!("{byte:02x}")).collect();
    let is_constructed = element.tag[0] & 0x20 != 0;
    let inside = elements(element.content).filter(|_| is_constructed && deepest > 0);
    let kind = match inside {
        Some(_) => PieceKind::Packed(Arc::new(DerPacking)),
        None => PieceKind::Part(Arc::new(DocumentPart::new(element.content.to_vec(), None))),
    };
    let at = pieces.len();
    pieces.push(Piece { name: name.into(), inside: 0, mode: 0o644, kind });
    for element in inside.into_iter().flatten() {
        add(&element, pieces, deepest - 1);
    }
    pieces[at].inside = (pieces.len() - at - 1) as u32;
}
