//! A patch in two revisions at once.

use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::{PatchSeries, PatchStep};
use crate::candidates::space::{Space, WrittenVersions};
use crate::deltas::change_set::ChangeSet;
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Configuration, DeltaId};
use howcome_run::{Because, Content, Subject};
use std::sync::Arc;

/// The changes of a patch in the newer revision. A configuration that holds the delta after the last change makes them in the older
/// revision instead.
pub(super) struct PatchedSides {
    /// The changes.
    pub(super) changes: Arc<ChangeSet>,
    /// The revision that fails with them.
    pub(super) newer: Candidate,
    /// The revision that passes with them.
    pub(super) older: Candidate,
}

impl PatchedSides {
    /// The changes of a configuration, and the revision that they are made in.
    fn side(&self, configuration: &Configuration) -> (Configuration, &Candidate) {
        let is_older = DeltaId(self.changes.len());
        match configuration.contains(is_older) {
            true => (configuration.without_delta(is_older), &self.older),
            false => (configuration.clone(), &self.newer),
        }
    }
}

impl Subject for PatchedSides {
    fn deltas(&self) -> u32 {
        self.changes.len() + 1
    }

    fn describe(&self, delta: DeltaId) -> String {
        match delta.0 < self.changes.len() {
            true => Subject::describe(&*self.changes, delta),
            false => "in the older revision".to_owned(),
        }
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        self.candidate(configuration).ok().map(|candidate| candidate.content())
    }
}

impl Space for PatchedSides {
    fn candidate(&self, configuration: &Configuration) -> Result<Candidate, Because> {
        let (chosen, version) = self.side(configuration);
        PatchSeries(vec![PatchStep::making(&self.changes, chosen)]).apply_to(version)
    }

    fn revision(&self, _: &Configuration) -> Option<RevisionId> {
        None
    }

    fn written(&self, configuration: &Configuration) -> Option<WrittenVersions> {
        let (chosen, _) = self.side(configuration);
        let older = Configuration::empty().with_delta(DeltaId(self.changes.len()));
        let configurations = vec![Configuration::empty(), older];
        (!chosen.is_empty()).then_some(WrittenVersions { configurations, must_build: true })
    }
}
