//! Single characters; bytes, where they are no text.

use crate::{Delta, Document, Pass, Proposals, Tier};

/// Takes characters away.
pub(super) struct Characters;

impl Pass for Characters {
    fn name(&self) -> &'static str {
        "characters"
    }

    fn about(&self) -> &'static str {
        "take single characters away"
    }

    fn unit(&self) -> &'static str {
        "character"
    }

    fn tier(&self) -> Tier {
        Tier::Finest
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            match std::str::from_utf8(part.bytes()) {
                Ok(text) => {
                    deltas.extend(text.char_indices().map(|(at, c)| Delta::cut(piece, at..at + c.len_utf8())))
                }
                Err(_) => deltas.extend((0..part.bytes().len()).map(|at| Delta::cut(piece, at..at + 1))),
            }
        }
        Proposals::flat(deltas).complete()
    }
}
