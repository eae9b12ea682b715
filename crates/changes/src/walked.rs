//! What is varied on a walk through history: which revision, with what is carried along or as it is.

use crate::git::ObjectId;
use crate::{Candidate, ChangeSet, PatchSeries, PatchStep, RevisionLine, Space};
use howcome_dd::{Configuration, DeltaId};
use howcome_run::{Because, Content, Subject};
use std::sync::Arc;

/// Revisions, each a configuration of one delta, with what is carried along; with the delta behind the last one, as they are.
pub struct Walked {
    /// The revisions.
    pub line: Arc<dyn RevisionLine>,
    /// What is done to those of them that are older than `needed_before` and take it.
    pub optional: PatchSeries,
    /// The first revision that does not need it.
    pub needed_before: usize,
    /// What is done to each of them then.
    pub carried: PatchSeries,
}

impl Walked {
    /// A revision with what is done to those that need and take it.
    #[must_use]
    pub fn optionally(&self, index: usize, version: Candidate) -> Candidate {
        match self.optional.apply_to(&version) {
            Ok(patched) if index < self.needed_before => patched,
            _ => version,
        }
    }

    /// A revision with all that is done to it.
    ///
    /// # Errors
    /// Where it cannot be had, or does not take what is carried along.
    pub fn laden(&self, index: usize) -> Result<Candidate, Because> {
        self.carried.apply_to(&self.optionally(index, Candidate::of(self.line.base(index)?)))
    }

    fn index(configuration: &Configuration) -> usize {
        configuration.get(0).map_or(0, DeltaId::index)
    }

    fn is_as_it_is(&self, configuration: &Configuration) -> bool {
        configuration.last().is_some_and(|last| last.0 >= self.deltas())
    }
}

impl Subject for Walked {
    fn deltas(&self) -> u32 {
        self.line.len() as u32
    }

    fn describe(&self, delta: DeltaId) -> String {
        match delta.0 < self.deltas() {
            true => self.line.name(delta.index()),
            false => "as it is".to_owned(),
        }
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        self.candidate(configuration).ok().map(|candidate| candidate.content())
    }
}

impl Space for Walked {
    fn candidate(&self, configuration: &Configuration) -> Result<Candidate, Because> {
        let index = Self::index(configuration);
        match self.is_as_it_is(configuration) {
            true => self.line.base(index).map(Candidate::of),
            false => self.laden(index),
        }
    }

    fn revision(&self, configuration: &Configuration) -> Option<ObjectId> {
        self.line.commit(Self::index(configuration))
    }

    fn revision_name(&self, configuration: &Configuration) -> Option<String> {
        let index = Self::index(configuration);
        Some(self.line.commit(index).map_or_else(|| self.line.name(index), |commit| commit.to_string()))
    }
}

/// The changes of a patch, in the version that they were made for and, where a configuration holds the delta behind the last
/// change, in another one.
pub struct PatchedSides {
    /// The changes.
    pub changes: Arc<ChangeSet>,
    /// The version that they were made for.
    pub own: Candidate,
    /// The other one.
    pub other: Candidate,
}

impl PatchedSides {
    /// The changes without the sign for the other version, and that version or the own one.
    fn side(&self, configuration: &Configuration) -> (Configuration, &Candidate) {
        let sign = DeltaId(self.changes.len());
        match configuration.contains(sign) {
            true => (configuration.without_delta(sign), &self.other),
            false => (configuration.clone(), &self.own),
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

    fn revision(&self, _: &Configuration) -> Option<ObjectId> {
        None
    }
}
