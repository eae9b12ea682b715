//! Lines, and what is left of them.

use crate::{Delta, Document, Pass, Proposals, Tier};

/// Takes lines away.
pub(super) struct Lines;

impl Pass for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn about(&self) -> &'static str {
        "take lines away"
    }

    fn unit(&self) -> &'static str {
        "line"
    }

    fn tier(&self) -> Tier {
        Tier::Fine
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            let mut start = 0;
            for line in part.bytes().split_inclusive(|byte| *byte == b'\n') {
                deltas.push(Delta::cut(piece, start..start + line.len()));
                start += line.len();
            }
        }
        Proposals::flat(deltas).complete()
    }
}
