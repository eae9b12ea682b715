//! What a test says, and what a domain may add to it.

use crate::{Configuration, DeltaId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The outcome of a test: the papers' ✓, ✗ and ?.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The failure does not occur.
    Pass,
    /// The failure that we are looking for occurs.
    Fail,
    /// Anything else: it did not build, it failed in another way.
    Unresolved,
}

impl Outcome {
    /// All three, for tables indexed by outcome.
    pub const ALL: [Outcome; 3] = [Outcome::Pass, Outcome::Fail, Outcome::Unresolved];

    /// The sign of the papers.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Outcome::Pass => '✓',
            Outcome::Fail => '✗',
            Outcome::Unresolved => '?',
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Unresolved => "unresolved",
        })
    }
}

/// A relation between deltas. A configuration that violates it cannot be resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// The first is of no use without the second.
    Needs(DeltaId, DeltaId),
    /// The two cannot be applied together.
    Excludes(DeltaId, DeltaId),
}

/// What the domain read out of an observation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hints {
    /// Why the configuration could not be resolved ("this mix does not compile without delta 17").
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<Relation>,
    /// What to try instead of a configuration that could not be resolved, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<Configuration>,
    /// What it probably lacked. Nothing is predicted from these: they only tell which mixes to ask for later.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspected: Vec<Relation>,
}

impl Hints {
    /// Relations only.
    #[must_use]
    pub fn relations(relations: Vec<Relation>) -> Self {
        Self { relations, ..Self::default() }
    }

    /// Repairs only.
    #[must_use]
    pub fn repairs(repairs: Vec<Configuration>) -> Self {
        Self { repairs, ..Self::default() }
    }

    /// The same, and what was probably lacking.
    #[must_use]
    pub fn suspecting(self, suspected: Vec<Relation>) -> Self {
        Self { suspected, ..self }
    }

    /// Whether the observation taught nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.relations.is_empty() && self.repairs.is_empty() && self.suspected.is_empty()
    }
}
