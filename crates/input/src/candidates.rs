//! The subject of a reduction: a document, and the deltas that a pass proposes for it.

use crate::delta::PieceChanges;
use crate::description::describe;
use crate::{Delta, Document, InputTest};
use howcome_dd::{Configuration, DeltaId};
use howcome_lab::{Command, Prepare, WorkFolder};
use howcome_run::{Because, Content, Subject};
use std::sync::Arc;

/// The candidates of one stage. A configuration names the deltas that are not carried out: the full one is the document as
/// it is.
#[derive(Clone, Debug)]
pub struct Candidates {
    document: Document,
    deltas: u32,
    changes: PieceChanges,
    test: Arc<InputTest>,
}

impl Candidates {
    /// The candidates that result from carrying out some of these deltas on a document.
    #[must_use]
    pub fn new(document: Document, deltas: &[Delta], test: Arc<InputTest>) -> Self {
        Self { document, deltas: deltas.len() as u32, changes: PieceChanges::of(deltas), test }
    }

    /// The document in which all deltas except the kept ones are carried out.
    #[must_use]
    pub fn document(&self, kept: &Configuration) -> Document {
        self.changes.apply(&self.document, |delta| !kept.contains(DeltaId(delta)))
    }
}

impl Subject for Candidates {
    fn deltas(&self) -> u32 {
        self.deltas
    }

    fn describe(&self, delta: DeltaId) -> String {
        describe(&self.document, self.changes.of_delta(delta.0))
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        Some(self.document(configuration).content())
    }

    fn bytes(&self, configuration: &Configuration) -> Option<u64> {
        Some(self.document(configuration).size())
    }
}

impl Prepare for Candidates {
    fn prepare(
        &self,
        configuration: &Configuration,
        folder: &mut WorkFolder<'_>,
    ) -> Result<Command, Because> {
        self.test.prepare(&self.document(configuration), folder)
    }

    fn reuses(&self) -> bool {
        self.test.folder.is_copy()
    }
}
