//! The changes between two versions, some of which are tested.

use crate::candidates::candidate::Candidate;
use crate::candidates::space::{Space, WrittenVersions};
use crate::deltas::change_set::ChangeSet;
use crate::deltas::splice::mix;
use crate::names::{MixedNames, NameComplaint};
use crate::syntax::MixedSyntax;
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Configuration, DeltaId, Hints, Knowledge, Relation};
use howcome_run::{Because, Content, Rejection, Subject};
use std::sync::Arc;

/// Reads the output of a test that could not be judged.
pub trait ComplaintReader: Send + Sync {
    /// What to learn from it.
    fn read(&self, configuration: &Configuration, printed: &[u8]) -> Hints;
}

/// The changes between two versions.
pub struct ChangeSpace {
    /// The version that is not known to fail.
    pub low: Candidate,
    /// The commit that it is, or is made from.
    pub revision: Option<RevisionId>,
    /// What differs in the version that fails.
    pub changes: Arc<ChangeSet>,
    /// Reads the output of compilers, if that is wanted.
    pub reader: Option<Arc<dyn ComplaintReader>>,
    /// What the user knows of the changes: mixes that cannot be judged.
    pub(crate) known: Knowledge,
    /// Which mixes are not worth a test. Nothing of the kind if the changes are whole functions and declarations.
    pub(crate) syntax: Option<MixedSyntax>,
    /// Which mixes use names that they do not define, if that is wanted.
    pub(crate) names: Option<MixedNames>,
}

impl ChangeSpace {
    /// Changes on a version.
    #[must_use]
    pub fn on(low: &Candidate, changes: &Arc<ChangeSet>) -> Self {
        let (low, changes) = (low.clone(), Arc::clone(changes));
        let (syntax, names) = (Some(MixedSyntax::default()), Some(MixedNames::default()));
        Self { low, revision: None, changes, reader: None, known: Knowledge::none(), syntax, names }
    }

    /// A configuration as a version.
    #[must_use]
    pub fn version(&self, configuration: &Configuration) -> Candidate {
        let mixed = self.low.mix.then(&mix(&self.changes, configuration));
        Candidate { base: Arc::clone(&self.low.base), mix: mixed }
    }
}

impl Subject for ChangeSpace {
    fn deltas(&self) -> u32 {
        self.changes.len()
    }

    fn describe(&self, delta: DeltaId) -> String {
        Subject::describe(&*self.changes, delta)
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        Some(self.version(configuration).content())
    }

    fn rejects(&self, configuration: &Configuration) -> Option<Rejection> {
        if let Some(Relation::Needs(change, needed)) = self.known.violated(configuration) {
            let place = |delta| self.changes.describe(delta).map(|change| change.place()).unwrap_or_default();
            let why = format!("{} needs {}", place(change), place(needed));
            return Some(Rejection { why, hints: Hints::default() });
        }
        if let Some(syntax) = &self.syntax
            && let Some(why) = syntax.objection(&self.changes, configuration)
        {
            let repairs = syntax.repairs(&self.changes, configuration);
            return Some(Rejection { why, hints: Hints::repairs(repairs) });
        }
        let complaints = self.names.as_ref()?.complaints(&self.changes, configuration);
        let why = complaints.first()?.to_string();
        let errors: String = complaints.iter().map(NameComplaint::as_error).collect();
        Some(Rejection { why, hints: self.hints(configuration, errors.as_bytes()) })
    }
}

impl Space for ChangeSpace {
    fn candidate(&self, configuration: &Configuration) -> Result<Candidate, Because> {
        Ok(self.version(configuration))
    }

    fn revision(&self, _: &Configuration) -> Option<RevisionId> {
        self.revision.clone()
    }

    fn written(&self, configuration: &Configuration) -> Option<WrittenVersions> {
        let ends = vec![Configuration::empty(), self.changes.all()];
        let is_mix = !ends.contains(configuration);
        is_mix.then_some(WrittenVersions { configurations: ends, must_build: false })
    }

    fn hints(&self, configuration: &Configuration, printed: &[u8]) -> Hints {
        self.reader.as_ref().map_or_else(Hints::default, |reader| reader.read(configuration, printed))
    }
}
