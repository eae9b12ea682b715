//! A driver that checks on every step the rules that all searches must follow.

use howcome_dd::{Answer, Ask, Configuration, Outcome, Search};
use std::collections::HashMap;

pub(crate) struct CheckedConversation<F> {
    /// The tests, each configuration once. The empty configuration and all deltas are not tested.
    pub(crate) told: Vec<(Configuration, Outcome)>,
    pub(crate) finding: F,
}

/// More questions than any search should ask.
fn too_many(deltas: usize) -> usize {
    20 * (deltas + 3) * (deltas + 3)
}

pub(crate) fn converse<S: Search, A: Into<Answer>>(
    mut search: S,
    all: &Configuration,
    test: impl Fn(&Configuration) -> A,
) -> CheckedConversation<S::Finding> {
    let ends = [(Configuration::empty(), Outcome::Pass), (all.clone(), Outcome::Fail)];
    let mut known: HashMap<Configuration, Answer> =
        ends.into_iter().map(|(end, outcome)| (end, Answer::from(outcome))).collect();
    let mut told = Vec::new();
    for _ in 0..too_many(all.len()) {
        let asked = search.ask();
        assert_eq!(asked, search.ask(), "asking twice returns the same");
        let question = match asked {
            Ask::Test(question) => question,
            Ask::Done(finding) => {
                for outcome in Outcome::ALL {
                    search.tell(Answer::from(outcome));
                    assert_eq!(search.ask(), Ask::Done(finding.clone()), "a search that is done stays done");
                }
                return CheckedConversation { told, finding };
            }
        };
        let configuration = question.configuration;
        assert!(configuration.is_subset(all), "{configuration} is not within {all}");
        assert!(question.chance.is_none_or(|chance| (0.0..=1.0).contains(&chance)), "{:?}", question.chance);
        let answer = known.entry(configuration.clone()).or_insert_with(|| {
            let answer: Answer = test(&configuration).into();
            told.push((configuration.clone(), answer.outcome));
            answer
        });
        let futures = Outcome::ALL.map(Answer::from).into_iter().chain([answer.clone()]);
        let copies = futures.map(|answer| {
            let mut copy = search.clone();
            copy.tell(answer);
            copy.ask()
        });
        let same = copies.last();
        search.tell(answer.clone());
        assert_eq!(Some(search.ask()), same, "a copy with the same answers asks the same");
    }
    panic!("{search_name} did not end", search_name = std::any::type_name::<S>());
}

/// Runs a search whose best configuration so far must fail at every step.
pub(crate) fn best_always_fails<S: Search>(
    mut search: S,
    all: &Configuration,
    test: impl Fn(&Configuration) -> Outcome,
) {
    let mut last = all.len();
    while let Ask::Test(question) = search.ask() {
        let outcome =
            if question.configuration.is_empty() { Outcome::Pass } else { test(&question.configuration) };
        search.tell(Answer::from(outcome));
        let best = search.best_so_far();
        assert_eq!(test(best), Outcome::Fail, "{best} is the best so far but does not fail");
        assert!(best.len() <= last, "the best so far has become larger");
        last = best.len();
    }
}
