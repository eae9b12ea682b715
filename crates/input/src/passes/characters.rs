//! Removes single characters, or bytes in binary data.
//!
//! In a short text, each character is tried. In a long text that no other pass could make shorter (base64, keys, checksums),
//! most characters are needed, and most of these tests would be wasted. There, punctuation and blanks are tried, and of each
//! word its halves and a few of its characters. If one of these is removed, the word has changed, and others are tried in
//! the next turn.

use crate::text::{EncodedCharacter, EncodedText, TextWord, WordKind, put_together, words};
use crate::{Delta, Document, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use std::ops::Range;

/// Removes characters.
pub(super) struct CharactersPass;

/// In a text with at most this many characters, each one is tried.
const SHORT: usize = 1_000;
/// In larger data that no chunk could be removed from, single characters are not tried.
const LARGEST: usize = 1_000_000;

impl Pass for CharactersPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "characters",
            about: "remove single characters; in long words, some of them",
            unit: Unit::Character,
            tier: Tier::Finest,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        let mut is_complete = true;
        let mut unit = Unit::Character;
        let mut budget = SHORT;
        for (piece, part) in document.parts() {
            let text = EncodedText::of(part.bytes());
            if part.bytes().len() > LARGEST {
                is_complete = false;
                continue;
            }
            if text.is_binary() {
                unit = Unit::Byte;
            }
            let characters: Vec<EncodedCharacter> = text.characters().collect();
            if characters.len() <= budget {
                budget -= characters.len();
                deltas.extend(characters.iter().map(|character| cut(piece, std::slice::from_ref(character))));
                if text.is_guessed() {
                    deltas.extend((0..part.bytes().len()).map(|at| Delta::cut(piece, at..at + 1)));
                }
            } else {
                is_complete = false;
                sample(piece, text, &characters, &mut deltas);
            }
        }
        Proposals { complete_in: is_complete.then_some(unit), ..Proposals::flat(deltas) }
    }
}

/// The characters of a long text that can most probably be removed.
fn sample(piece: PieceId, text: EncodedText<'_>, characters: &[EncodedCharacter], deltas: &mut Vec<Delta>) {
    if text.is_binary() {
        let size = characters.len().div_ceil(BLOCKS).max(SMALLEST_BLOCK);
        for block in characters.chunks(size) {
            deltas.push(cut(piece, block));
            of_word(piece, block, deltas);
        }
        return;
    }
    let mut rest = characters;
    // Often all punctuation of one kind can be removed, above all line ends. So equal characters are together, and are tried
    // first.
    let mut marks: Vec<&EncodedCharacter> = Vec::new();
    for TextWord { range, kind } in words(text) {
        let (word, after) = rest.split_at(rest.partition_point(|character| character.start < range.end));
        rest = after;
        match kind {
            WordKind::Word => of_word(piece, word, deltas),
            _ => marks.extend(word),
        }
    }
    marks.sort_by_key(|mark| (mark.is == '\n', mark.is.is_whitespace(), mark.is));
    let marks = put_together(text.bytes(), marks.into_iter().map(|mark| mark.start..mark.end));
    deltas.extend(marks.into_iter().map(|range| Delta::cut(piece, range)));
}

/// Binary data is cut into at most this many blocks, and none is smaller than this.
const BLOCKS: usize = 128;
const SMALLEST_BLOCK: usize = 64;

/// Equal parts of a word, the longer the more; its ends; a character in the middle.
fn of_word(piece: PieceId, word: &[EncodedCharacter], deltas: &mut Vec<Delta>) {
    if word.len() <= 5 {
        return deltas.extend(word.iter().map(|character| cut(piece, std::slice::from_ref(character))));
    }
    let parts = (word.len() / 32).clamp(2, 64);
    for part in 0..parts {
        let (start, end) = (word.len() * part / parts, word.len() * (part + 1) / parts);
        deltas.push(cut(piece, &word[start..end]));
    }
    for single in [0, word.len() / 2, word.len() - 1] {
        deltas.push(cut(piece, &word[single..=single]));
    }
}

/// Removes consecutive characters.
fn cut(piece: PieceId, characters: &[EncodedCharacter]) -> Delta {
    let range: Range<usize> = match characters {
        [] => 0..0,
        [first, ..] => first.start..characters[characters.len() - 1].end,
    };
    Delta::cut(piece, range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn simplified(bytes: &[u8], mut fails: impl FnMut(&[u8]) -> bool) -> (Vec<u8>, u64) {
        let passes: Vec<Arc<dyn Pass>> = vec![Arc::new(CharactersPass)];
        let simplified = simplify(&Document::of_file("f", bytes), passes, |document| {
            document.parts().all(|(_, part)| fails(part.bytes()))
        });
        (simplified.document.bytes_of(PieceId(0)), simplified.tests)
    }

    fn holds(bytes: &[u8], needed: &[u8]) -> bool {
        bytes.windows(needed.len()).any(|window| window == needed)
    }

    #[test]
    fn whole_characters_are_removed_in_any_encoding() {
        let (left, _) = simplified("a\u{e9}\u{4e2d}\u{1f600}b".as_bytes(), |bytes| {
            std::str::from_utf8(bytes).is_ok_and(|text| text.contains('\u{4e2d}'))
        });
        assert_eq!(left, "\u{4e2d}".as_bytes());
        let marked: Vec<u8> = "\u{feff}some text".encode_utf16().flat_map(u16::to_be_bytes).collect();
        let (left, _) = simplified(&marked, |bytes| bytes.starts_with(b"\xfe\xff") && holds(bytes, b"\0x"));
        assert_eq!(left, b"\xfe\xff\0x");
        let (left, _) = simplified(b"caf\xe9 \xff\0\0\0cr\xe8me", |bytes| bytes.contains(&0xe8));
        assert_eq!(left, b"\xe8");
    }

    #[test]
    fn data_that_is_needed_as_it_is_does_not_cost_a_test_for_each_character() {
        // All words of this text differ, and all of them are needed.
        let data: String =
            (0..400u32).map(|n| format!("{:07x}/", n.wrapping_mul(2_654_435_761) >> 4)).collect();
        let (left, tests) = simplified(data.as_bytes(), |bytes| bytes == data.as_bytes());
        assert_eq!(left, data.as_bytes());
        assert!(tests < 4 * data.len() as u64 / 5, "{tests} tests");
        let line = data.replace('/', "");
        let (_, tests) = simplified(line.as_bytes(), |bytes| bytes == line.as_bytes());
        assert!(tests < 120, "{tests} tests");
    }

    #[test]
    fn the_needed_part_of_a_long_word_and_of_data_is_found() {
        for filler in [&b"x"[..], b"\x01\x02"] {
            let mut bytes = filler.repeat(20_000);
            bytes[7_000..7_006].copy_from_slice(b"needle");
            bytes[13_000..13_005].copy_from_slice(b"point");
            let (left, tests) = simplified(&bytes, |bytes| holds(bytes, b"needle") && holds(bytes, b"point"));
            assert_eq!(left, b"needlepoint");
            assert!(tests < 400, "{tests} tests");
        }
    }
}
