//! What is varied in one stage of a search: the configurations of a space are versions of the tree.

use crate::versions::revision_id::RevisionId;
use crate::versions::source::VersionSource;
use crate::{Candidate, ChangeSet, mix};
use howcome_dd::{Configuration, DeltaId, Hints};
use howcome_run::{Because, Content, StageRunner, Subject};
use std::sync::Arc;

/// A set of deltas whose configurations are versions of a tree.
pub trait Space: Subject + Send + Sync {
    /// The version that a configuration makes.
    ///
    /// # Errors
    /// [`Because::DidNotApply`] where there is no such version.
    fn candidate(&self, configuration: &Configuration) -> Result<Candidate, Because>;

    /// The commit that it is, or is made from, if there is one.
    fn revision(&self, configuration: &Configuration) -> Option<RevisionId>;

    /// The name by which a test knows that revision.
    fn revision_name(&self, configuration: &Configuration) -> Option<String> {
        self.revision(configuration).map(|commit| commit.to_string())
    }

    /// What to learn from what a test printed that could not be judged.
    fn hints(&self, configuration: &Configuration, printed: &[u8]) -> Hints {
        let _ = (configuration, printed);
        Hints::default()
    }
}

/// A space as what any stage varies.
#[must_use]
pub fn as_subject<'a>(space: &'a (dyn Space + 'static)) -> &'a dyn Subject {
    space
}

/// Runs stages whose configurations are versions of a tree.
pub trait TreeStages: StageRunner<Subject = dyn Space> {}

impl<R: StageRunner<Subject = dyn Space>> TreeStages for R {}

/// Some versions, each a configuration of one delta. Nothing at all is the first.
#[derive(Clone, Debug)]
pub struct VersionSpace {
    /// Each with its name, and the commit that it is or is made from.
    pub candidates: Vec<(String, Candidate, Option<RevisionId>)>,
}

impl VersionSpace {
    fn chosen(&self, configuration: &Configuration) -> Option<&(String, Candidate, Option<RevisionId>)> {
        self.candidates.get(configuration.last().map_or(0, |last| last.index() + 1))
    }
}

impl Subject for VersionSpace {
    fn deltas(&self) -> u32 {
        self.candidates.len().saturating_sub(1) as u32
    }

    fn describe(&self, delta: DeltaId) -> String {
        self.candidates.get(delta.index() + 1).map_or_else(String::new, |(name, ..)| name.clone())
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        self.chosen(configuration).map(|(_, candidate, _)| candidate.content())
    }
}

impl Space for VersionSpace {
    fn candidate(&self, configuration: &Configuration) -> Result<Candidate, Because> {
        let chosen = self.chosen(configuration).map(|(_, candidate, _)| candidate.clone());
        chosen.ok_or_else(|| Because::DidNotApply("there is no such version".to_owned()))
    }

    fn revision(&self, configuration: &Configuration) -> Option<RevisionId> {
        self.chosen(configuration).and_then(|(_, _, commit)| commit.clone())
    }
}

/// Revisions, each of which builds on earlier ones, with changes carried along.
pub struct RevisionSpace {
    /// Where the revisions come from.
    pub source: Arc<dyn VersionSource>,
    /// What nothing at all is.
    pub good: Candidate,
    /// The revisions in order, the parents first.
    pub revisions: Vec<TestedRevision>,
    /// What is done to each commit first. What nothing at all is has it already.
    pub first: PatchSeries,
    /// What is done to each of them.
    pub applied: PatchSeries,
}

/// A revision that can be tested.
#[derive(Clone, Debug)]
pub enum TestedRevision {
    /// A commit.
    Commit(RevisionId),
    /// What is in the working tree and in no commit.
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

/// Changes that are made, or undone, in whatever version is tested.
#[derive(Clone, Debug, Default)]
pub struct PatchSeries(pub Vec<PatchStep>);

/// One of them.
#[derive(Clone, Debug)]
pub struct PatchStep {
    /// The changes of a set.
    pub changes: Arc<ChangeSet>,
    /// Which of them.
    pub chosen: Configuration,
    /// Whether they are undone instead of made.
    pub undone: bool,
    /// Whether those that do not fit are left out.
    pub where_they_fit: bool,
}

impl PatchStep {
    /// Some changes to be made.
    #[must_use]
    pub fn making(changes: &Arc<ChangeSet>, chosen: Configuration) -> Self {
        Self { changes: Arc::clone(changes), chosen, undone: false, where_they_fit: false }
    }
}

impl PatchSeries {
    /// Does all of it to a version.
    ///
    /// # Errors
    /// Where the version does not have the lines that a change is about.
    pub fn apply_to(&self, candidate: &Candidate) -> Result<Candidate, Because> {
        let mut carried = candidate.clone();
        for PatchStep { changes, chosen, undone, where_they_fit } in &self.0 {
            let tree = carried.tree();
            let fits = where_they_fit.then(|| crate::fitting(changes, chosen, &tree));
            let chosen = fits.as_ref().unwrap_or(chosen);
            let apply = if *undone { crate::undo_from } else { crate::apply_to };
            let later = apply(changes, chosen, &tree, &crate::moved(changes, chosen, &tree))
                .map_err(|conflict| Because::DidNotApply(conflict.to_string()))?;
            carried.mix = carried.mix.then(&later);
        }
        Ok(carried)
    }
}

impl RevisionSpace {
    /// A revision as it is tested.
    ///
    /// # Errors
    /// Where it cannot be read, or cannot take what is carried along.
    pub fn at(&self, stop: &TestedRevision) -> Result<Candidate, Because> {
        let candidate = match stop {
            TestedRevision::Commit(commit) => {
                self.first.apply_to(&Candidate::of(self.source.tree(commit)?))?
            }
            TestedRevision::WorkingTree(candidate) => candidate.clone(),
        };
        self.applied.apply_to(&candidate)
    }

    fn stop(&self, configuration: &Configuration) -> Option<&TestedRevision> {
        self.revisions.get(configuration.last()?.index())
    }
}

impl Subject for RevisionSpace {
    fn deltas(&self) -> u32 {
        self.revisions.len() as u32
    }

    fn describe(&self, delta: DeltaId) -> String {
        match self.revisions.get(delta.index()) {
            Some(TestedRevision::Commit(commit)) => commit.short(),
            Some(TestedRevision::WorkingTree(_)) => "the working tree".to_owned(),
            None => format!("revision {delta}"),
        }
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        self.candidate(configuration).ok().map(|candidate| candidate.content())
    }
}

impl Space for RevisionSpace {
    fn candidate(&self, configuration: &Configuration) -> Result<Candidate, Because> {
        match self.stop(configuration) {
            Some(stop) => self.at(stop),
            None => self.applied.apply_to(&self.good),
        }
    }

    fn revision(&self, configuration: &Configuration) -> Option<RevisionId> {
        self.stop(configuration).and_then(TestedRevision::commit)
    }
}

/// Reads what a test printed that could not be judged.
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
    /// Who understands what a compiler says, if anybody does.
    pub reader: Option<Arc<dyn ComplaintReader>>,
}

impl ChangeSpace {
    /// Changes on a version, for callers that do not search.
    #[must_use]
    pub fn on(low: &Candidate, changes: &Arc<ChangeSet>) -> Self {
        Self { low: low.clone(), revision: None, changes: Arc::clone(changes), reader: None }
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
}

impl Space for ChangeSpace {
    fn candidate(&self, configuration: &Configuration) -> Result<Candidate, Because> {
        Ok(self.version(configuration))
    }

    fn revision(&self, _: &Configuration) -> Option<RevisionId> {
        self.revision.clone()
    }

    fn hints(&self, configuration: &Configuration, printed: &[u8]) -> Hints {
        self.reader.as_ref().map_or_else(Hints::default, |reader| reader.read(configuration, printed))
    }
}
