//! Tests that later stages will probably ask for, so that workers of which the present search has no use can run them.
//!
//! They change nothing but the time: such a test is recorded when the stage that it was meant for asks for exactly this test. Nobody ever
//! hears of the others, except that they were cancelled.

use crate::odds::Odds;
use crate::{Content, LaterExperiment, Purpose, StageName, Subject};
use howcome_dd::{Answer, Ask, Configuration, Outcome, Search};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};
use std::fmt;
use std::sync::Arc;

/// The outcome of a candidate with this content, if it is known.
pub type KnownContents<'a> = &'a dyn Fn(Content) -> Option<Outcome>;

/// Says which tests later stages will probably ask for: at most so many, the most probable first.
pub type Foresight = Box<dyn FnMut(usize, KnownContents<'_>) -> Vec<LaterTest>>;

/// A test that a later stage will probably ask for.
#[derive(Clone)]
pub struct LaterTest {
    /// The stage.
    pub stage: StageName,
    /// The configuration of that stage.
    pub configuration: Configuration,
    /// What the configuration makes.
    pub content: Content,
    /// Whether it confirms an answer, and so starts from scratch.
    pub is_proof: bool,
    /// The probability that it is asked for.
    pub chance: f64,
    /// The subject of that stage, and how it is judged.
    pub experiment: LaterExperiment,
}

impl LaterTest {
    /// Whether the other one is the same test.
    pub(crate) fn is(&self, other: &LaterTest) -> bool {
        self.is_for(&other.stage, &other.configuration, Some(other.content), other.is_proof)
    }

    /// Whether it tests this.
    pub(crate) fn is_for(
        &self,
        stage: &StageName,
        configuration: &Configuration,
        content: Option<Content>,
        is_proof: bool,
    ) -> bool {
        let same_content = content == Some(self.content) && self.is_proof == is_proof;
        same_content && self.stage == *stage && self.configuration == *configuration
    }
}

impl fmt::Debug for LaterTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stage, configuration, is_proof, chance, .. } = self;
        let mut shown = f.debug_struct("LaterTest");
        shown.field("stage", stage).field("configuration", configuration);
        shown.field("is_proof", is_proof).field("chance", chance).finish_non_exhaustive()
    }
}

/// A test that a procedure expects, before it is known how it will be run.
pub struct ForeseenTest<V: ?Sized> {
    /// The stage.
    pub stage: StageName,
    /// The subject of that stage.
    pub subject: Arc<V>,
    /// The configuration to test.
    pub configuration: Configuration,
    /// Why it is tested.
    pub purpose: Purpose,
    /// The probability that it is asked for.
    pub chance: f64,
}

impl<V: ?Sized> Clone for ForeseenTest<V> {
    fn clone(&self) -> Self {
        let Self { stage, subject, configuration, purpose, chance } = self;
        let (stage, subject, configuration) = (stage.clone(), Arc::clone(subject), configuration.clone());
        Self { stage, subject, configuration, purpose: *purpose, chance: *chance }
    }
}

/// Says which tests a procedure expects, as [`Foresight`] does.
pub type StageForesight<V> = Box<dyn FnMut(usize, KnownContents<'_>) -> Vec<ForeseenTest<V>>>;

/// Futures that are less probable than this are not followed.
const LEAST: f64 = 0.01;

/// The questions with which a search will probably begin, the most probable first, each with its probability.
pub fn first_questions<S: Search>(
    search: &S,
    subject: &dyn Subject,
    number: usize,
    known: KnownContents<'_>,
) -> Vec<(Configuration, f64)> {
    let (odds, mut seen, mut questions) = (Odds::default(), HashSet::new(), Vec::new());
    let mut futures = BinaryHeap::from([SearchFuture { chance: 1.0, search: search.clone() }]);
    // Several futures can ask the same question.
    for _ in 0..4 * number {
        let Some(SearchFuture { chance, mut search }) = futures.pop() else { break };
        if questions.len() >= number {
            break;
        }
        let question = loop {
            let Ask::Test(question) = search.ask() else { break None };
            let rejection = subject.rejects(&question.configuration);
            if let Some(rejection) = rejection {
                search.tell(Answer::rejected(rejection.hints));
                continue;
            }
            let content = subject.content(&question.configuration);
            match content.and_then(known) {
                Some(outcome) => search.tell(Answer::from(outcome)),
                None => break Some(question),
            }
        };
        let Some(question) = question.filter(|question| question.repeat.is_none()) else { continue };
        if seen.insert(question.configuration.fingerprint()) {
            questions.push((question.configuration.clone(), chance));
        }
        let outcomes = match S::SEES_UNRESOLVED {
            true => vec![Outcome::Pass, Outcome::Fail, Outcome::Unresolved],
            false => vec![Outcome::Pass, Outcome::Fail],
        };
        for outcome in outcomes {
            let chance = chance * odds.of(&question, outcome);
            if chance >= LEAST {
                let mut search = search.clone();
                search.tell(Answer::from(outcome));
                futures.push(SearchFuture { chance, search });
            }
        }
    }
    questions
}

/// A possible future of a search.
struct SearchFuture<S> {
    chance: f64,
    search: S,
}

impl<S> Ord for SearchFuture<S> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.chance.total_cmp(&other.chance)
    }
}

impl<S> PartialOrd for SearchFuture<S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S> PartialEq for SearchFuture<S> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<S> Eq for SearchFuture<S> {}
