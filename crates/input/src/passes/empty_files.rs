//! Files that must be there, but with nothing in them.

use crate::{Delta, Document, Pass, Proposals, Tier};

/// Empties files.
pub(super) struct EmptyFiles;

impl Pass for EmptyFiles {
    fn name(&self) -> &'static str {
        "empty-files"
    }

    fn about(&self) -> &'static str {
        "empty files and members of archives that cannot be taken away"
    }

    fn unit(&self) -> &'static str {
        "content of a file"
    }

    fn tier(&self) -> Tier {
        Tier::Coarse
    }

    fn proposals(&self, document: &Document) -> Proposals {
        // Of a single file, that nothing is not enough is known.
        if document.pieces().len() == 1 {
            return Proposals::default();
        }
        let parts = document.parts().filter(|(_, part)| !part.bytes().is_empty());
        Proposals::flat(parts.map(|(piece, part)| Delta::cut(piece, 0..part.bytes().len())).collect())
    }
}
