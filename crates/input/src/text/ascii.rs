//! The letters of a text: what is a word, a blank, a line. Shared by the passes that spell things more simply.

use std::ops::Range;

/// Whether bytes are a text of which one byte can be told from the next. UTF-16 and binary data are not.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    !bytes.contains(&0)
}

/// Whether a byte belongs to words in nearly all languages. Letters beyond ASCII do, in any encoding.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Whether a byte leaves a gap within a line.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0b' | b'\x0c')
}

/// The words of a text that begin with a letter.
pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += bytes.get(at..)?.iter().position(|byte| is_word(*byte))?;
            let start = at;
            at += bytes[at..].iter().position(|byte| !is_word(*byte)).unwrap_or(bytes.len() - at);
            if !bytes[start].is_ascii_digit() {
                return Some(start..at);
            }
        }
    })
}

/// The same range with the blanks before it; with its whole line, if nothing else is on it.
pub(crate) fn with_line(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let before = bytes[..range.start].iter().rev().take_while(|byte| is_blank(**byte)).count();
    let after = bytes[range.end..].iter().take_while(|byte| is_blank(**byte) || **byte == b'\r').count();
    let start = range.start - before;
    let begins_line = start == 0 || bytes[start - 1] == b'\n';
    let ends_line = matches!(bytes.get(range.end + after), None | Some(b'\n'));
    match (begins_line, ends_line) {
        (true, true) => start..bytes.len().min(range.end + after + 1),
        (true, false) => range,
        (false, _) => start..range.end,
    }
}
