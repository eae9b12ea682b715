//! The algorithms that run in stages.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The algorithm of a stage, by its name in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// The tests of the two sides.
    Baseline,
    /// Our own simplifier.
    Balanced,
    /// The simplifier of Zeller and Hildebrandt.
    Ddmin,
    /// Zeller's first algorithm.
    Dd,
    /// Zeller's algorithm for tests with unresolved outcomes.
    #[serde(rename = "dd+")]
    DdPlus,
    /// The smallest difference between passing and failing.
    Isolate,
    /// Brings a passing and a failing side together if most mixes are unresolved.
    Narrow,
    /// The first revision that fails.
    Bisect,
    /// A walk back or forward through revisions while the outcome stays the same.
    Walk,
    /// Leaves out the deltas that spoil a transfer.
    Peel,
    /// The first of several changes that decides on both sides.
    BothWays,
    /// A single test.
    Probe,
    /// The finding alone and without each single delta.
    Confirm,
}

impl Algorithm {
    const ALL: [Self; 13] = [
        Self::Baseline,
        Self::Balanced,
        Self::Ddmin,
        Self::Dd,
        Self::DdPlus,
        Self::Isolate,
        Self::Narrow,
        Self::Bisect,
        Self::Walk,
        Self::Peel,
        Self::BothWays,
        Self::Probe,
        Self::Confirm,
    ];

    /// Its spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Balanced => "balanced",
            Self::Ddmin => "ddmin",
            Self::Dd => "dd",
            Self::DdPlus => "dd+",
            Self::Isolate => "isolate",
            Self::Narrow => "narrow",
            Self::Bisect => "bisect",
            Self::Walk => "walk",
            Self::Peel => "peel",
            Self::BothWays => "both-ways",
            Self::Probe => "probe",
            Self::Confirm => "confirm",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The algorithms of a run, in order: `bisect, narrow`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Algorithms(pub Vec<Algorithm>);

impl From<Algorithm> for Algorithms {
    fn from(only: Algorithm) -> Self {
        Self(vec![only])
    }
}

impl fmt::Display for Algorithms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|algorithm| algorithm.as_str()).collect();
        f.write_str(&names.join(", "))
    }
}

impl From<Algorithms> for String {
    fn from(algorithms: Algorithms) -> Self {
        algorithms.to_string()
    }
}

impl TryFrom<String> for Algorithms {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let named = |name: &str| Algorithm::ALL.into_iter().find(|algorithm| algorithm.as_str() == name);
        let all = text.split(", ").map(|name| named(name).ok_or(name)).collect::<Result<_, _>>();
        all.map(Self).map_err(|name| format!("`{name}` is not an algorithm"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_algorithm_is_written_and_read_by_the_same_name() {
        for algorithm in Algorithm::ALL {
            let written = serde_json::to_string(&algorithm).unwrap();
            assert_eq!(written, format!("\"{algorithm}\""));
            assert_eq!(serde_json::from_str::<Algorithm>(&written).unwrap(), algorithm);
        }
    }

    #[test]
    fn several_algorithms_are_written_as_one_text() {
        let several = Algorithms(vec![Algorithm::Bisect, Algorithm::DdPlus]);
        let written = serde_json::to_string(&several).unwrap();
        assert_eq!(written, "\"bisect, dd+\"");
        assert_eq!(serde_json::from_str::<Algorithms>(&written).unwrap(), several);
        assert!(serde_json::from_str::<Algorithms>("\"bisect, guess\"").is_err());
    }
}
