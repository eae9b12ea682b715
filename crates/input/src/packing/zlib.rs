//! zlib: a compressed stream with a checksum, as in PNG, PDF and git.

use super::byte_reader::ByteReader;
use super::container::{OpenedContainer, SealedFile, member};
use super::deflate::{Deflated, inflate};
use crate::Packing;
use std::ffi::OsStr;
use std::sync::Arc;

#[derive(Debug)]
struct ZlibPacking {
    kept: Deflated,
}

impl Packing for ZlibPacking {
    fn format(&self) -> &'static str {
        "zlib"
    }

    fn pack(&self, members: &[(&OsStr, Vec<u8>)]) -> Vec<u8> {
        // There is one member, or it was removed.
        let content = members.first().map_or(&[][..], |(_, content)| content);
        let mut file = vec![0x78, 0x9c];
        file.extend(self.kept.deflate(content));
        file.extend(adler32(content).to_be_bytes());
        file
    }
}

pub(super) fn open(sealed: &SealedFile<'_>) -> Option<OpenedContainer> {
    let mut file = ByteReader::new(sealed.bytes);
    let header = [file.byte()?, file.byte()?];
    let is_deflate = header[0] & 0x0f == 8 && header[0] >> 4 <= 7;
    let has_dictionary = header[1] & 0x20 != 0;
    if !is_deflate || has_dictionary || u16::from_be_bytes(header) % 31 != 0 {
        return None;
    }
    let (content, length) = inflate(file.rest(), sealed.room)?;
    let packed = file.take(length)?;
    // The two bytes of the header could be there by chance; the checksum could not.
    if file.u32_be()? != adler32(&content) || !file.is_at_end() {
        return None;
    }
    let packing = ZlibPacking { kept: Deflated::new(&content, packed) };
    Some((Arc::new(packing), vec![member("inflated", content)]))
}

/// The checksum of zlib streams.
fn adler32(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1u32, 0u32);
    // The sums of this many bytes fit into 32 bits.
    for run in bytes.chunks(5552) {
        for byte in run {
            a += u32::from(*byte);
            b += a;
        }
        a %= 65_521;
        b %= 65_521;
    }
    b << 16 | a
}

#[cfg(test)]
pub(super) fn empty() -> impl Packing {
    ZlibPacking { kept: Deflated::default() }
}

/// A zlib stream with this content.
#[cfg(test)]
pub(crate) fn zlib_of(content: &[u8]) -> Vec<u8> {
    empty().pack(&[("inflated".as_ref(), content.to_vec())])
}
