//! What is varied on a walk through history: which revision, with what is carried along or as it is.

use crate::git::ObjectId;
use crate::{Candidate, Carried, Carry, ChangeSet, RevisionLine, Space};
use howcome_dd::{Configuration, DeltaId};
use howcome_run::{Because, Content, Subject};
use std::sync::Arc;

/// Revisions by their distance from one of them. Of the last delta of a configuration, those below `len` are the revisions with
/// what is carried along, the others the same revisions as they are.
pub struct Walked {
    /// The revisions.
    pub line: Arc<dyn RevisionLine>,
    /// Where the walk begins.
    pub from: usize,
    /// Whether it goes to newer revisions.
    pub is_forward: bool,
    /// How many revisions it may see, that where it begins included.
    pub len: u32,
    /// What is done to each of them.
    pub carried: Carried,
}

impl Walked {
    /// The revision at a distance.
    #[must_use]
    pub fn index(&self, distance: u32) -> usize {
        match self.is_forward {
            true => self.from + distance as usize,
            false => self.from.saturating_sub(distance as usize),
        }
    }

    /// The revision of a delta, and whether it is as it is.
    fn place(&self, delta: DeltaId) -> (usize, bool) {
        let is_as_it_is = delta.0 >= self.len;
        (self.index(if is_as_it_is { delta.0 - self.len } else { delta.0 }), is_as_it_is)
    }

    fn chosen(&self, configuration: &Configuration) -> (usize, bool) {
        self.place(configuration.last().unwrap_or(DeltaId(0)))
    }
}

impl Subject for Walked {
    fn deltas(&self) -> u32 {
        self.len.saturating_mul(2)
    }

    fn describe(&self, delta: DeltaId) -> String {
        let (index, is_as_it_is) = self.place(delta);
        let name = self.line.name(index);
        if is_as_it_is { format!("{name} as it is") } else { name }
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        self.candidate(configuration).ok().map(|candidate| candidate.content())
    }
}

impl Space for Walked {
    fn candidate(&self, configuration: &Configuration) -> Result<Candidate, Because> {
        let (index, is_as_it_is) = self.chosen(configuration);
        let candidate = Candidate::of(self.line.base(index)?);
        if is_as_it_is { Ok(candidate) } else { self.carried.onto(&candidate) }
    }

    fn revision(&self, configuration: &Configuration) -> Option<ObjectId> {
        self.line.commit(self.chosen(configuration).0)
    }

    fn revision_name(&self, configuration: &Configuration) -> Option<String> {
        let index = self.chosen(configuration).0;
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
        Carried(vec![Carry { changes: Arc::clone(&self.changes), chosen, undone: false }]).onto(version)
    }

    fn revision(&self, _: &Configuration) -> Option<ObjectId> {
        None
    }
}
