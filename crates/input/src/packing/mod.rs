//! Containers: files with members, whose lengths and checksums must be right.
//!
//! If a byte is cut out of a PNG, a zip file or a certificate, every program rejects the file. So these files are unpacked:
//! the members become pieces of the document, all passes work on them, and for each test the file is packed again. Only the
//! packing knows about lengths, offsets and checksums.
//!
//! A format is one file here with two parts, and an entry in [`FORMATS`]:
//!
//! - `open(file)` returns the members, or `None` if the file does not have this format. Failing inputs are often broken, so
//!   it never trusts a length and never unpacks more than `room` bytes; `ByteReader` helps with that.
//! - A [`Packing`](crate::Packing) makes the file from its members. Members can be missing or changed in any way; lengths
//!   and checksums follow from the contents.
//!
//! `png` is the best example. A format with tables of offsets, such as ELF, works in the same way: the members are the
//! sections, with names by which the packing recognises them; the packing writes the sections and the tables, and remembers
//! everything else (alignment, order) from the original file.
//!
//! A file that is packed again can differ from the original. So unpacking is a delta like any other: if the test does not
//! fail with it (perhaps because the failure is a wrong checksum), the file stays as it is.
//!
//! | file | idea |
//! |---|---|
//! | `container`, `byte_reader` | what formats have in common |
//! | `png`, `image` | PNG: its chunks, and its image |
//! | `zip`, `gzip`, `zlib`, `tar`, `deflate` | archives and compressed files |
//! | `der`, `pem` | keys and certificates |
//! | `tests` | round trips through every format |

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

/// The pieces of a file: a container with its members. `None` if the file does not have a known format.
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
