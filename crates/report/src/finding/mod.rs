//! Findings in words, by the question that they answer. A finding of another shape is shown as it is.

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
    /// What a run found, if it found anything.
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

    /// The difference, if the finding is one.
    pub(crate) fn difference(&self) -> Option<&DifferenceReport> {
        match self {
            Self::Difference(difference) => Some(difference),
            _ => None,
        }
    }

    /// The changes, if they are the finding or a part of it.
    pub(crate) fn cause(&self) -> Option<&ChangesReport> {
        match self {
            Self::Changes(cause) => Some(cause),
            Self::History(history) => history.cause.as_ref(),
            _ => None,
        }
    }

    /// The history, if the finding is one.
    pub(crate) fn history(&self) -> Option<&HistoryReport> {
        match self {
            Self::History(history) => Some(history),
            _ => None,
        }
    }

    /// The cause-effect chain, if the finding is one.
    pub(crate) fn chain(&self) -> Option<&ChainReport> {
        match self {
            Self::Chain(chain) => Some(chain),
            _ => None,
        }
    }

    /// Whether the finding need not fail alone: it decides together with what it was found with.
    pub(crate) fn is_a_difference(&self) -> bool {
        match self {
            Self::Items(items) => items.beside.is_some(),
            Self::Difference(_) | Self::Changes(_) | Self::History(_) | Self::Chain(_) => true,
            Self::Input(_) | Self::Json(_) => false,
        }
    }
}

impl FindingReport {
    /// The answer, in one sentence without a full stop.
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

    /// The answer of a test that later passed.
    pub(crate) fn once(&self) -> String {
        match self {
            Self::Items(items) => items.once(),
            Self::Input(input) => input.once(),
            Self::Changes(_) | Self::Difference(_) | Self::History(_) | Self::Chain(_) | Self::Json(_) => {
                "This made the test fail".to_owned()
            }
        }
    }

    /// What is known if the search did not finish.
    pub(crate) fn so_far(&self) -> String {
        match self {
            Self::Items(items) => items.so_far(),
            Self::Input(input) => input.found(),
            Self::Difference(difference) => difference.so_far(),
            Self::Chain(chain) => chain.so_far(),
            Self::Changes(_) | Self::History(_) | Self::Json(_) => "this is known".to_owned(),
        }
    }

    /// The lines of the answer. A table is at most this wide, if possible.
    pub(crate) fn exhibits(&self, columns: usize) -> Vec<Exhibit> {
        let mut exhibits = match self {
            Self::Items(items) => items.exhibits(),
            Self::Input(input) => input.exhibits(),
            Self::Difference(difference) => difference.exhibits(),
            Self::Changes(cause) => cause.exhibits(),
            Self::History(history) => history.exhibits(),
            Self::Chain(chain) => chain.exhibits(columns),
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

    /// The sentence that says which files were written.
    pub(crate) fn written_files(&self) -> Option<String> {
        match self {
            Self::Input(input) => Some(input.written_files()),
            Self::Difference(difference) => Some(difference.written_files()),
            _ => None,
        }
    }

    /// Sentences after the answer.
    pub(crate) fn remarks(&self, conclusion: Option<&Conclusion>) -> Vec<String> {
        match self {
            Self::Changes(cause) => cause.remarks(conclusion),
            Self::Input(input) => input.remarks(),
            Self::Difference(difference) => difference.remarks(),
            Self::Chain(chain) => chain.remarks(),
            Self::Items(_) | Self::History(_) | Self::Json(_) => Vec::new(),
        }
    }
}
