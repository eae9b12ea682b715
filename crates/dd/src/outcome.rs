//! What a test says, and what a domain may add to it.

use crate::DeltaId;
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

/// Relations that the domain read out of an observation ("this mix does not compile without delta 17").
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hints(pub Vec<Relation>);

impl Hints {
    /// Whether the observation taught nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
