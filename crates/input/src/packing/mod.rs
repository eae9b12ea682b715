//! Files that are made of members, with lengths and checksums between them that must fit.
//!
//! A byte that is cut out of a PNG, a zip or a certificate leaves a file that every reader refuses, so such files are opened:
//! the members become pieces of the document, every pass works on them as on any other, and for each test the file is
//! packed anew. Nothing but the packing knows of lengths, offsets and checksums.
//!
//! A format is one file here with two things in it, and a line in [`FORMATS`]:
//!
//! - `open(file)`: the members, or nothing if this is no such file. Files are broken more often than not where things fail,
//!   so it never trusts a length and never makes more than `room` bytes of what it reads; [`ByteReader`] helps with both.
//! - a [`Packing`]: the file that is made of some members. Members may be missing or changed in any way, and what is
//!   then right is what a reader would expect: lengths and checksums follow the content.
//!
//! `png.rs` is the example to begin with. A format with tables of offsets (ELF: sections, and headers that tell where they
//! are) is the same: the members are the sections, named so that the packing recognises them, and the packing lays them out
//! and writes the tables; what is no section (alignment, the order) it remembers from the file that was opened.
//!
//! What comes out of the packing need not be what was opened, byte by byte. So opening is a proposal like any other: where
//! the failure is gone with it (it was the wrong checksum that mattered), the file stays as it is.

mod byte_reader;
mod container;
mod deflate;
mod der;
mod gzip;
mod image;
mod pem;
mod png;
mod tar;
mod zip;
mod zlib;

use crate::{Piece, PieceKind};
use container::{OpenedContainer, SealedFile};
use std::ffi::OsStr;

pub(crate) use image::{PngHeader, PngImage};
#[cfg(test)]
pub(crate) use zlib::zlib_of;

type OpenContainer = fn(&SealedFile<'_>) -> Option<OpenedContainer>;

const FORMATS: [OpenContainer; 7] =
    [png::open, zip::open, gzip::open, zlib::open, tar::open, pem::open, der::open];

/// A piece with the members of a packed one in it, if it is in a format that we know.
pub(crate) fn open(name: &OsStr, mode: u32, bytes: &[u8], room: usize) -> Option<Vec<Piece>> {
    let sealed = SealedFile { name, bytes, room };
    let (packing, members) = FORMATS.iter().find_map(|open| open(&sealed))?;
    let kind = PieceKind::Packed(packing);
    let mut pieces = vec![Piece { name: name.to_owned(), inside: members.len() as u32, mode, kind }];
    pieces.extend(members);
    Some(pieces)
}

#[cfg(test)]
mod tests;
