//! Empties files that must exist but need no content.

use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;

/// Empties files.
pub(super) struct EmptyFilesPass;

impl Pass for EmptyFilesPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "empty-files",
            about: "empty files and members of archives that cannot be removed",
            unit: Unit::Content,
            tier: Tier::Structure,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        // An empty input was tested before the search, so a single file is not tried again.
        if document.pieces().len() == 1 {
            return Proposals::default();
        }
        let parts = document.parts().filter(|(_, part)| !part.bytes().is_empty());
        Proposals::flat(parts.map(|(piece, part)| Delta::cut(piece, 0..part.bytes().len())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DocumentFile, DocumentPart, Piece, PieceKind, simplify};
    use std::sync::Arc;

    #[test]
    fn a_file_that_must_only_exist_is_emptied() {
        let piece = |name: &str| {
            let kind = PieceKind::Part(Arc::new(DocumentPart::new(b"text".to_vec(), None)));
            Piece { name: name.into(), inside: 0, mode: 0o644, kind }
        };
        let document = Document::new(vec![piece("a"), piece("b")]);
        let simplified = simplify(&document, vec![Arc::new(EmptyFilesPass)], |document| {
            let files = document.files();
            files.len() == 2 && files[1].1 == DocumentFile::Bytes(b"text".to_vec(), 0o644)
        });
        assert_eq!(simplified.document.size(), 4);
    }
}
