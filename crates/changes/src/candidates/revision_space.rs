//! Revisions, one of which is tested, with changes applied.

use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::{Space, WrittenVersions};
use crate::versions::revision_id::RevisionId;
use crate::versions::source::VersionSource;
use howcome_dd::{Configuration, DeltaId};
use howcome_run::{Because, Content, Subject};
use std::sync::Arc;

/// Revisions, each of which builds on earlier ones, with changes applied.
pub struct RevisionSpace {
    /// Where the revisions come from.
    pub source: Arc<dyn VersionSource>,
    /// The version of the empty configuration.
    pub good: Candidate,
    /// The revisions in order, the parents first.
    pub revisions: Vec<TestedRevision>,
    /// What is applied to each commit first. The version of the empty configuration has it already.
    pub first: PatchSeries,
    /// What is applied to each of them.
    pub applied: PatchSeries,
}

/// A revision that can be tested.
#[derive(Clone, Debug)]
pub enum TestedRevision {
    /// A commit.
    Commit(RevisionId),
    /// The working tree with its uncommitted changes.
    WorkingTree(Candidate),
}

impl TestedRevision {
    /// The commit.
    #[must_use]
    pub fn commit(&self) -> Option<RevisionId> {
        match self {
            TestedRevision::Commit(commit) => Some(commit.clone()),
            TestedRevision::WorkingTree(_) => None,
        }
    }
}

impl RevisionSpace {
    /// A revision as it is tested.
    ///
    /// # Errors
    /// If it cannot be read, or the changes do not apply to it.
    pub fn at(&self, stop: &TestedRevision) -> Result<Candidate, Because> {
        self.applied.apply_to(&self.written_at(stop)?)
    }

    /// A revision as its author wrote it, but for what is applied first.
    fn written_at(&self, stop: &TestedRevision) -> Result<Candidate, Because> {
        match stop {
            TestedRevision::Commit(commit) => self.first.apply_to(&Candidate::of(self.source.tree(commit)?)),
            TestedRevision::WorkingTree(candidate) => Ok(candidate.clone()),
        }
    }

    /// A configuration that has this one too is the revision without the changes.
    fn as_written(&self) -> DeltaId {
        DeltaId(self.deltas())
    }

    fn stop(&self, configuration: &Configuration) -> Option<&TestedRevision> {
        self.revisions.get(configuration.without_delta(self.as_written()).last()?.index())
    }
}

impl Subject for RevisionSpace {
    fn deltas(&self) -> u32 {
        self.revisions.len() as u32
    }

    fn describe(&self, delta: DeltaId) -> String {
        match self.revisions.get(delta.index()) {
            Some(TestedRevision::Commit(commit)) => self.source.title(commit),
            Some(TestedRevision::WorkingTree(_)) => "the working tree".to_owned(),
            None => format!("revision {delta}"),
        }
    }

    fn name(&self, configuration: &Configuration) -> Option<String> {
        configuration.last().map(|last| self.describe(last))
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        self.candidate(configuration).ok().map(|candidate| candidate.content())
    }
}

impl Space for RevisionSpace {
    fn candidate(&self, configuration: &Configuration) -> Result<Candidate, Because> {
        match (self.stop(configuration), configuration.contains(self.as_written())) {
            (Some(stop), true) => self.written_at(stop),
            (Some(stop), false) => self.at(stop),
            (None, true) => Ok(self.good.clone()),
            (None, false) => self.applied.apply_to(&self.good),
        }
    }

    fn revision(&self, configuration: &Configuration) -> Option<RevisionId> {
        self.stop(configuration).and_then(TestedRevision::commit)
    }

    fn written(&self, configuration: &Configuration) -> Option<WrittenVersions> {
        let is_mix = !self.applied.0.is_empty() && !configuration.contains(self.as_written());
        let written = configuration.with_delta(self.as_written());
        is_mix.then(|| WrittenVersions { configurations: vec![written], must_build: true })
    }
}
