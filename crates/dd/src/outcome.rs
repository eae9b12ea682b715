//! The outcome of a test, and the hints that a domain can add to it.

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
    /// Anything else: it did not build, or it failed differently.
    Unresolved,
}

impl Outcome {
    /// All outcomes, for tables indexed by outcome.
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

/// A relation between deltas. A configuration that violates it is unresolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// The first delta works only if the second is applied too.
    Needs(DeltaId, DeltaId),
    /// The two deltas cannot be applied together.
    Excludes(DeltaId, DeltaId),
}

/// What the domain learned from a test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hints {
    /// Why the configuration was unresolved: for example, one of its deltas does not compile without delta 17.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<Relation>,
    /// What to try instead of an unresolved configuration, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<Configuration>,
    /// What the configuration probably lacked. These relations predict no outcomes; they only guide later questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspected: Vec<Relation>,
    /// How many problems were found, if they were counted. A repair that leaves as many leads nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problems: Option<u32>,
}

impl Hints {
    /// Hints with relations only.
    #[must_use]
    pub fn relations(relations: Vec<Relation>) -> Self {
        Self { relations, ..Self::default() }
    }

    /// Hints with repairs only.
    #[must_use]
    pub fn repairs(repairs: Vec<Configuration>) -> Self {
        Self { repairs, ..Self::default() }
    }

    /// The same hints with what was probably lacking.
    #[must_use]
    pub fn suspecting(self, suspected: Vec<Relation>) -> Self {
        Self { suspected, ..self }
    }

    /// The same hints with the number of problems.
    #[must_use]
    pub fn counting(self, problems: u32) -> Self {
        Self { problems: Some(problems), ..self }
    }

    /// Whether nothing was learned.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
