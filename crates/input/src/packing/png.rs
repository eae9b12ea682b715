//! PNG: chunks with types, lengths and checksums. A good example of a format.

use super::byte_reader::ByteReader;
use super::container::{OpenedContainer, SealedFile, member};
use crate::Packing;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::Arc;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The name of the bytes after the last whole chunk. Chunks are named after their types, which have four letters.
const TRAILING: &str = "trailing";

#[derive(Debug)]
struct PngPacking;

impl Packing for PngPacking {
    fn format(&self) -> &'static str {
        "png"
    }

    fn pack(&self, members: &[(&OsStr, Vec<u8>)]) -> Vec<u8> {
        let mut file = SIGNATURE.to_vec();
        for (name, content) in members {
            if name.len() != 4 {
                file.extend(content);
                continue;
            }
            file.extend((content.len() as u32).to_be_bytes());
            let checked = file.len();
            file.extend(name.as_bytes());
            file.extend(content);
            let checksum = crc32fast::hash(&file[checked..]);
            file.extend(checksum.to_be_bytes());
        }
        file
    }
}

pub(super) fn open(sealed: &SealedFile<'_>) -> Option<OpenedContainer> {
    let mut file = ByteReader::new(sealed.bytes);
    file.expect(SIGNATURE)?;
    let mut chunks: Vec<(&[u8], Vec<u8>)> = Vec::new();
    let mut trailing = file;
    while let Some((kind, content)) = chunk(&mut file) {
        trailing = file;
        match chunks.last_mut() {
            // The image is one compressed stream, however it is split into chunks.
            Some((b"IDAT", image)) if kind == b"IDAT" => image.extend(content),
            _ => chunks.push((kind, content.to_vec())),
        }
    }
    if !trailing.is_at_end() {
        chunks.push((TRAILING.as_bytes(), trailing.rest().to_vec()));
    }
    let named = |(kind, content): (&[u8], Vec<u8>)| member(OsString::from_vec(kind.to_vec()), content);
    Some((Arc::new(PngPacking), chunks.into_iter().map(named).collect()))
}

fn chunk<'a>(file: &mut ByteReader<'a>) -> Option<(&'a [u8], &'a [u8])> {
    let length = file.u32_be()?;
    let kind = file.take(4)?;
    let content = file.take(length as usize)?;
    // The checksum is computed again.
    file.take(4)?;
    Some((kind, content))
}
