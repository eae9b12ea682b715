//! What is said about a finding, by the question that it answers. A finding of another shape is shown as it is.

pub(crate) mod chain;
pub(crate) mod changes;
pub(crate) mod difference;
pub(crate) mod history;
pub(crate) mod input;
pub(crate) mod items;

use crate::Summary;
use crate::account::Exhibit;
use chain::ChainReport;
use changes::ChangesReport;
use difference::DifferenceReport;
use history::HistoryReport;
use howcome_run::words::printable_lines;
use howcome_run::{Conclusion, Finding};
use input::InputReport;
use items::ItemsReport;

/// A finding, ready to be worded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FindingReport {
    Items(ItemsReport),
    Input(Box<InputReport>),
    Difference(Box<DifferenceReport>),
    Changes(Box<ChangesReport>),
    History(Box<HistoryReport>),
    Chain(Box<ChainReport>),
    /// JSON of another shape, as lines.
    Json(Vec<String>),
}

impl FindingReport {
    /// What a run found, where it found something.
    pub(crate) fn of_run(summary: &Summary) -> Option<Self> {
        let recorded = &summary.conclusion.as_ref()?.finding;
        if recorded.is_nothing() {
            return None;
        }
        Some(match recorded.read(summary.question) {
            Some(finding) => Self::new(finding),
            None => Self::Json(printable_lines(&recorded.to_string())),
        })
    }

    fn new(finding: Finding) -> Self {
        match finding {
            Finding::Items(found) => Self::Items(ItemsReport::new(&found)),
            Finding::Input(found) => Self::Input(Box::new(InputReport(*found))),
            Finding::Difference(found) => Self::Difference(Box::new(DifferenceReport(*found))),
            Finding::Changes(found) => Self::Changes(Box::new(ChangesReport::new(*found))),
            Finding::History(found) => Self::History(Box::new(HistoryReport::new(*found))),
            Finding::Chain(found) => Self::Chain(Box::new(ChainReport(*found))),
        }
    }

    /// The difference that was found, where that was the question.
    pub(crate) fn difference(&self) -> Option<&DifferenceReport> {
        match self {
            Self::Difference(difference) => Some(difference),
            _ => None,
        }
    }

    /// The changes that were found, where that was the question or part of it.
    pub(crate) fn cause(&self) -> Option<&ChangesReport> {
        match self {
            Self::Changes(cause) => Some(cause),
            Self::History(history) => history.cause.as_ref(),
            _ => None,
        }
    }

    /// The way back through history, where that was the question.
    pub(crate) fn history(&self) -> Option<&HistoryReport> {
        match self {
            Self::History(history) => Some(history),
            _ => None,
        }
    }

    /// The cause-effect chain that was found, where that was the question.
    pub(crate) fn chain(&self) -> Option<&ChainReport> {
        match self {
            Self::Chain(chain) => Some(chain),
            _ => None,
        }
    }

    /// Whether what was found need not fail by itself: it decides in the surroundings that it was found in.
    pub(crate) fn is_a_difference(&self) -> bool {
        match self {
            Self::Items(items) => items.beside.is_some(),
            Self::Difference(_) | Self::Changes(_) | Self::History(_) | Self::Chain(_) => true,
            Self::Input(_) | Self::Json(_) => false,
        }
    }
}

impl FindingReport {
    /// The answer, when it is one.
    pub(crate) fn found(&self, conclusion: Option<&Conclusion>) -> String {
        match self {
            Self::Items(items) => {
                items.found(conclusion.is_some_and(|conclusion| conclusion.minimal.checked))
            }
            Self::Input(input) => input.found(),
            Self::Difference(difference) => difference.found(),
            Self::Changes(cause) => cause.found(conclusion),
            Self::History(history) => history.found(),
            Self::Chain(chain) => chain.found(),
            Self::Json(_) => "Found".to_owned(),
        }
    }

    /// The answer of a test that later said otherwise.
    pub(crate) fn once(&self) -> String {
        match self {
            Self::Items(items) => items.once(),
            Self::Input(input) => input.once(),
            Self::Changes(_) | Self::Difference(_) | Self::History(_) | Self::Chain(_) | Self::Json(_) => {
                "This made the test fail".to_owned()
            }
        }
    }

    /// The best that is known of a search that did not come to its end.
    pub(crate) fn so_far(&self) -> String {
        match self {
            Self::Items(items) => items.so_far(),
            Self::Input(input) => input.found(),
            Self::Difference(difference) => difference.so_far(),
            Self::Chain(chain) => chain.so_far(),
            Self::Changes(_) | Self::History(_) | Self::Json(_) => "this is known".to_owned(),
        }
    }

    /// What the answer names.
    pub(crate) fn exhibits(&self) -> Vec<Exhibit> {
        let mut exhibits = match self {
            Self::Items(items) => items.exhibits(),
            Self::Input(input) => input.exhibits(),
            Self::Difference(difference) => difference.exhibits(),
            Self::Changes(cause) => cause.exhibits(),
            Self::History(history) => history.exhibits(),
            Self::Chain(chain) => chain.exhibits(),
            Self::Json(lines) => vec![Exhibit {
                is_answer: true,
                language: Some("json"),
                lines: lines.clone(),
                ..Exhibit::default()
            }],
        };
        exhibits.retain(|exhibit| !exhibit.lines.is_empty());
        exhibits
    }

    /// What there is to add to the answer.
    pub(crate) fn remarks(&self) -> Vec<String> {
        match self {
            Self::Changes(cause) => cause.remarks(),
            Self::History(history) => history.cause.as_ref().map(ChangesReport::remarks).unwrap_or_default(),
            Self::Input(input) => input.remarks(),
            Self::Difference(difference) => difference.remarks(),
            Self::Chain(chain) => chain.remarks(),
            Self::Items(_) | Self::Json(_) => Vec::new(),
        }
    }
}
