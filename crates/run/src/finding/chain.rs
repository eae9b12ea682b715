//! The cause-effect chain of a failing run: the variables that decide at places along it.

use serde::{Deserialize, Serialize};

/// What `howcome state` finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainFinding {
    /// The program.
    #[serde(default)]
    pub program: String,
    /// The command line of the failing run.
    #[serde(default)]
    pub failing_run: String,
    /// The command line of the passing run.
    #[serde(default)]
    pub passing_run: String,
    /// What the two runs do.
    #[serde(default)]
    pub outcome: BothOutcomes,
    /// The steps of the chain, in the order of time.
    #[serde(rename = "chain")]
    pub steps: Vec<ChainStep>,
    /// The places at which nothing was found.
    #[serde(default)]
    pub skipped: Vec<SkippedPlace>,
    /// Where one variable stops being the cause and another starts, in the order of time.
    #[serde(default)]
    pub transitions: Vec<TransitionFound>,
    /// Where the defect can be, the best place first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<DefectCandidate>,
    /// What can help if nothing was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<ChainAdvice>,
    /// The last line that both runs execute before they execute different lines for the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divergence: Option<RunPlace>,
}

/// A place at which the defect can be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DefectCandidate {
    /// The place.
    pub location: RunPlace,
    /// What speaks for it.
    pub why: Vec<String>,
}

/// What can help if nothing was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChainAdvice {
    /// What to do.
    pub purpose: String,
    /// A command that does it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// What the two runs do, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BothOutcomes {
    /// What the passing run does.
    pub passing: String,
    /// What the failing run does.
    pub failing: String,
}

/// A place along the failing run, and the variables that decide there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChainStep {
    /// The place.
    pub location: RunPlace,
    /// The variables that decide.
    pub causes: Vec<DecidingVariable>,
    /// Vertices of the memory graph.
    pub vertices: u64,
    /// Edges of the memory graph.
    pub edges: u64,
    /// Vertices that the memory graphs of both runs have in common. `None` if an older version recorded the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub common: Option<u64>,
    /// Differences between the two runs that were varied.
    pub deltas: u64,
    /// Differences that could not be transferred from one run to the other.
    pub dropped: u64,
    /// Variables whose differences spoil the transfer of the failure. The differences were left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Tests that were run at this place.
    pub tests: u64,
    /// How many variables decide.
    pub relevant: Option<u64>,
    /// Whether the failing run was altered, and not the passing one.
    #[serde(rename = "reversed")]
    pub is_reversed: bool,
    /// The call or return from which the times are counted that the run reaches the line. `None` for the start of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_from: Option<RunPlace>,
    /// Whether `howcome show RUN --before STEP` cannot go back from here.
    #[serde(rename = "no_way_back", skip_serializing_if = "std::ops::Not::not")]
    pub has_no_way_back: bool,
    /// The lines of source around the place.
    pub source: Vec<QuotedLine>,
    /// The part of the memory graph around the variables that decide.
    pub graph: GraphPart,
}

/// A place in a run: the n-th time that it reaches a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunPlace {
    /// The function.
    pub function: String,
    /// The name of the file.
    pub file: String,
    /// The path of the file.
    pub path: Option<String>,
    /// The line.
    pub line: Option<u64>,
    /// Which time the run reaches the line, counted from 1. Not recorded for a transition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit: Option<u64>,
}

/// A variable that decides, with its value in both runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DecidingVariable {
    /// The variable as an expression at the place.
    #[serde(rename = "variable")]
    pub name: String,
    /// Its value in the failing run.
    pub failing: Option<String>,
    /// Its value in the passing run.
    pub passing: Option<String>,
    /// How it differs.
    pub kind: DifferenceKind,
    /// Whether the passing run fails with it. `None` if that was not tried.
    pub alone_fails: Option<bool>,
    /// Whether the failing run passes without it. `None` if that was not tried.
    pub without_passes: Option<bool>,
}

/// How a variable differs between the two runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DifferenceKind {
    /// It has another value.
    Changed,
    /// It points to another object.
    Redirected,
    /// Only the failing run has the object.
    Created,
    /// Only the passing run has the object.
    Deleted,
    /// Bytes that one run has read from a file and the other has not.
    Unread,
    /// A newer version of howcome recorded a kind that this one does not know.
    #[default]
    #[serde(other)]
    Unknown,
}

/// A place at which nothing was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SkippedPlace {
    /// The place.
    pub location: RunPlace,
    /// Why nothing was found.
    pub why: String,
}

/// Where one variable stops being the cause and another starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TransitionFound {
    /// The variable that is the cause before it.
    pub from: String,
    /// The variable that is the cause after it.
    pub to: String,
    /// The last place before it and the first place after it.
    pub between: Vec<RunPlace>,
    /// How many times the run does this, if more than once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
    /// Whether the two runs execute different lines in between.
    #[serde(rename = "parting")]
    pub is_parting: bool,
    /// Whether this is where the defect most probably is.
    #[serde(rename = "likely")]
    pub is_likely: bool,
    /// The lines of source around the first of the two places.
    pub source: Vec<QuotedLine>,
}

/// A line of source that a finding quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct QuotedLine {
    /// Its number, counted from 1.
    pub line: Option<u64>,
    /// Its text.
    pub text: String,
    /// Whether the place is on this line.
    #[serde(rename = "here")]
    pub is_here: bool,
}

/// The part of the failing run's memory graph around the variables that decide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GraphPart {
    /// Variables and objects.
    pub vertices: Vec<GraphVertex>,
    /// How they lead to each other.
    pub edges: Vec<GraphEdge>,
}

/// A variable or an object in the failing run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphVertex {
    /// A number that edges refer to.
    pub id: u64,
    /// An expression for it.
    #[serde(default)]
    pub name: String,
    /// Its value.
    #[serde(default)]
    pub value: String,
    /// Its value in the passing run, if that differs.
    #[serde(default)]
    pub passing: Option<String>,
    /// Whether it differs between the two runs.
    #[serde(default, rename = "differs")]
    pub is_different: bool,
    /// Whether it is one of the variables that decide.
    #[serde(default, rename = "cause")]
    pub is_cause: bool,
}

/// How one vertex leads to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphEdge {
    /// The vertex that it starts from.
    pub from: u64,
    /// The vertex that it leads to.
    pub to: u64,
    /// `.next`, `[5]`, `*`
    #[serde(default)]
    pub label: String,
}
