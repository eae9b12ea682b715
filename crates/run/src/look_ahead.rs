//! Look-ahead: finds the questions that a search will most probably ask, by asking copies of it.

use crate::memory::{ConfigurationKey, Memory, RememberedTest};
use crate::odds::Odds;
use crate::{Content, Subject};
use howcome_dd::{Answer, Ask, Configuration, Knowledge, Outcome, Question, Search};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

/// A question that the search might ask.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedQuestion {
    pub(crate) key: ConfigurationKey,
    pub(crate) configuration: Configuration,
    /// The number of the run, if each run is a question of its own.
    pub(crate) repeat: Option<u32>,
    /// Identifies the candidate, if different configurations can make the same one.
    pub(crate) content: Option<Content>,
    /// The probability that the search asks it.
    pub(crate) chance: f64,
}

/// The answers that are known without a test.
pub(crate) struct KnownAnswers<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) knowledge: &'a Knowledge,
    pub(crate) subject: &'a dyn Subject,
    /// The number of the subject in memory.
    pub(crate) subject_number: u32,
    /// Only failures with the same details count.
    pub(crate) exact: bool,
}

impl KnownAnswers<'_> {
    fn answer(&self, key: ConfigurationKey, configuration: &Configuration) -> Option<Answer> {
        let seen = self.memory.look_up(key);
        let outcome = |seen: &RememberedTest<'_>| match self.exact {
            true => seen.observation.exact_outcome(),
            false => seen.observation.outcome,
        };
        let told = seen.as_ref().filter(|seen| seen.is_told).map(outcome);
        told.map(Answer::from)
            .or_else(|| self.knowledge.predict(configuration).map(Answer::predicted))
            .or_else(|| {
                self.subject.rejects(configuration).map(|rejection| Answer::rejected(rejection.hints))
            })
            .or_else(|| seen.as_ref().map(outcome).map(Answer::from))
    }
}

/// Branches that are less probable than this are not followed.
const LEAST: f64 = 1e-4;

/// At most `width` questions, the most probable first. The current question is always the first.
///
/// `now` is an argument because its answer can be known and yet not believed.
pub(crate) fn look_ahead<S: Search>(
    search: &S,
    now: &Question,
    known: &KnownAnswers<'_>,
    odds: &Odds,
    width: usize,
) -> Vec<ExpectedQuestion> {
    let key = |question: &Question| {
        Memory::key(known.subject_number, &question.configuration).of_run(question.repeat)
    };
    let first = ExpectedQuestion {
        key: key(now),
        configuration: now.configuration.clone(),
        repeat: now.repeat,
        content: None,
        chance: 1.0,
    };
    let mut seen = HashSet::from([first.key]);
    let mut expected = vec![first];
    let mut branches = BinaryHeap::new();
    let expand = |branches: &mut BinaryHeap<Branch<S>>, chance: f64, search: &S, question: &Question| {
        for (outcome, odds) in futures::<S>(odds, question) {
            let chance = chance * odds;
            if chance >= LEAST {
                branches.push(Branch { chance, search: search.clone(), told: outcome });
            }
        }
    };
    if width > 1 {
        expand(&mut branches, 1.0, search, now);
    }
    // Several branches can lead to the same question, so more branches are followed than there are workers.
    let mut left = 6 * width;
    while let Some(Branch { chance, mut search, told }) = branches.pop() {
        if left == 0 || expected.len() == width {
            break;
        }
        left -= 1;
        search.tell(Answer::from(told));
        let question = loop {
            let Ask::Test(question) = search.ask() else { break None };
            let key = key(&question);
            match known.answer(key, &question.configuration) {
                Some(answer) => search.tell(answer),
                None => break Some((key, question)),
            }
        };
        let Some((key, question)) = question else { continue };
        if seen.insert(key) {
            expected.push(ExpectedQuestion {
                key,
                configuration: question.configuration.clone(),
                repeat: question.repeat,
                content: None,
                chance,
            });
        }
        expand(&mut branches, chance, &search, &question);
    }
    expected
}

/// The possible answers to a question, and their probabilities.
fn futures<S: Search>(odds: &Odds, question: &Question) -> Vec<(Outcome, f64)> {
    let fail = odds.of(question, Outcome::Fail);
    if S::SEES_UNRESOLVED {
        let other = [Outcome::Pass, Outcome::Unresolved].map(|outcome| (outcome, odds.of(question, outcome)));
        vec![(Outcome::Fail, fail), other[0], other[1]]
    } else {
        vec![(Outcome::Fail, fail), (Outcome::Pass, 1.0 - fail)]
    }
}

/// A possible future: the search after this answer.
struct Branch<S> {
    chance: f64,
    search: S,
    told: Outcome,
}

impl<S> Ord for Branch<S> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.chance.total_cmp(&other.chance)
    }
}

impl<S> PartialOrd for Branch<S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S> PartialEq for Branch<S> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<S> Eq for Branch<S> {}
