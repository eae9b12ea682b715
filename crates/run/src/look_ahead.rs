//! Look-ahead: finds the questions that a search will most probably ask, by asking copies of it.
//!
//! The copies form a tree: a node is a question, and its branches are the possible answers. If all tests take equally long, the best use
//! of n workers are the n nodes that are the most probable. The tree is kept while the search goes on, because copies are expensive: after
//! an answer, the subtree of that answer is the new tree.

use crate::memory::{ConfigurationKey, Memory, RememberedTest};
use crate::odds::Odds;
use crate::{Content, Purpose, Subject};
use howcome_dd::{Answer, Ask, Configuration, Difference, Knowledge, Outcome, Question, Search};
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
    /// It is not a question, but a test that will confirm the finding.
    pub(crate) proof: Option<Purpose>,
}

/// The tests that confirm a finding.
pub(crate) type ProofsOf<'a> = &'a dyn Fn(&Difference) -> Vec<(Purpose, Configuration)>;

/// The answers that are known without a test.
pub(crate) struct KnownAnswers<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) knowledge: &'a Knowledge,
    pub(crate) subject: &'a dyn Subject,
    /// The number of the subject in memory.
    pub(crate) subject_number: u32,
    /// Only failures with the same details count.
    pub(crate) exact: bool,
    /// The tests that will confirm a finding, if they can run at the same time as others.
    pub(crate) proofs_of: Option<ProofsOf<'a>>,
}

impl KnownAnswers<'_> {
    fn key(&self, question: &Question) -> ConfigurationKey {
        Memory::key(self.subject_number, &question.configuration).of_run(question.repeat)
    }

    /// The answer that follows from what is known about the deltas.
    fn prediction(&self, configuration: &Configuration) -> Option<Answer> {
        let predicted = self.knowledge.predict(configuration).map(Answer::predicted);
        predicted.or_else(|| {
            self.subject.rejects(configuration).map(|rejection| Answer::rejected(rejection.hints))
        })
    }

    /// The outcome of an earlier test, and whether it is on the trail.
    fn outcome(&self, key: ConfigurationKey) -> Option<(Outcome, bool)> {
        let seen = self.memory.look_up(key)?;
        let outcome = |seen: &RememberedTest<'_>| match self.exact {
            true => seen.observation.exact_outcome(),
            false => seen.observation.outcome,
        };
        Some((outcome(&seen), seen.is_told))
    }
}

/// Branches that are less probable than this are not followed, unless there are many workers.
const LEAST: f64 = 1e-3;

/// With n workers, branches are followed down to this part of 1/n. All that are less probable together would add next to nothing.
const LEAST_OF_A_WORKER: f64 = 0.05;

/// Several branches can lead to the same question, and a branch can lead to the end of the search. At most this many of them are visited
/// for each worker: few if there are few workers, because their tests are often quick, and planning must be quicker.
fn visits(width: usize) -> usize {
    width * if width <= FEW_WORKERS { 4 } else { 20 }
}

const FEW_WORKERS: usize = 32;

/// The possible futures of a search.
pub(crate) struct LookAhead<S> {
    nodes: Vec<Node<S>>,
    root: Option<usize>,
}

/// A question that a copy of the search asks, or the end of the search.
struct Node<S> {
    search: S,
    /// The question and its key; `None` if the search is done.
    asks: Option<(ConfigurationKey, Question)>,
    /// The answer that follows from what is known about the deltas.
    prediction: Option<Answer>,
    /// The nodes after a pass, a failure, an unresolved outcome, and after the prediction.
    after: [Option<usize>; 4],
}

/// The place of the node after a prediction.
const PREDICTED: usize = 3;

fn place(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Pass => 0,
        Outcome::Fail => 1,
        Outcome::Unresolved => 2,
    }
}

impl<S> Default for LookAhead<S> {
    fn default() -> Self {
        Self { nodes: Vec::new(), root: None }
    }
}

impl<S: Search> LookAhead<S> {
    /// Forgets everything, because more is known about the deltas now.
    pub(crate) fn clear(&mut self) {
        (self.nodes, self.root) = (Vec::new(), None);
    }

    /// Follows the search after an answer.
    pub(crate) fn follow(&mut self, answer: &Answer) {
        let Some(root) = self.root else { return };
        let node = &self.nodes[root];
        let is_plain = *answer == Answer::from(answer.outcome);
        let next = match &node.prediction {
            _ if is_plain => node.after[place(answer.outcome)],
            Some(prediction) if prediction == answer => node.after[PREDICTED],
            _ => None,
        };
        match next {
            Some(_) => self.root = next,
            None => self.clear(),
        }
    }

    /// At most `width` questions, the most probable first. The current question is always the first.
    ///
    /// `now` is an argument because its answer can be known and yet not believed.
    pub(crate) fn expected(
        &mut self,
        search: &S,
        now: &Question,
        known: &KnownAnswers<'_>,
        odds: &Odds,
        width: usize,
    ) -> Vec<ExpectedQuestion> {
        let key = known.key(now);
        let mut expected = vec![expect(key, now, 1.0)];
        if width <= 1 {
            self.clear();
            return expected;
        }
        let root = self.root_for(search, key, known);
        self.drop_unreachable(root, width);
        let root = self.root.unwrap_or(root);
        let mut seen = HashSet::from([key]);
        let mut proven = HashSet::new();
        let mut branches = BinaryHeap::new();
        let least = LEAST.min(LEAST_OF_A_WORKER / width as f64);
        let expand = |branches: &mut BinaryHeap<Branch>, chance: f64, node: usize, question: &Question| {
            for (outcome, odds) in futures::<S>(odds, question) {
                if chance * odds >= least {
                    branches.push(Branch { chance: chance * odds, node, told: outcome });
                }
            }
        };
        expand(&mut branches, 1.0, root, now);
        let mut left = visits(width);
        while let Some(Branch { chance, node, told }) = branches.pop() {
            if left == 0 || expected.len() >= width {
                break;
            }
            let mut node = self.node_after(node, place(told), known, || Answer::from(told));
            // Answers that are known lead on without a test.
            while let Some(next) = self.after_known(node, known) {
                node = next;
            }
            match &self.nodes[node].asks {
                Some((key, question)) => {
                    match seen.insert(*key) {
                        true => expected.push(expect(*key, question, chance)),
                        false => left -= 1,
                    }
                    expand(&mut branches, chance, node, question);
                }
                None => {
                    left -= 1;
                    let room = width - expected.len();
                    let proofs = self.proofs(node, chance, known, &mut proven);
                    expected.extend(proofs.into_iter().take(room));
                }
            }
        }
        expected
    }

    /// The tests that will confirm the finding of a search that is done.
    fn proofs(
        &self,
        node: usize,
        chance: f64,
        known: &KnownAnswers<'_>,
        proven: &mut HashSet<(Purpose, ConfigurationKey)>,
    ) -> Vec<ExpectedQuestion> {
        let Some(proofs_of) = known.proofs_of else { return Vec::new() };
        let proofs = proofs_of(&self.nodes[node].search.best_difference()).into_iter();
        let proof = |(purpose, configuration): (Purpose, Configuration)| {
            let key = Memory::key(known.subject_number, &configuration);
            proven.insert((purpose, key)).then_some(ExpectedQuestion {
                key,
                configuration,
                repeat: None,
                content: None,
                chance,
                proof: Some(purpose),
            })
        };
        proofs.filter_map(proof).collect()
    }

    fn root_for(&mut self, search: &S, key: ConfigurationKey, known: &KnownAnswers<'_>) -> usize {
        let is_there = |root: &usize| {
            self.nodes.get(*root).and_then(|node| node.asks.as_ref()).is_some_and(|(asked, _)| *asked == key)
        };
        if let Some(root) = self.root.filter(is_there) {
            return root;
        }
        self.clear();
        let root = self.add(search.clone(), known);
        self.root = Some(root);
        root
    }

    fn add(&mut self, search: S, known: &KnownAnswers<'_>) -> usize {
        let asks = match search.ask() {
            Ask::Test(question) => Some((known.key(&question), question)),
            Ask::Done(_) => None,
        };
        let prediction = asks.as_ref().and_then(|(_, question)| known.prediction(&question.configuration));
        self.nodes.push(Node { search, asks, prediction, after: [None; 4] });
        self.nodes.len() - 1
    }

    /// The node after an answer, which is made if it is not there yet.
    fn node_after(
        &mut self,
        node: usize,
        place: usize,
        known: &KnownAnswers<'_>,
        answer: impl FnOnce() -> Answer,
    ) -> usize {
        if let Some(next) = self.nodes[node].after[place] {
            return next;
        }
        let mut search = self.nodes[node].search.clone();
        search.tell(answer());
        let next = self.add(search, known);
        self.nodes[node].after[place] = Some(next);
        next
    }

    /// The node after a question whose answer is known.
    fn after_known(&mut self, node: usize, known: &KnownAnswers<'_>) -> Option<usize> {
        let Node { asks, prediction, .. } = &self.nodes[node];
        let (key, _) = asks.as_ref()?;
        let seen = known.outcome(*key);
        // As for the search itself, a prediction comes before an observation that is not on the trail.
        match (seen, prediction.clone()) {
            (Some((outcome, true)), _) | (Some((outcome, false)), None) => {
                Some(self.node_after(node, place(outcome), known, || Answer::from(outcome)))
            }
            (_, Some(prediction)) => Some(self.node_after(node, PREDICTED, known, || prediction)),
            (None, None) => None,
        }
    }

    /// Drops the nodes that the search can no longer come to, if there are many nodes.
    fn drop_unreachable(&mut self, root: usize, width: usize) {
        if self.nodes.len() <= 2 * visits(width) {
            return;
        }
        let mut old: Vec<Option<Node<S>>> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        let mut waiting = vec![(root, None)];
        while let Some((number, parent)) = waiting.pop() {
            let Some(node) = old[number].take() else { continue };
            let new = self.nodes.len();
            let branches = node.after.iter().enumerate();
            waiting.extend(branches.filter_map(|(place, next)| Some(((*next)?, Some((new, place))))));
            self.nodes.push(Node { after: [None; 4], ..node });
            if let Some((parent, place)) = parent {
                let parent: &mut Node<S> = &mut self.nodes[parent];
                parent.after[place] = Some(new);
            }
        }
        self.root = Some(0);
    }
}

fn expect(key: ConfigurationKey, question: &Question, chance: f64) -> ExpectedQuestion {
    let (configuration, repeat) = (question.configuration.clone(), question.repeat);
    ExpectedQuestion { key, configuration, repeat, content: None, chance, proof: None }
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

/// A possible answer to the question of a node.
struct Branch {
    chance: f64,
    node: usize,
    told: Outcome,
}

impl Ord for Branch {
    fn cmp(&self, other: &Self) -> Ordering {
        self.chance.total_cmp(&other.chance)
    }
}

impl PartialOrd for Branch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Branch {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Branch {}
