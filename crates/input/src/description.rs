//! What a delta does, in words.

use crate::delta::PieceChange;
use crate::document::{Document, PieceId, PieceKind};

/// Describes what the changes of one delta do to a document: ``without `x = 1;` ``.
pub(crate) fn describe(document: &Document, changes: impl Iterator<Item = PieceChange>) -> String {
    let mut words = Vec::new();
    let mut more = 0;
    for change in changes {
        if words.len() == MOST_CHANGES {
            more += 1;
            continue;
        }
        words.push(match change {
            PieceChange::Drop(piece) => format!("without {}", document.piece(piece).name.display()),
            PieceChange::Become(piece, _) => format!("{} is replaced", document.piece(piece).name.display()),
            PieceChange::Replace { piece, range, with } => {
                let old = bytes(document, piece).get(range).unwrap_or_default();
                match with.is_empty() {
                    true => format!("without {}", quoted(old)),
                    false => format!("{} becomes {}", quoted(old), quoted(&with)),
                }
            }
        });
    }
    match more {
        0 => words.join(", "),
        more => format!("{}, and {more} more changes", words.join(", ")),
    }
}

/// Only the first changes are listed: a name can be shortened in a thousand places.
const MOST_CHANGES: usize = 3;
/// Of longer texts, only the beginning and the end are shown.
const LONGEST: usize = 60;

fn bytes(document: &Document, piece: PieceId) -> &[u8] {
    match &document.piece(piece).kind {
        PieceKind::Part(part) => part.bytes(),
        _ => &[],
    }
}

/// A text on one line. If it is long, its beginning and its end.
fn quoted(bytes: &[u8]) -> String {
    let line = |bytes: &[u8]| -> String {
        String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return format!("{} bytes of white space", bytes.len());
    }
    match bytes.len() <= LONGEST {
        true => format!("`{}`", line(bytes)),
        false => {
            let (start, end) = (line(&bytes[..LONGEST * 2 / 3]), line(&bytes[bytes.len() - LONGEST / 4..]));
            format!("`{start} … {end}`")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Delta;

    fn described(text: &str, delta: Delta) -> String {
        describe(&Document::of_file("f", text), delta.changes.into_iter())
    }

    #[test]
    fn a_delta_is_described_by_the_text_before_and_after_it() {
        assert_eq!(described("a = 1;\nb", Delta::cut(PieceId(0), 0..7)), "without `a = 1;`");
        assert_eq!(described("a = 100;", Delta::replace(PieceId(0), 4..7, *b"0")), "`100` becomes `0`");
        assert_eq!(described("ab", Delta::drop(PieceId(0))), "without f");
        let long = "x".repeat(1_000);
        assert!(described(&long, Delta::cut(PieceId(0), 0..1_000)).len() < 80);
    }
}
