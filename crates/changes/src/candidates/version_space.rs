//! Some versions, one of which is tested.

use crate::candidates::candidate::Candidate;
use crate::candidates::space::{Space, WrittenVersions};
use crate::deltas::change_set::ChangeSet;
use crate::names::MixedNames;
use crate::trees::tree_path::TreePath;
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Configuration, DeltaId, Hints};
use howcome_run::{Because, Content, Rejection, Subject};
use std::sync::Arc;

/// Some versions, each a configuration of one delta. The empty configuration is the first one.
#[derive(Clone, Debug)]
pub struct VersionSpace {
    /// Each with its name, and the commit that it is or is made from.
    pub candidates: Vec<(String, Candidate, Option<RevisionId>)>,
    /// The versions that authors wrote, if the candidates are mixes of them. Their configurations come after those of the candidates.
    pub written: Vec<Candidate>,
    /// See [`WrittenVersions::must_build`].
    pub must_build: bool,
    /// Which candidates use names that they do not define, if that is wanted.
    pub(crate) names: Option<Arc<VersionNames>>,
}

/// What is known of the names of versions that have parts of two others.
#[derive(Debug)]
pub(crate) struct VersionNames {
    /// The changes between the two.
    changes: Arc<ChangeSet>,
    names: MixedNames,
}

impl VersionSpace {
    /// Versions that are no mixes.
    #[must_use]
    pub fn of(candidates: Vec<(String, Candidate, Option<RevisionId>)>) -> Self {
        Self { candidates, written: Vec::new(), must_build: false, names: None }
    }

    /// The same, if they are mixes of versions that authors wrote.
    #[must_use]
    pub fn mixing(self, written: Vec<Candidate>) -> Self {
        Self { written, ..self }
    }

    /// The same, if names that the mixes do not define are to be found. The mixes have parts of the two versions of these changes.
    #[must_use]
    pub fn knowing_names(self, changes: &Arc<ChangeSet>) -> Self {
        let (changes, names) = (Arc::clone(changes), MixedNames::default());
        Self { names: Some(Arc::new(VersionNames { changes, names })), ..self }
    }

    fn position(configuration: &Configuration) -> usize {
        configuration.last().map_or(0, |last| last.index() + 1)
    }

    fn chosen(&self, configuration: &Configuration) -> Option<&(String, Candidate, Option<RevisionId>)> {
        self.candidates.get(Self::position(configuration))
    }

    fn version(&self, configuration: &Configuration) -> Option<&Candidate> {
        let chosen = self.chosen(configuration).map(|(_, candidate, _)| candidate);
        let after = || Self::position(configuration).checked_sub(self.candidates.len());
        chosen.or_else(|| self.written.get(after()?))
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
        self.version(configuration).map(Candidate::content)
    }

    fn rejects(&self, configuration: &Configuration) -> Option<Rejection> {
        let VersionNames { changes, names } = self.names.as_deref()?;
        let (_, version, _) = self.chosen(configuration)?;
        let text = |path: &TreePath| version.at(path)?.bytes().ok().map(|bytes| bytes.to_vec());
        let complaints = names.complaints_of_texts(changes, text);
        let why = complaints.first()?.to_string();
        Some(Rejection { why, hints: Hints::default() })
    }
}

impl Space for VersionSpace {
    fn candidate(&self, configuration: &Configuration) -> Result<Candidate, Because> {
        self.version(configuration).cloned().ok_or_else(|| Because::DidNotApply("no such version".to_owned()))
    }

    fn revision(&self, configuration: &Configuration) -> Option<RevisionId> {
        self.chosen(configuration).and_then(|(_, _, commit)| commit.clone())
    }

    fn written(&self, configuration: &Configuration) -> Option<WrittenVersions> {
        let content = self.version(configuration)?.content();
        if self.written.is_empty() || self.written.iter().any(|written| written.content() == content) {
            return None;
        }
        let first = self.deltas() as usize;
        let numbers = (first..first + self.written.len()).map(|delta| DeltaId(delta as u32));
        let configurations = numbers.map(|delta| Configuration::empty().with_delta(delta)).collect();
        Some(WrittenVersions { configurations, must_build: self.must_build })
    }
}
