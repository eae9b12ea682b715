//! tar: files one after another, each with a header of 512 bytes, which has the length and a checksum of the header.

use super::byte_reader::ByteReader;
use super::container::{MemberRecords, OpenedContainer, SealedFile, member};
use crate::Packing;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;

const BLOCK: usize = 512;
const LENGTH: std::ops::Range<usize> = 124..136;
const CHECKSUM: std::ops::Range<usize> = 148..156;
const KIND: usize = 156;

#[derive(Clone, Debug)]
struct TarPacking {
    records: Arc<MemberRecords<TarRecord>>,
    /// How many empty blocks there are at the end.
    end: usize,
}

/// What is known about a member besides its content.
#[derive(Clone, Debug)]
struct TarRecord {
    /// Extended headers of the member, such as a long name, as they are.
    before: Vec<u8>,
    header: [u8; BLOCK],
}

impl Packing for TarPacking {
    fn format(&self) -> &'static str {
        "tar"
    }

    fn pack(&self, members: &[(&OsStr, Vec<u8>)]) -> Vec<u8> {
        let mut file = Vec::new();
        for (name, content) in members {
            // Passes do not rename members.
            let Some(record) = self.records.get(name) else { continue };
            file.extend(&record.before);
            let mut header = record.header;
            if has_content(&header) {
                header[LENGTH].copy_from_slice(format!("{:011o}\0", content.len()).as_bytes());
            }
            let checksum = format!("{:06o}\0 ", checksum(&header));
            header[CHECKSUM].copy_from_slice(checksum.as_bytes());
            file.extend(header);
            file.extend(content);
            file.resize(file.len().next_multiple_of(BLOCK), 0);
        }
        file.resize(file.len() + self.end * BLOCK, 0);
        file
    }

    fn tighter(&self) -> Vec<Arc<dyn Packing>> {
        (0..self.end).map(|end| -> Arc<dyn Packing> { Arc::new(Self { end, ..self.clone() }) }).collect()
    }
}

pub(super) fn open(sealed: &SealedFile<'_>) -> Option<OpenedContainer> {
    let mut file = ByteReader::new(sealed.bytes);
    let mut records = MemberRecords::new();
    let mut members = Vec::new();
    let mut before: Vec<u8> = Vec::new();
    let mut long_name = None;
    let mut after = file;
    while let Some(header) = file.take(BLOCK).filter(|header| header.iter().any(|byte| *byte != 0)) {
        let header: [u8; BLOCK] = header.try_into().ok()?;
        if number(&header[CHECKSUM])? != u64::from(checksum(&header)) {
            return None;
        }
        let length = if has_content(&header) { usize::try_from(number(&header[LENGTH])?).ok()? } else { 0 };
        let content = file.take(length)?;
        // The last block can be incomplete.
        let padding = length.next_multiple_of(BLOCK) - length;
        file.take(padding).or_else(|| file.take(file.rest().len()))?;
        if let kind @ (b'L' | b'K' | b'x' | b'g') = header[KIND] {
            before.extend(header);
            before.extend(content);
            before.resize(before.len().next_multiple_of(BLOCK), 0);
            long_name = match kind {
                b'L' => Some(text(content).to_vec()),
                b'x' => path_of(content).or(long_name),
                _ => long_name,
            };
            continue;
        }
        let name = long_name.take().unwrap_or_else(|| name(&header));
        let record = TarRecord { before: std::mem::take(&mut before), header };
        let name = records.add(OsString::from_vec(name), record);
        members.push(member(name, content.to_vec()));
        after = file;
    }
    // There can be more empty blocks after the end, for tapes.
    let end = (after.rest().len() / BLOCK).min(2);
    let packing = TarPacking { records: Arc::new(records), end };
    (!members.is_empty()).then(|| -> OpenedContainer { (Arc::new(packing), members) })
}

/// Folders, links and devices have no content, whatever their length says.
fn has_content(header: &[u8; BLOCK]) -> bool {
    !matches!(header[KIND], b'1'..=b'6')
}

/// The sum of all bytes, with spaces in place of the checksum.
fn checksum(header: &[u8; BLOCK]) -> u32 {
    let sum = |bytes: &[u8]| bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    sum(header) - sum(&header[CHECKSUM]) + CHECKSUM.len() as u32 * u32::from(b' ')
}

/// An octal number. Files of 8 GB and more use another format, which is not supported.
fn number(field: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(field).ok()?.trim_matches(['\0', ' ']);
    u64::from_str_radix(digits, 8).ok()
}

fn text(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or(field)
}

fn name(header: &[u8; BLOCK]) -> Vec<u8> {
    let mut name = Vec::new();
    if &header[257..263] == b"ustar\0" && header[345] != 0 {
        name.extend(text(&header[345..500]));
        name.push(b'/');
    }
    name.extend(text(&header[..100]));
    name
}

/// The path in a list of lines such as `17 path=long/name`.
fn path_of(list: &[u8]) -> Option<Vec<u8>> {
    let path = list.windows(6).position(|window| window == b" path=")?;
    let path = &list[path + 6..];
    path.split(|byte| *byte == b'\n').next().map(<[u8]>::to_vec)
}
