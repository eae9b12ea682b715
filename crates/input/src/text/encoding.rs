//! Characters in any encoding.

/// A text with its encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EncodedText<'a> {
    bytes: &'a [u8],
    encoding: TextEncoding,
}

/// The encoding of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextEncoding {
    Utf8,
    /// Any other extension of ASCII, such as Latin-1: each byte is a character.
    Bytes,
    Utf16 {
        is_big_endian: bool,
    },
    /// Not text.
    Binary,
}

/// One character: its bytes and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EncodedCharacter {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) is: char,
}

/// How many bytes of a text are looked at to guess its encoding.
const LOOKED_AT: usize = 65_536;

impl<'a> EncodedText<'a> {
    /// The bytes as text, with their probable encoding.
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        let encoding = match TextEncoding::of(&bytes[..bytes.len().min(LOOKED_AT)]) {
            TextEncoding::Utf8 if std::str::from_utf8(bytes).is_err() => TextEncoding::Bytes,
            encoding => encoding,
        };
        Self { bytes, encoding }
    }

    /// Whether the encoding is a guess, so that single bytes are worth a try.
    pub(crate) fn is_guessed(&self) -> bool {
        let is_marked = matches!(self.bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
        matches!(self.encoding, TextEncoding::Utf16 { .. }) && !is_marked
    }

    /// Its bytes.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Whether it is not text.
    pub(crate) fn is_binary(&self) -> bool {
        self.encoding == TextEncoding::Binary
    }

    /// Its characters. Together they are all of its bytes.
    pub(crate) fn characters(&self) -> impl Iterator<Item = EncodedCharacter> + 'a {
        let (bytes, encoding) = (self.bytes, self.encoding);
        let mut start = 0;
        std::iter::from_fn(move || {
            let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
            let (length, is) = encoding.first_of(rest);
            let character = EncodedCharacter { start, end: start + length, is };
            start += length;
            Some(character)
        })
    }
}

impl TextEncoding {
    fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0xff, 0xfe, ..] => return Self::Utf16 { is_big_endian: false },
            [0xfe, 0xff, ..] => return Self::Utf16 { is_big_endian: true },
            _ => {}
        }
        // UTF-16 without a byte order mark: ASCII characters have a zero byte, always on the same side.
        let zeros = |side: usize| bytes.iter().skip(side).step_by(2).filter(|byte| **byte == 0).count();
        let (even, odd) = (zeros(0), zeros(1));
        if bytes.len() >= 4 && (even.max(odd)) * 10 >= bytes.len() * 4 && even.min(odd) * 50 <= bytes.len() {
            return Self::Utf16 { is_big_endian: even > odd };
        }
        let is_control = |byte: &&u8| matches!(byte, 0..=8 | 14..=26 | 28..=31 | 127);
        match bytes.iter().filter(is_control).count() * 10 > bytes.len() {
            true => Self::Binary,
            false => Self::Utf8,
        }
    }

    /// The length of the first character and what it is.
    fn first_of(self, rest: &[u8]) -> (usize, char) {
        let alone = (1, char::from(rest[0]));
        match self {
            Self::Binary | Self::Bytes => alone,
            Self::Utf8 if rest[0].is_ascii() => alone,
            Self::Utf8 => {
                let length = match rest[0] {
                    0xc2..=0xdf => 2,
                    0xe0..=0xef => 3,
                    0xf0..=0xf4 => 4,
                    _ => return alone,
                };
                let text = rest.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
                text.and_then(|text| text.chars().next()).map_or(alone, |is| (length, is))
            }
            Self::Utf16 { is_big_endian } => {
                let unit = |at: usize| match (rest.get(at..at + 2), is_big_endian) {
                    (Some(&[first, second]), true) => Some(u16::from_be_bytes([first, second])),
                    (Some(&[first, second]), false) => Some(u16::from_le_bytes([first, second])),
                    _ => None,
                };
                let Some(first) = unit(0) else { return alone };
                let both = [first, unit(2).unwrap_or_default()];
                match char::decode_utf16(both).next() {
                    Some(Ok(is)) => (2 * is.len_utf16(), is),
                    _ => (2, char::REPLACEMENT_CHARACTER),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> String {
        EncodedText::of(bytes).characters().map(|character| character.is).collect()
    }

    fn in_utf16(text: &str, is_big_endian: bool) -> Vec<u8> {
        let bytes = |unit: u16| if is_big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn text_is_read_in_any_encoding() {
        let text = "one, two:\n\u{1f600} \u{e9}\u{4e2d}; some more words of plain text";
        assert_eq!(read(text.as_bytes()), text);
        for is_big_endian in [false, true] {
            assert_eq!(read(&in_utf16(text, is_big_endian)), text);
            let marked = format!("\u{feff}{text}");
            assert_eq!(read(&in_utf16(&marked, is_big_endian)), marked);
        }
        assert_eq!(read(b"caf\xe9 cr\xe8me"), "caf\u{e9} cr\u{e8}me");
    }

    #[test]
    fn characters_are_all_bytes_even_of_broken_texts() {
        for bytes in
            [&b"\xff\xfea\0b"[..], b"\xfe\xff\xd8\x3d", b"\xe4\xb8", b"\0\0\0\x01\x02", b"a\xf0\x9f\x98", b""]
        {
            let mut end = 0;
            for character in EncodedText::of(bytes).characters() {
                assert_eq!(character.start, end);
                end = character.end;
            }
            assert_eq!(end, bytes.len());
        }
    }
}
