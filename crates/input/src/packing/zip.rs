//! zip: members with local headers, and a directory with their offsets at the end.

use super::byte_reader::ByteReader;
use super::container::{MemberRecords, OpenedContainer, SealedFile, member};
use super::deflate::{Deflated, inflate};
use crate::Packing;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::Arc;

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
/// The length of the end record without a comment.
const END_LENGTH: usize = 22;

#[derive(Debug)]
struct ZipPacking {
    records: MemberRecords<ZipRecord>,
}

/// What is known about a member besides its content.
#[derive(Debug, Default)]
struct ZipRecord {
    name: Vec<u8>,
    made_by: u16,
    flags: u16,
    time: u32,
    internal: u16,
    external: u32,
    kept: Deflated,
}

/// The flag for names in UTF-8. Other flags are about the packing.
const UTF8: u16 = 1 << 11;
const ENCRYPTED: u16 = 1;

impl Packing for ZipPacking {
    fn format(&self) -> &'static str {
        "zip"
    }

    fn pack(&self, members: &[(&OsStr, Vec<u8>)]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut directory = Vec::new();
        for (name, content) in members {
            let unknown = ZipRecord { name: name.as_bytes().to_vec(), ..ZipRecord::default() };
            let record = self.records.get(name).unwrap_or(&unknown);
            // Compression cannot make so few bytes shorter.
            let packed = if content.len() > 4 { record.kept.deflate(content) } else { content.clone() };
            let (method, packed): (u16, &[u8]) =
                if packed.len() < content.len() { (8, &packed) } else { (0, content) };
            let mut common = Vec::new();
            common.extend(if method == 8 { 20u16 } else { 10 }.to_le_bytes());
            common.extend(record.flags.to_le_bytes());
            common.extend(method.to_le_bytes());
            common.extend(record.time.to_le_bytes());
            common.extend(crc32fast::hash(content).to_le_bytes());
            common.extend((packed.len() as u32).to_le_bytes());
            common.extend((content.len() as u32).to_le_bytes());
            common.extend((record.name.len() as u16).to_le_bytes());
            // No extra fields.
            common.extend([0; 2]);
            directory.extend(CENTRAL);
            directory.extend(record.made_by.to_le_bytes());
            directory.extend(&common);
            // No comment, the first disk.
            directory.extend([0; 4]);
            directory.extend(record.internal.to_le_bytes());
            directory.extend(record.external.to_le_bytes());
            directory.extend((file.len() as u32).to_le_bytes());
            directory.extend(&record.name);
            file.extend(LOCAL);
            file.extend(&common);
            file.extend(&record.name);
            file.extend(packed);
        }
        let start = file.len() as u32;
        file.extend(&directory);
        file.extend(END);
        file.extend([0; 4]);
        file.extend((members.len() as u16).to_le_bytes());
        file.extend((members.len() as u16).to_le_bytes());
        file.extend((directory.len() as u32).to_le_bytes());
        file.extend(start.to_le_bytes());
        file.extend([0; 2]);
        file
    }
}

pub(super) fn open(sealed: &SealedFile<'_>) -> Option<OpenedContainer> {
    let bytes = sealed.bytes;
    // Self-extracting programs end with a zip file, but the directory does not describe the program before it.
    if !bytes.starts_with(LOCAL) {
        return None;
    }
    let mut end = ByteReader::at(bytes, end(bytes)?)?;
    end.take(10)?;
    let count = end.u16_le()?;
    end.take(4)?;
    let mut directory = ByteReader::at(bytes, end.u32_le()? as usize)?;
    let mut records = MemberRecords::new();
    let mut members = Vec::new();
    let mut room = sealed.room;
    for _ in 0..count {
        let (record, content) = entry(bytes, &mut directory, room)?;
        room = room.checked_sub(content.len())?;
        let name = records.add(OsString::from_vec(record.name.clone()), record);
        members.push(member(name, content));
    }
    Some((Arc::new(ZipPacking { records }), members))
}

/// The offset of the end record, which is before a comment of any length.
fn end(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(END_LENGTH)?;
    (last.saturating_sub(usize::from(u16::MAX))..=last).rev().find(|start| bytes[*start..].starts_with(END))
}

/// The next entry of the directory, and the content of its member.
fn entry(bytes: &[u8], directory: &mut ByteReader<'_>, room: usize) -> Option<(ZipRecord, Vec<u8>)> {
    directory.expect(CENTRAL)?;
    let made_by = directory.u16_le()?;
    directory.take(2)?;
    let flags = directory.u16_le()?;
    let method = directory.u16_le()?;
    let time = directory.u32_le()?;
    directory.take(4)?;
    let packed = directory.u32_le()? as usize;
    let length = directory.u32_le()? as usize;
    let (name, extra, comment) = (directory.u16_le()?, directory.u16_le()?, directory.u16_le()?);
    directory.take(2)?;
    let internal = directory.u16_le()?;
    let external = directory.u32_le()?;
    let mut local = ByteReader::at(bytes, directory.u32_le()? as usize)?;
    let name = directory.take(name.into())?.to_vec();
    directory.take(usize::from(extra) + usize::from(comment))?;
    if flags & ENCRYPTED != 0 || length > room {
        return None;
    }
    local.expect(LOCAL)?;
    local.take(22)?;
    let skipped = usize::from(local.u16_le()?) + usize::from(local.u16_le()?);
    local.take(skipped)?;
    let packed = local.take(packed)?;
    let (content, kept) = match method {
        // Unchanged content stays uncompressed.
        0 => (packed.to_vec(), Deflated::new(packed, packed)),
        8 => {
            let (content, _) = inflate(packed, room)?;
            let kept = Deflated::new(&content, packed);
            (content, kept)
        }
        _ => return None,
    };
    Some((ZipRecord { name, made_by, flags: flags & UTF8, time, internal, external, kept }, content))
}

#[cfg(test)]
pub(super) fn empty() -> impl Packing {
    ZipPacking { records: MemberRecords::new() }
}
