//! The simplest driver: it runs one test at a time, and only tests that it has not run and cannot predict.

use crate::{Answer, Ask, Configuration, Knowledge, Outcome, Question, Search};
use std::collections::HashMap;

/// A search that was run to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversation<F> {
    /// The tests that were run, in order.
    pub told: Vec<(Configuration, Outcome)>,
    /// The outcomes that were predicted, in order.
    pub predicted: Vec<(Configuration, Outcome)>,
    /// What the search concluded.
    pub finding: F,
}

/// Runs a search to its end. It takes for granted that the empty configuration passes and `all` fails.
///
/// ```
/// use howcome_dd::{Configuration, Dd, Knowledge, Outcome, drive};
/// let all = Configuration::all(8);
/// let seven: Configuration = "7".parse()?;
/// let conversation = drive(Dd::new(all.clone()), &all, &Knowledge::none(), |configuration| {
///     if seven.is_subset(configuration) { Outcome::Fail } else { Outcome::Pass }
/// });
/// assert_eq!(conversation.finding.failing, seven);
/// assert_eq!(conversation.told.len(), 5);
/// # Ok::<(), howcome_dd::NotAConfiguration>(())
/// ```
pub fn drive<S: Search>(
    mut search: S,
    all: &Configuration,
    knowledge: &Knowledge,
    mut test: impl FnMut(&Configuration) -> Outcome,
) -> Conversation<S::Finding> {
    let mut known = HashMap::from([(Configuration::empty(), Outcome::Pass), (all.clone(), Outcome::Fail)]);
    let (mut told, mut predicted) = (Vec::new(), Vec::new());
    loop {
        let Question { configuration, repeat, .. } = match search.ask() {
            Ask::Test(question) => question,
            Ask::Done(finding) => return Conversation { told, predicted, finding },
        };
        let outcome = if let Some(outcome) = known.get(&configuration).filter(|_| repeat.is_none()) {
            *outcome
        } else if let Some(outcome) = knowledge.predict(&configuration) {
            predicted.push((configuration.clone(), outcome));
            outcome
        } else {
            let outcome = test(&configuration);
            told.push((configuration.clone(), outcome));
            outcome
        };
        known.insert(configuration, outcome);
        search.tell(Answer::from(outcome));
    }
}
