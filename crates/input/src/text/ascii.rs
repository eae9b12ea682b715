//! Words, blanks and lines in a text in which ASCII characters are single bytes.

use std::ops::Range;

/// Whether bytes are text in which ASCII characters are single bytes. UTF-16 and binary data are not.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    !bytes.contains(&0)
}

/// Whether a byte belongs to a word in nearly all languages. Bytes beyond ASCII do, in any encoding.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Whether a byte is a blank within a line.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0b' | b'\x0c')
}

/// The words of a text that do not start with a digit.
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

/// The range with the blanks before it, or with its whole line if nothing else is on the line.
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
