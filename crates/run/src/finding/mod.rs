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
    BothOutcomes, ChainAdvice, ChainFinding, ChainStep, DecidingVariable, DefectCandidate, DifferenceKind,
    GraphEdge, GraphPart, GraphVertex, QuotedLine, RunPlace, SkippedPlace, TransitionFound,
};
pub use changes::{ChangeExtent, ChangesFinding, CommitCheck, CommitInfo, FoundChange, HunkLine, PatchBase};
pub use difference::{DifferenceFinding, DifferingPart, MarkedText};
pub use history::{
    FailsSince, ForwardStep, HistoryFinding, NeverWorked, PatchMade, RevisionOutcome, RevisionTried,
    SkippedRevision,
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
            QuestionName::Changes => self.read_with("hunks").map(Finding::Changes),
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn recorded(json: Value) -> RecordedFinding {
        serde_json::from_value(json).unwrap()
    }

    fn one_of_each() -> Vec<(QuestionName, Finding)> {
        let changes = ChangesFinding {
            changes: vec![FoundChange { path: "a.c".into(), ..FoundChange::default() }],
            patch_for: Some(PatchBase::Commit),
            further: vec![ChangesFinding::default()],
            ..ChangesFinding::default()
        };
        let history = HistoryFinding {
            cause: Some(changes.clone()),
            tried: vec![RevisionTried { index: 3, outcome: RevisionOutcome::Otherwise }],
            ..HistoryFinding::default()
        };
        let input = InputFinding {
            preview: FilePreview { text: Some("x".into()), ..FilePreview::default() },
            ..InputFinding::default()
        };
        let difference = DifferenceFinding {
            passing: "a".into(),
            failing: "b".into(),
            difference: vec![DifferingPart {
                marked: vec![MarkedText::default()],
                ..DifferingPart::default()
            }],
            deltas: 1,
            of: 2,
            unit: crate::Unit::Token,
            passing_side: None,
        };
        let cause = DecidingVariable { kind: DifferenceKind::Unread, ..DecidingVariable::default() };
        let chain = ChainFinding {
            steps: vec![ChainStep { causes: vec![cause], ..ChainStep::default() }],
            ..ChainFinding::default()
        };
        vec![
            (
                QuestionName::Items,
                Finding::Items(ItemsFinding { items: vec!["x".into()], ..ItemsFinding::default() }),
            ),
            (QuestionName::Input, Finding::Input(Box::new(input))),
            (QuestionName::Input, Finding::Difference(Box::new(difference))),
            (QuestionName::Changes, Finding::Changes(Box::new(changes))),
            (QuestionName::History, Finding::History(Box::new(history))),
            (QuestionName::State, Finding::Chain(Box::new(chain))),
        ]
    }

    #[test]
    fn a_finding_is_read_as_it_was_written() {
        for (question, finding) in one_of_each() {
            let line = serde_json::to_string(&RecordedFinding::from(finding.clone())).unwrap();
            let recorded: RecordedFinding = serde_json::from_str(&line).unwrap();
            assert_eq!(recorded.read(question), Some(finding), "{line}");
        }
    }

    #[test]
    fn a_finding_is_no_answer_to_another_question() {
        for (question, finding) in one_of_each() {
            let recorded = RecordedFinding::from(finding);
            let others = QuestionName::ALL.into_iter().filter(|other| *other != question);
            assert!(others.map(|other| recorded.read(other)).all(|read| read.is_none()), "{recorded}");
        }
    }

    #[test]
    fn fields_that_another_version_lacks_or_adds_do_no_harm() {
        let old = recorded(json!({"hunks": 2, "commit": "3f2a91c"})).read(QuestionName::Changes);
        let Some(Finding::Changes(old)) = old else { panic!("{old:?}") };
        assert_eq!((old.hunks, old.commit.as_deref(), old.patch_for), (2, Some("3f2a91c"), None));
        let newer = json!({"chain": [{"causes": [{"variable": "x", "kind": "entangled"}], "mood": 1}], "author": "me"});
        let read = recorded(newer.clone()).read(QuestionName::State);
        let Some(Finding::Chain(chain)) = read else { panic!("{read:?}") };
        assert_eq!(chain.steps[0].causes[0].kind, DifferenceKind::Unknown);
        assert_eq!(
            serde_json::to_value(recorded(newer.clone())).unwrap(),
            newer,
            "nothing is lost on the way to --json"
        );
    }

    #[test]
    fn nothing_found_is_null() {
        assert!(recorded(Value::Null).is_nothing());
        assert_eq!(recorded(Value::Null).read(QuestionName::Items), None);
    }
}
