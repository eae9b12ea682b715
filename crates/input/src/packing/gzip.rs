//! gzip: one or more compressed files one after another, each with its length and checksum.

use super::byte_reader::ByteReader;
use super::container::{OpenedContainer, SealedFile, member};
use super::deflate::{Deflated, inflate};
use crate::Packing;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

#[derive(Debug)]
struct GzipPacking {
    /// The compressed data of a single member. Several members have the same name, so none is kept.
    kept: Deflated,
}

impl Packing for GzipPacking {
    fn format(&self) -> &'static str {
        "gzip"
    }

    fn pack(&self, members: &[(&OsStr, Vec<u8>)]) -> Vec<u8> {
        let mut file = Vec::new();
        for (_, content) in members {
            // No flags, no time, no level, an unknown system.
            file.extend([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
            file.extend(self.kept.deflate(content));
            file.extend(crc32fast::hash(content).to_le_bytes());
            file.extend((content.len() as u32).to_le_bytes());
        }
        file
    }
}

pub(super) fn open(sealed: &SealedFile<'_>) -> Option<OpenedContainer> {
    let mut file = ByteReader::new(sealed.bytes);
    let mut members = Vec::new();
    let mut kept = Deflated::default();
    let mut room = sealed.room;
    while !file.is_at_end() {
        skip_header(&mut file)?;
        let (content, length) = inflate(file.rest(), room)?;
        let packed = file.take(length)?;
        kept = if members.is_empty() { Deflated::new(&content, packed) } else { Deflated::default() };
        // Checksum and length, which are computed again.
        file.take(8)?;
        // An empty member takes no bytes, but it is a piece.
        room = room.checked_sub(content.len() + 64)?;
        members.push(member(name_inside(sealed.name), content));
    }
    (!members.is_empty()).then(|| -> OpenedContainer { (Arc::new(GzipPacking { kept }), members) })
}

fn skip_header(file: &mut ByteReader<'_>) -> Option<()> {
    file.expect(&[0x1f, 0x8b, 8])?;
    let flags = file.byte()?;
    file.take(6)?;
    if flags & 4 != 0 {
        let length = file.u16_le()?;
        file.take(length.into())?;
    }
    // The name of the file, and a comment.
    for flag in [8, 16] {
        if flags & flag != 0 {
            file.until(0)?;
        }
    }
    if flags & 2 != 0 {
        file.take(2)?;
    }
    Some(())
}

/// `pages.tar` in `pages.tar.gz` and `pages.tgz`.
fn name_inside(name: &OsStr) -> OsString {
    let path = Path::new(name);
    match (path.extension().and_then(OsStr::to_str), path.file_stem()) {
        (Some("gz" | "gzip"), Some(stem)) => stem.to_owned(),
        (Some("tgz"), Some(stem)) => {
            let mut name = stem.to_owned();
            name.push(".tar");
            name
        }
        _ => "inflated".into(),
    }
}

#[cfg(test)]
pub(super) fn empty() -> impl Packing {
    GzipPacking { kept: Deflated::default() }
}
