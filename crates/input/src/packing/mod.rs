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
mod deflate;
mod der;
mod gzip;
mod image;
mod pem;
mod png;
mod tar;
mod zip;
mod zlib;

use crate::{DocumentPart, Packing, Piece, PieceKind};
use byte_reader::ByteReader;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

pub(crate) use image::{PngHeader, PngImage};
#[cfg(test)]
pub(crate) use zlib::zlib_of;

/// What is asked to be opened.
struct SealedFile<'a> {
    name: &'a OsStr,
    bytes: &'a [u8],
    /// How many bytes may come out of it.
    room: usize,
}

/// What came out: how to pack it again, and the members.
type OpenedContainer = (Arc<dyn Packing>, Vec<Piece>);

type OpenContainer = fn(&SealedFile<'_>) -> Option<OpenedContainer>;

const FORMATS: [OpenContainer; 7] =
    [png::open, zip::open, gzip::open, zlib::open, tar::open, pem::open, der::open];

/// A piece with the members of a packed one in it, if it is in a format that we know.
pub(crate) fn open(name: &OsStr, mode: u32, bytes: &[u8], room: usize) -> Option<Vec<Piece>> {
    let sealed = SealedFile { name, bytes, room };
    let (packing, members) = FORMATS.iter().find_map(|open| open(&sealed))?;
    let what = PieceKind::Packed(packing);
    let mut pieces = vec![Piece { name: name.to_owned(), inside: members.len() as u32, mode, what }];
    pieces.extend(members);
    Some(pieces)
}

/// A member that is bytes, and perhaps a text in a language that its name tells.
fn member(name: impl Into<OsString>, bytes: Vec<u8>) -> Piece {
    let name = name.into();
    let what = PieceKind::Part(Arc::new(DocumentPart::of(&name, bytes)));
    Piece { name, inside: 0, mode: 0o644, what }
}

/// What archives know of their members besides names and contents. Names are made unique to find it again.
#[derive(Debug)]
struct MemberRecords<R> {
    of: HashMap<OsString, R>,
    /// How many there are of a name, where there are more.
    twins: HashMap<OsString, u32>,
}

impl<R> MemberRecords<R> {
    fn new() -> Self {
        Self { of: HashMap::new(), twins: HashMap::new() }
    }

    /// The name of the member that this is known of.
    fn add(&mut self, name: OsString, record: R) -> OsString {
        let mut unique = name.clone();
        while self.of.contains_key(&unique) {
            let count = self.twins.entry(name.clone()).or_insert(1);
            *count += 1;
            // Behind a slash, it is in a folder with the others.
            unique = name.clone();
            unique.push(format!("/{count}"));
        }
        self.of.insert(unique.clone(), record);
        unique
    }

    fn get(&self, name: &OsStr) -> Option<&R> {
        self.of.get(name)
    }
}

#[cfg(test)]
mod tests;
