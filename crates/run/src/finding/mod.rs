//! What each question concludes. A finding is written and read through the same types, so a field has one spelling.
//!
//! The question is recorded once, in `run.json`, and not again in each finding. So the journal holds a finding as JSON
//! ([`RecordedFinding`]), and whoever knows the question reads it as a [`Finding`]. Fields that an older version did not
//! write have defaults, and fields that a newer version added are kept in the JSON and ignored here.

mod chain;
mod changes;
mod difference;
mod history;
mod input;
mod items;

pub use chain::{
    BothOutcomes, ChainFinding, ChainStep, DecidingVariable, DifferenceKind, GraphEdge, GraphPart,
    GraphVertex, QuotedLine, RunPlace, SkippedPlace, TransitionFound,
};
pub use changes::{ChangeExtent, ChangesFinding, CommitInfo, FoundChange, PatchBase};
pub use difference::{DifferenceFinding, DifferingPart, MarkedText};
pub use history::{
    ForwardStep, HistoryFinding, NeverWorked, PatchMade, RevisionOutcome, RevisionTried, SkippedRevision,
};
pub use input::{FilePreview, InputFinding, OtherFailure, PassYield, ReducedFile};
pub use items::ItemsFinding;

use crate::QuestionName;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// What a run found, by the question that it answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Finding {
    /// `howcome items`: items of a list.
    Items(ItemsFinding),
    /// `howcome input`: a smaller input.
    Input(Box<InputFinding>),
    /// `howcome input` with a passing input: the difference between two inputs.
    Difference(Box<DifferenceFinding>),
    /// `howcome changes`: changes between two versions.
    Changes(Box<ChangesFinding>),
    /// `howcome history`: the first revision that fails.
    History(Box<HistoryFinding>),
    /// `howcome state`: the cause-effect chain of a failing run.
    Chain(Box<ChainFinding>),
}

/// A finding as the journal and `--json` have it: the fields depend on the question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RecordedFinding(Value);

impl RecordedFinding {
    /// The finding of a run that answers `question`. `None` if nothing was found, or if the record has another shape.
    #[must_use]
    pub fn read(&self, question: QuestionName) -> Option<Finding> {
        match question {
            QuestionName::Items => self.read_with("items").map(Finding::Items),
            QuestionName::Input => match self.read_with("difference") {
                Some(difference) => Some(Finding::Difference(difference)),
                None => self.read_with("output").map(Finding::Input),
            },
            QuestionName::Changes => self.read_with("changes").map(Finding::Changes),
            QuestionName::History => self.read_with("revisions").map(Finding::History),
            QuestionName::State => self.read_with("chain").map(Finding::Chain),
        }
    }

    /// The finding if it has the field that all findings of its kind have.
    fn read_with<T: DeserializeOwned>(&self, field: &str) -> Option<T> {
        self.0.get(field)?;
        T::deserialize(&self.0).ok()
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.0.is_null()
    }
}

/// The JSON, indented.
impl fmt::Display for RecordedFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl From<Finding> for RecordedFinding {
    fn from(finding: Finding) -> Self {
        // Findings are structs of texts, numbers and lists. Writing one to JSON fails only for maps with other keys than texts.
        Self(serde_json::to_value(finding).unwrap_or_default())
    }
}
