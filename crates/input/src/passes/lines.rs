//! Removes lines.

use crate::text::{EncodedText, lines, put_together};
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;

/// Removes lines.
pub(super) struct LinesPass;

impl Pass for LinesPass {
    fn info(&self) -> PassInfo {
        PassInfo { name: "lines", about: "remove lines", unit: Unit::Line, tier: Tier::Fine }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        let mut is_complete = true;
        for (piece, part) in document.parts() {
            if part.bytes().len() > LARGEST {
                is_complete = false;
                continue;
            }
            let lines = lines(EncodedText::of(part.bytes())).into_iter().map(|line| line.range);
            let lines = put_together(part.bytes(), lines);
            deltas.extend(lines.into_iter().map(|range| Delta::cut(piece, range)));
        }
        Proposals { complete_in: is_complete.then_some(Unit::Line), ..Proposals::flat(deltas) }
    }
}

/// In larger text that no chunk could be removed from, single lines are not tried.
const LARGEST: usize = 16_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    #[test]
    fn lines_are_removed_in_any_encoding() {
        let text = "one\ntwo needed\nthree\nfour\n";
        let in_utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (bytes, needed) in
            [(text.as_bytes().to_vec(), &b"needed\n"[..]), (in_utf16, b"n\0e\0e\0d\0e\0d\0\n\0")]
        {
            let holds = |bytes: &[u8]| bytes.windows(needed.len()).any(|window| window == needed);
            let simplified =
                simplify(&Document::of_file("f", bytes), vec![Arc::new(LinesPass)], |document| {
                    document.parts().all(|(_, part)| holds(part.bytes()))
                });
            let left = simplified.document.bytes_of(crate::PieceId(0));
            assert!(left.len() < 2 * needed.len() && left.ends_with(needed));
        }
    }
}
