//! Some versions, one of which is tested.

use crate::candidates::candidate::Candidate;
use crate::candidates::space::Space;
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Configuration, DeltaId};
use howcome_run::{Because, Content, Subject};

/// Some versions, each a configuration of one delta. The empty configuration is the first one.
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
        chosen.ok_or_else(|| Because::DidNotApply("no such version".to_owned()))
    }

    fn revision(&self, configuration: &Configuration) -> Option<RevisionId> {
        self.chosen(configuration).and_then(|(_, _, commit)| commit.clone())
    }
}
