//! PEM: keys and certificates as base64 between `-----BEGIN` and `-----END`, with any text around them.

use super::container::{OpenedContainer, SealedFile, member};
use crate::{DocumentPart, Packing, Piece, PieceKind};
use std::ffi::OsStr;
use std::ops::Range;
use std::sync::Arc;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";
/// The name of a text around blocks. The names of blocks start with `BEGIN`.
const TEXT: &str = "text";

#[derive(Clone, Debug)]
struct PemPacking {
    /// How many characters of base64 a line has.
    width: usize,
    /// Whether the last line has a line end.
    is_ended: bool,
}

impl Packing for PemPacking {
    fn format(&self) -> &'static str {
        "pem"
    }

    fn pack(&self, members: &[(&OsStr, Vec<u8>)]) -> Vec<u8> {
        let mut file = Vec::new();
        for (name, content) in members {
            let Some(label) = name.to_str().and_then(|name| name.strip_prefix("BEGIN ")) else {
                file.extend(content);
                continue;
            };
            // A block starts on a line of its own.
            if file.last().is_some_and(|byte| *byte != b'\n') {
                file.push(b'\n');
            }
            file.extend(format!("{BEGIN}{label}{DASHES}\n").as_bytes());
            for line in encode(content).chunks(self.width) {
                file.extend(line);
                file.push(b'\n');
            }
            file.extend(format!("{END}{label}{DASHES}\n").as_bytes());
        }
        if !self.is_ended && file.last() == Some(&b'\n') {
            file.pop();
        }
        file
    }

    fn tighter(&self) -> Vec<Arc<dyn Packing>> {
        let unwrapped = Self { width: usize::MAX, ..self.clone() };
        let unended = Self { is_ended: false, ..self.clone() };
        vec![Arc::new(unwrapped), Arc::new(unended)]
    }
}

pub(super) fn open(sealed: &SealedFile<'_>) -> Option<OpenedContainer> {
    let text = std::str::from_utf8(sealed.bytes).ok()?;
    let mut members = Vec::new();
    let mut width = None;
    let mut done = 0;
    let mut at = 0;
    while let Some(start) = text[at..].find(BEGIN).map(|start| at + start) {
        at = start + BEGIN.len();
        let Some(block) = PemBlock::at(text, start) else { continue };
        let Some(content) = decode(text[block.base64.clone()].as_bytes()) else { continue };
        if done < start {
            members.push(member(TEXT, text.as_bytes()[done..start].to_vec()));
        }
        let first_line = text[block.base64].lines().map(str::trim).find(|line| !line.is_empty());
        width = width.or(first_line.map(str::len));
        let kind = PieceKind::Part(Arc::new(DocumentPart::new(content, None)));
        members.push(Piece { name: format!("BEGIN {}", block.label).into(), inside: 0, mode: 0o644, kind });
        done = block.end;
        at = done;
    }
    if members.is_empty() {
        return None;
    }
    if done < text.len() {
        members.push(member(TEXT, text.as_bytes()[done..].to_vec()));
    }
    let is_ended = text.ends_with('\n');
    Some((Arc::new(PemPacking { width: width.unwrap_or(64), is_ended }), members))
}

struct PemBlock<'a> {
    label: &'a str,
    base64: Range<usize>,
    /// The offset after the end of its last line.
    end: usize,
}

impl<'a> PemBlock<'a> {
    fn at(text: &'a str, start: usize) -> Option<Self> {
        let label_at = start + BEGIN.len();
        let length = text[label_at..].find(['-', '\n'])?;
        let label = &text[label_at..label_at + length];
        let base64 = label_at + length + DASHES.len();
        text[label_at + length..].strip_prefix(DASHES)?;
        // Base64 has no dash, so the next one is that of `-----END`.
        let last = base64 + text[base64..].find('-')?;
        let after = text[last..].strip_prefix(END)?.strip_prefix(label)?.strip_prefix(DASHES)?;
        let after = after.strip_prefix('\r').unwrap_or(after);
        let after = after.strip_prefix('\n').unwrap_or(after);
        Some(Self { label, base64: base64..last, end: text.len() - after.len() })
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digit = |shift: u32| ALPHABET[(bits >> shift & 63) as usize];
        text.extend([digit(18), digit(12), digit(6), digit(0)]);
        let padding = text.len() - (3 - three.len());
        text[padding..].fill(b'=');
    }
    text
}

/// Decodes base64 with white space. `None` if there is anything else.
fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut digits, mut padding) = (0u32, 0, 0);
    for byte in text.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if padding < 2 => {
                padding += 1;
                0
            }
            _ => return None,
        };
        // Nothing can follow the padding.
        if padding > 0 && *byte != b'=' {
            return None;
        }
        bits = bits << 6 | u32::from(digit);
        digits += 1;
        if digits == 4 {
            bytes.extend(&bits.to_be_bytes()[1..]);
            (bits, digits) = (0, 0);
        }
    }
    bytes.truncate(bytes.len().saturating_sub(padding));
    (digits == 0 && !bytes.is_empty()).then_some(bytes)
}

#[cfg(test)]
pub(super) fn wrapped(bytes: &[u8]) -> Vec<u8> {
    PemPacking { width: 64, is_ended: true }.pack(&[("BEGIN X".as_ref(), bytes.to_vec())])
}
