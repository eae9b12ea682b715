//! The revisions that a walk through history tests, with a patch or without.

use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::{Space, WrittenVersions};
use crate::versions::revision_id::RevisionId;
use crate::versions::revision_line::RevisionLine;
use howcome_dd::{Configuration, DeltaId};
use howcome_run::{Because, Content, Subject};
use std::sync::Arc;

/// Revisions with a patch. Each is a configuration of one delta; together with the delta after the last revision, it is the revision
/// without any patch.
pub(super) struct WalkSpace {
    /// The revisions.
    pub(super) line: Arc<RevisionLine>,
    /// A patch for revisions older than `needed_before`. One that it does not apply to is used without it.
    pub(super) optional: PatchSeries,
    /// The first revision that does not need the optional patch.
    pub(super) needed_before: usize,
    /// The patch that each revision gets after that.
    pub(super) patch: PatchSeries,
}

impl WalkSpace {
    /// All revisions without any patch.
    pub(super) fn unpatched(line: &Arc<RevisionLine>) -> Self {
        Self::with_patch(line, PatchSeries::default())
    }

    /// All revisions with the same patch.
    pub(super) fn with_patch(line: &Arc<RevisionLine>, patch: PatchSeries) -> Self {
        Self { line: Arc::clone(line), optional: PatchSeries::default(), needed_before: 0, patch }
    }

    /// A revision with the optional patch, if it needs it and the patch applies.
    pub(super) fn with_optional_patch(&self, index: usize, version: Candidate) -> Candidate {
        match self.optional.apply_to(&version) {
            Ok(patched) if index < self.needed_before => patched,
            _ => version,
        }
    }

    /// A revision with both patches.
    ///
    /// # Errors
    /// If it is not available, or the patch does not apply.
    pub(super) fn patched(&self, index: usize) -> Result<Candidate, Because> {
        self.patch.apply_to(&self.with_optional_patch(index, Candidate::of(self.line.base(index)?)))
    }

    fn index(configuration: &Configuration) -> usize {
        configuration.get(0).map_or(0, DeltaId::index)
    }

    fn is_unpatched(&self, configuration: &Configuration) -> bool {
        configuration.last().is_some_and(|last| last.0 >= self.deltas())
    }
}

impl Subject for WalkSpace {
    fn deltas(&self) -> u32 {
        self.line.len() as u32
    }

    fn describe(&self, delta: DeltaId) -> String {
        match delta.0 < self.deltas() {
            true => self.line.title(delta.index()),
            false => "without the patch".to_owned(),
        }
    }

    fn name(&self, configuration: &Configuration) -> Option<String> {
        let words: Vec<String> = configuration.iter().map(|delta| self.describe(delta)).collect();
        Some(words.join(", ")).filter(|name| !name.is_empty())
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        self.candidate(configuration).ok().map(|candidate| candidate.content())
    }
}

impl Space for WalkSpace {
    fn candidate(&self, configuration: &Configuration) -> Result<Candidate, Because> {
        let index = Self::index(configuration);
        match self.is_unpatched(configuration) {
            true => self.line.base(index).map(Candidate::of),
            false => self.patched(index),
        }
    }

    fn revision(&self, configuration: &Configuration) -> Option<RevisionId> {
        self.line.commit(Self::index(configuration))
    }

    fn revision_name(&self, configuration: &Configuration) -> Option<String> {
        let index = Self::index(configuration);
        Some(self.line.commit(index).map_or_else(|| self.line.name(index), |commit| commit.to_string()))
    }

    fn written(&self, configuration: &Configuration) -> Option<WrittenVersions> {
        let unpatched = configuration.with_delta(DeltaId(self.deltas()));
        let is_mix =
            !self.is_unpatched(configuration) && self.content(configuration) != self.content(&unpatched);
        is_mix.then(|| WrittenVersions { configurations: vec![unpatched], must_build: true })
    }
}
