//! What a finding consists of, by the question that it answers, and how the answer is worded. What is not understood
//! is shown as it is.

pub(crate) mod chain;
pub(crate) mod changes;
pub(crate) mod difference;
pub(crate) mod history;
pub(crate) mod input;

use crate::Summary;
use crate::account::exhibit::Exhibit;
use crate::finding::chain::Chain;
use crate::finding::changes::Cause;
use crate::finding::difference::InputDifference;
use crate::finding::history::History;
use crate::finding::input::SmallerInput;
use howcome_run::words::{count, cut, printable, printable_lines, thousands};
use howcome_run::{Conclusion, QuestionName};
use serde::Deserialize;
use serde_json::Value;

/// A finding, ready to be worded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Finding {
    /// Some of a list of things are enough to make the test fail.
    Items { items: Vec<String>, of: Option<u64> },
    /// Some of a list of things make the difference, beside others that have to be there.
    Deciding { items: Vec<String>, of: Option<u64>, passing: Vec<String>, failing: Vec<String> },
    /// A smaller input.
    Input(Box<SmallerInput>),
    /// What decides between a passing and a failing input.
    Difference(Box<InputDifference>),
    /// The changes between two versions that make the difference.
    Changes(Box<Cause>),
    /// The way back through history to a revision that passes, or to the oldest one.
    History(Box<History>),
    /// How a failing run came to be.
    State(Box<Chain>),
    /// Anything else, as JSON.
    Other(Vec<String>),
}

/// Nobody reads a longer item; the file of the answer has the whole of it.
const LONGEST: usize = 2_000;

#[derive(Deserialize)]
struct ItemsJson {
    items: Vec<String>,
    of: Option<u64>,
    passing: Option<Vec<String>>,
    failing: Option<Vec<String>>,
}

impl Finding {
    /// What a run found, where it found something.
    pub(crate) fn of_run(summary: &Summary) -> Option<Self> {
        let conclusion = summary.conclusion.as_ref().filter(|conclusion| !conclusion.finding.is_nothing())?;
        Some(Self::of(summary.question, &serde_json::to_value(&conclusion.finding).unwrap_or_default()))
    }

    pub(crate) fn of(question: QuestionName, json: &Value) -> Self {
        let known = match question {
            QuestionName::Input if json.get("difference").is_some() => {
                InputDifference::deserialize(json).ok().map(|found| Finding::Difference(Box::new(found)))
            }
            QuestionName::Items => ItemsJson::deserialize(json).ok().map(Self::of_items),
            QuestionName::Input => {
                SmallerInput::deserialize(json).ok().map(|input| Finding::Input(Box::new(input)))
            }
            QuestionName::Changes => Cause::of(json).map(|cause| Finding::Changes(Box::new(cause))),
            QuestionName::History => History::of(json).map(|history| Finding::History(Box::new(history))),
            QuestionName::State => Chain::of(json).map(|chain| Finding::State(Box::new(chain))),
        };
        known.unwrap_or_else(|| Finding::Other(printable_lines(&format!("{json:#}"))))
    }

    fn of_items(json: ItemsJson) -> Self {
        let lines = |items: Vec<String>| items.iter().map(|item| cut(&printable(item), LONGEST)).collect();
        let (items, of) = (lines(json.items), json.of);
        match (json.passing, json.failing) {
            (Some(passing), Some(failing)) => {
                Finding::Deciding { items, of, passing: lines(passing), failing: lines(failing) }
            }
            _ => Finding::Items { items, of },
        }
    }

    /// The difference that was found, where that was the question.
    pub(crate) fn difference(&self) -> Option<&InputDifference> {
        match self {
            Finding::Difference(difference) => Some(difference),
            _ => None,
        }
    }

    /// What there is to add to the answer.
    pub(crate) fn remarks(&self) -> Vec<String> {
        match self {
            Finding::Changes(cause) => cause.remarks(),
            Finding::History(history) => history.cause.as_ref().map(Cause::remarks).unwrap_or_default(),
            Finding::Input(input) => input.remarks(),
            Finding::Difference(difference) => difference.remarks(),
            Finding::State(chain) => chain.remarks(),
            _ => Vec::new(),
        }
    }

    /// The changes that were found, where that was the question or part of it.
    pub(crate) fn cause(&self) -> Option<&Cause> {
        match self {
            Finding::Changes(cause) => Some(cause),
            Finding::History(history) => history.cause.as_ref(),
            _ => None,
        }
    }

    /// The way back through history, where that was the question.
    pub(crate) fn history(&self) -> Option<&History> {
        match self {
            Finding::History(history) => Some(history),
            _ => None,
        }
    }

    /// The cause-effect chain that was found, where that was the question.
    pub(crate) fn chain(&self) -> Option<&Chain> {
        match self {
            Finding::State(chain) => Some(chain),
            _ => None,
        }
    }
}

impl Finding {
    /// The answer, when it is one.
    pub(crate) fn found(&self, conclusion: Option<&Conclusion>) -> String {
        let is_minimal = conclusion.is_some_and(|conclusion| conclusion.minimal.checked);
        match self {
            Finding::Items { items, of } if items.is_empty() => {
                format!("The test fails even with none of {}", all_of(*of))
            }
            Finding::Items { items, of }
                if is_minimal && *of == Some(items.len() as u64) && items.len() > 1 =>
            {
                let all = match items.len() as u64 {
                    2 => "both items".to_owned(),
                    more => format!("all {}", count(more, "item")),
                };
                format!("It takes {all} to make the test fail")
            }
            Finding::Items { items, of } => {
                format!("{} {} enough to make the test fail", part(items, *of), is_or_are(items))
            }
            Finding::Deciding { items, of, .. } => {
                let verb = if items.len() == 1 { "decides" } else { "decide" };
                format!("{} {verb} whether the test fails", part(items, *of))
            }
            Finding::Input(input) => input.found(),
            Finding::Difference(difference) => difference.found(),
            Finding::Changes(cause) => cause.found(conclusion),
            Finding::History(history) => history.found(),
            Finding::State(chain) => chain.found(),
            Finding::Other(_) => "Found".to_owned(),
        }
    }

    /// The answer of a test that later said otherwise.
    pub(crate) fn once(&self) -> String {
        match self {
            Finding::Items { items, of } | Finding::Deciding { items, of, .. } => {
                format!("{} made the test fail", part(items, *of))
            }
            Finding::Input(input) => input.once(),
            Finding::Changes(_)
            | Finding::Difference(_)
            | Finding::History(_)
            | Finding::State(_)
            | Finding::Other(_) => "This made the test fail".to_owned(),
        }
    }

    /// The best that is known of a search that did not come to its end.
    pub(crate) fn so_far(&self) -> String {
        match self {
            Finding::Items { items, of } if items.is_empty() => format!("even none of {} fails", all_of(*of)),
            Finding::Items { .. } => self.found(None),
            Finding::Deciding { items, of, .. } => {
                format!("what decides is among {}", part(items, *of))
            }
            Finding::Input(input) => input.found(),
            Finding::Difference(difference) => difference.so_far(),
            Finding::State(chain) => chain.so_far(),
            Finding::Changes(_) | Finding::History(_) | Finding::Other(_) => "this is known".to_owned(),
        }
    }

    /// What the answer names.
    pub(crate) fn exhibits(&self) -> Vec<Exhibit> {
        let plain = |lines: &[String], caption: Option<String>| Exhibit {
            is_answer: caption.is_none(),
            caption,
            lines: lines.to_vec(),
            ..Exhibit::default()
        };
        let mut exhibits = match self {
            Finding::Items { items, .. } => vec![plain(items, None)],
            Finding::Deciding { items, passing, .. } => {
                let it = if items.len() == 1 { "it" } else { "them" };
                let caption = match passing.len() as u64 {
                    1 => format!("tried together with this item, which passes without {it}"),
                    more => {
                        format!("tried together with these {}, which pass without {it}", count(more, "item"))
                    }
                };
                vec![plain(items, None), plain(passing, Some(caption))]
            }
            Finding::Input(input) => input.exhibits(),
            Finding::Difference(difference) => difference.exhibits(),
            Finding::Changes(cause) => cause.exhibits(),
            Finding::History(history) => history.exhibits(),
            Finding::State(chain) => chain.exhibits(),
            Finding::Other(lines) => vec![Exhibit { language: Some("json"), ..plain(lines, None) }],
        };
        exhibits.retain(|exhibit| !exhibit.lines.is_empty());
        exhibits
    }
}

fn part(items: &[String], of: Option<u64>) -> String {
    match of {
        Some(of) => format!("{} of {}", thousands(items.len() as u64), count(of, "item")),
        None => count(items.len() as u64, "item"),
    }
}

fn all_of(of: Option<u64>) -> String {
    of.map_or_else(|| "the items".to_owned(), |of| format!("the {}", count(of, "item")))
}

fn is_or_are(items: &[String]) -> &'static str {
    if items.len() == 1 { "is" } else { "are" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_finding_of_another_shape_is_shown_as_it_is() {
        let finding = Finding::of(QuestionName::Items, &json!({"items": 3}));
        assert_eq!(finding, Finding::Other(vec!["{".into(), "  \"items\": 3".into(), "}".into()]));
    }

    #[test]
    fn hunks_may_be_a_number_or_a_list() {
        let json = json!({"commit": null, "files": ["a.c"], "hunks": 2, "patch": "-a\n+b\n"});
        let finding = Finding::of(QuestionName::Changes, &json);
        let cause = finding.cause().unwrap();
        assert_eq!((cause.files, cause.hunks), (1, 2));
    }
}
