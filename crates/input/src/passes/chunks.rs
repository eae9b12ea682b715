//! Removes equal chunks of large data, before passes look at its structure.

use crate::text::fits_its_grammar;
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;
use std::ops::Range;

/// Removes chunks.
pub(super) struct ChunksPass;

/// Smaller data is left to the passes that know its structure.
const LARGE: usize = 256 * 1024;
/// How many chunks a part is cut into. After each turn, the data is several times smaller, so more chunks are not needed.
/// And if all of it is needed, no more tests than this are wasted.
const CHUNKS: usize = 256;

impl Pass for ChunksPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "chunks",
            about: "remove equal chunks of large texts and data",
            unit: Unit::Chunk,
            tier: Tier::Coarse,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            if part.bytes().len() >= LARGE && !fits_its_grammar(part) {
                deltas.extend(chunks(part.bytes()).into_iter().map(|range| Delta::cut(piece, range)));
            }
        }
        Proposals::flat(deltas)
    }
}

/// Chunks of about the same size. Each ends after a line, or after a word, if there is one nearby.
fn chunks(bytes: &[u8]) -> Vec<Range<usize>> {
    let size = bytes.len().div_ceil(CHUNKS);
    let mut chunks = Vec::with_capacity(CHUNKS);
    let mut start = 0;
    while start < bytes.len() {
        let end = (start + size).min(bytes.len());
        let end = if end == bytes.len() { end } else { boundary(bytes, start + size / 2..end) };
        chunks.push(start..end);
        start = end;
    }
    chunks
}

/// The best place to cut in a range: after the last line, or after the last word, or at its end.
fn boundary(bytes: &[u8], range: Range<usize>) -> usize {
    let last = |is_end: fn(&u8) -> bool| bytes[range.clone()].iter().rposition(is_end);
    // Do not cut before a continuation byte of UTF-8. Even offsets are right for UTF-16.
    let line = last(|byte| *byte == b'\n');
    let word = || last(|byte| matches!(byte, b' ' | b'\t' | b',' | b';' | b'>' | b'}' | b')' | b']'));
    let character = || last(|byte| byte.is_ascii());
    match line.or_else(word).or_else(character) {
        // Both bytes of a UTF-16 character stay together.
        Some(place) => {
            let end = range.start + place + 1;
            if bytes.get(end) == Some(&0) && bytes[end - 1] != 0 { end + 1 } else { end }
        }
        None => range.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    #[test]
    fn a_long_line_is_cut_into_chunks_of_whole_words() {
        let line = "word, ".repeat(100_000);
        let chunks = chunks(line.as_bytes());
        assert!(chunks.len() <= 2 * CHUNKS);
        assert!(chunks.iter().all(|chunk| line[chunk.clone()].ends_with(' ')));
        assert_eq!(chunks.iter().map(Range::len).sum::<usize>(), line.len());
    }

    #[test]
    fn chunks_remove_most_of_a_large_file_in_few_tests() {
        let mut bytes = vec![0; 4_000_000];
        bytes[1_234_567..1_234_573].copy_from_slice(b"needle");
        let holds_needle = |bytes: &[u8]| bytes.windows(6).any(|window| window == b"needle");
        let document = Document::of_file("f", bytes);
        let simplified = simplify(&document, vec![Arc::new(ChunksPass)], |document| {
            document.parts().all(|(_, part)| holds_needle(part.bytes()))
        });
        assert!(simplified.document.size() < LARGE as u64);
        assert!(simplified.tests < 30, "{} tests", simplified.tests);
    }
}
