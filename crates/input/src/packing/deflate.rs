//! Deflate: the compressed data of gzip, zlib and zip.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use howcome_run::Content;
use std::sync::{Mutex, PoisonError};

/// Compressed data that is kept. Unchanged content is packed as it was, since another program might have compressed it better.
/// And content that is the same in many tests is not compressed for each of them.
#[derive(Debug, Default)]
pub(super) struct Deflated {
    original: Option<(Content, Vec<u8>)>,
    recent: Mutex<Vec<(Content, Vec<u8>)>>,
}

/// How many recent contents are kept: the document, and some candidates that differ elsewhere.
const RECENT: usize = 3;

impl Deflated {
    pub(super) fn new(content: &[u8], packed: &[u8]) -> Self {
        let original = Some((Content::of([content]), packed.to_vec()));
        Self { original, recent: Mutex::default() }
    }

    /// Compresses content. The original content gives the original bytes.
    pub(super) fn deflate(&self, content: &[u8]) -> Vec<u8> {
        let key = Content::of([content]);
        let find = |kept: &[(Content, Vec<u8>)]| {
            kept.iter().find(|(content, _)| *content == key).map(|(_, packed)| packed.clone())
        };
        let recent = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(packed) = find(self.original.as_slice()).or_else(|| find(&recent())) {
            return packed;
        }
        let packed = deflate(content);
        let mut recent = recent();
        recent.truncate(RECENT - 1);
        recent.insert(0, (key, packed.clone()));
        packed
    }
}

/// Unpacks compressed data to at most `room` bytes. Returns the content, and the length of the compressed data.
pub(super) fn inflate(packed: &[u8], room: usize) -> Option<(Vec<u8>, usize)> {
    let mut inflater = Decompress::new(false);
    let mut content = Vec::new();
    loop {
        content.reserve((packed.len() * 2).clamp(64, 1 << 20));
        let before = (inflater.total_in(), inflater.total_out());
        let rest = &packed[before.0 as usize..];
        // `Finish` would need room for the whole content at once.
        let status = inflater.decompress_vec(rest, &mut content, FlushDecompress::None).ok()?;
        if content.len() > room {
            return None;
        }
        match status {
            Status::StreamEnd => return Some((content, inflater.total_in() as usize)),
            _ if before == (inflater.total_in(), inflater.total_out()) => return None,
            _ => {}
        }
    }
}

/// Compresses content. Larger content is compressed faster and less well, since this is done for each test.
fn deflate(content: &[u8]) -> Vec<u8> {
    let level = match content.len() {
        0..=65_536 => 9,
        65_537..=1_048_576 => 6,
        _ => 1,
    };
    let mut deflater = Compress::new(Compression::new(level), false);
    let mut packed = Vec::new();
    loop {
        packed.reserve((content.len() / 2).clamp(64, 1 << 20));
        let rest = &content[deflater.total_in() as usize..];
        match deflater.compress_vec(rest, &mut packed, FlushCompress::Finish) {
            Ok(Status::StreamEnd) => break,
            Ok(_) => {}
            // Compression does not fail on any content; if it did, stored data would be right, too.
            Err(_) => return stored(content),
        }
    }
    let is_stored_shorter = content.len() + 5 * content.len().div_ceil(65_535).max(1) < packed.len();
    if is_stored_shorter { stored(content) } else { packed }
}

/// Stores content as Deflate data without compression.
fn stored(content: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(content.len() + 16);
    let blocks = content.len().div_ceil(65_535).max(1);
    for block in 0..blocks {
        let bytes = &content[block * 65_535..content.len().min((block + 1) * 65_535)];
        let length = bytes.len() as u16;
        packed.push(u8::from(block + 1 == blocks));
        packed.extend(length.to_le_bytes());
        packed.extend((!length).to_le_bytes());
        packed.extend(bytes);
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deflated_data_inflates_to_the_same_content() {
        let noise: Vec<u8> = (0..200_000u64).map(|n| (n.wrapping_mul(n ^ 0x9e37_79b9) >> 7) as u8).collect();
        for content in [&b""[..], b"0", &[0; 100_000], &noise] {
            for packed in [deflate(content), stored(content)] {
                assert!(inflate(&packed, content.len()) == Some((content.to_vec(), packed.len())));
            }
        }
        assert_eq!(deflate(&[0, 0]).len(), 4);
    }

    #[test]
    fn a_zip_bomb_is_not_unpacked() {
        let bomb = deflate(&vec![0; 10_000_000]);
        assert!(bomb.len() < 100_000);
        assert_eq!(inflate(&bomb, 1_000_000), None);
    }
}
