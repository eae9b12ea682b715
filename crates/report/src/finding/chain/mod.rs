//! A cause-effect chain, as the JSON of a finding has it: at places along the failing run, the variables that decide.
//!
//! Only the shape is here. What is said about it, and how it looks, is elsewhere.

pub(crate) mod columns;
pub(crate) mod fold;
pub(crate) mod message;
pub(crate) mod place;
pub(crate) mod proof;
pub(crate) mod skipped;
pub(crate) mod table;
pub(crate) mod transition;
pub(crate) mod words;

use crate::lenient::{lenient, lenient_list};
use serde::Deserialize;
use serde_json::Value;

/// What `howcome state` finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Chain {
    #[serde(deserialize_with = "lenient")]
    pub(crate) program: String,
    /// The command lines of both runs.
    #[serde(deserialize_with = "lenient")]
    pub(crate) failing_run: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) passing_run: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) outcome: Outcomes,
    #[serde(rename = "chain", deserialize_with = "lenient_list")]
    pub(crate) steps: Vec<ChainStep>,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) skipped: Vec<Skipped>,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) transitions: Vec<Transition>,
}

/// What can be seen of both runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Outcomes {
    #[serde(deserialize_with = "lenient")]
    pub(crate) passing: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) failing: String,
}

/// A place along the run, and what decides there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct ChainStep {
    #[serde(deserialize_with = "lenient")]
    pub(crate) location: Location,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) causes: Vec<Variable>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) vertices: u64,
    #[serde(deserialize_with = "lenient")]
    pub(crate) edges: u64,
    #[serde(deserialize_with = "lenient")]
    pub(crate) deltas: u64,
    /// Differences that could not be carried from one run to the other.
    #[serde(deserialize_with = "lenient")]
    pub(crate) dropped: u64,
    #[serde(deserialize_with = "lenient")]
    pub(crate) tests: u64,
    #[serde(deserialize_with = "lenient")]
    relevant: Option<u64>,
    /// Whether the failing run was the one that was altered.
    #[serde(rename = "reversed", deserialize_with = "lenient")]
    pub(crate) is_reversed: bool,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) source: Vec<SourceLine>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) graph: Surroundings,
}

/// A moment of a run: the n-th time that it comes to a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Location {
    #[serde(deserialize_with = "lenient")]
    pub(crate) function: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) file: String,
    /// Where the file is, if that is more than its name.
    #[serde(deserialize_with = "lenient")]
    pub(crate) path: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) line: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) hit: u64,
}

/// A variable that decides, with its value in both runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Variable {
    #[serde(rename = "variable", deserialize_with = "lenient")]
    pub(crate) name: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) failing: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) passing: Option<String>,
    /// `changed`, `redirected`, `created`, `deleted` or `unread`.
    #[serde(deserialize_with = "lenient")]
    pub(crate) kind: String,
    /// Whether the passing run fails with it; `None` where that was not tried.
    #[serde(deserialize_with = "lenient")]
    pub(crate) alone_fails: Option<bool>,
    /// Whether the failing run passes without it; `None` where that was not tried.
    #[serde(deserialize_with = "lenient")]
    pub(crate) without_passes: Option<bool>,
}

/// A place where nothing was found, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Skipped {
    #[serde(deserialize_with = "lenient")]
    pub(crate) location: Location,
    #[serde(deserialize_with = "lenient")]
    pub(crate) why: String,
}

/// Where one variable stops and another starts being the cause.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Transition {
    #[serde(deserialize_with = "lenient")]
    pub(crate) from: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) to: String,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) between: Vec<Location>,
    /// Whether the defect most probably is there.
    #[serde(rename = "likely", deserialize_with = "lenient")]
    pub(crate) is_likely: bool,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) source: Vec<SourceLine>,
}

/// A line of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct SourceLine {
    #[serde(deserialize_with = "lenient")]
    pub(crate) line: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) text: String,
    /// Whether it is the one that is meant.
    #[serde(rename = "here", deserialize_with = "lenient")]
    pub(crate) is_here: bool,
}

/// The part of the memory graph around what decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Surroundings {
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) vertices: Vec<Vertex>,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) edges: Vec<Edge>,
}

/// A variable or an object, in the failing run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Vertex {
    pub(crate) id: u64,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) name: String,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) value: String,
    /// Its value in the passing run.
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) passing: Option<String>,
    #[serde(rename = "differs", default, deserialize_with = "lenient")]
    pub(crate) is_different: bool,
    #[serde(rename = "cause", default, deserialize_with = "lenient")]
    pub(crate) is_cause: bool,
}

/// How one vertex is reached from another.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Edge {
    pub(crate) from: u64,
    pub(crate) to: u64,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) label: String,
}

impl Chain {
    /// `None` where the finding is of another shape.
    pub(crate) fn of(json: &Value) -> Option<Self> {
        json.get("chain")?.as_array()?;
        Self::deserialize(json).ok()
    }
}

impl ChainStep {
    /// How many variables decide here.
    pub(crate) fn relevant(&self) -> u64 {
        self.relevant.unwrap_or(self.causes.len() as u64)
    }
}

impl Vertex {
    /// Whether it is one to be seen at once.
    pub(crate) fn stands_out(&self) -> bool {
        self.is_different || self.is_cause
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_another_version_wrote_otherwise_counts_as_nothing() {
        let json = json!({
            "program": 7,
            "chain": [{"location": "main", "causes": [3, {"variable": "x", "failing": 6}], "tests": "many"}],
            "skipped": {}, "transitions": [null],
        });
        let chain = Chain::of(&json).unwrap();
        let [step] = chain.steps.as_slice() else { panic!("one step") };
        assert_eq!((step.location.clone(), step.tests), (Location::default(), 0));
        assert_eq!(step.causes.len(), 1);
        assert_eq!(step.relevant(), 1);
        assert!(chain.transitions.is_empty() && chain.skipped.is_empty());
        assert_eq!(Chain::of(&json!({"chain": 3})), None);
    }
}
