//! What optimal speculation allows, calculated without the driver and its look-ahead.
//!
//! All tests take equally long, so the slots work in rounds. A set of questions is asked at once; then the search is told answers as long as
//! it asks for one of the set. The expected number of answers is the probability of all paths of the search that stay inside the set. In a
//! tree of futures, the questions with the highest probabilities form the best set, because no question is more probable than those
//! before it. With even odds and 127 slots these are the questions of seven levels: seven answers a round.

use crate::world::World;
use howcome_dd::{Answer, Ask, Configuration, Outcome, Question, Search};
use howcome_run::Odds;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::rc::Rc;

/// Identifies a question.
type QuestionKey = (u128, Option<u32>);

fn key(question: &Question) -> QuestionKey {
    (question.configuration.fingerprint(), question.repeat)
}

/// A run of a search by optimal speculation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OptimalRun {
    /// How many rounds it took.
    pub(crate) rounds: u64,
    /// How many answers tests gave.
    pub(crate) told: u64,
    /// How many answers were expected by the odds of the search, in all rounds together.
    pub(crate) expected: f64,
    /// How many tests were run.
    pub(crate) tests: u64,
}

impl OptimalRun {
    /// How many answers a round was expected to give.
    pub(crate) fn expected_per_round(&self) -> f64 {
        self.expected / self.rounds.max(1) as f64
    }
}

/// Runs a search with the best questions in each round.
pub(crate) fn optimal_run<S: Search>(
    world: &World,
    mut search: S,
    slots: usize,
    outcome: impl Fn(&Question) -> Outcome,
) -> OptimalRun {
    let baseline = [(Configuration::empty(), Outcome::Pass), (world.all(), Outcome::Fail)];
    let mut known: HashMap<QuestionKey, Outcome> =
        baseline.into_iter().map(|(side, outcome)| ((side.fingerprint(), None), outcome)).collect();
    let mut told: HashSet<QuestionKey> = known.keys().copied().collect();
    let mut odds = Odds::default();
    let mut run = OptimalRun::default();
    loop {
        let Ask::Test(question) = search.ask() else { return run };
        let key = key(&question);
        if let Some(outcome) = known.get(&key) {
            if told.insert(key) {
                run.told += 1;
                odds.learn(question.step, *outcome);
            }
            search.tell(Answer::from(*outcome));
            continue;
        }
        let round = best_round(&search, &odds, &known, slots);
        run.rounds += 1;
        run.expected += round.expected;
        run.tests += round.questions.len() as u64;
        known.extend(round.questions.iter().map(|(key, question)| (*key, outcome(question))));
    }
}

/// The best questions of a round.
struct OptimalRound {
    expected: f64,
    questions: HashMap<QuestionKey, Question>,
}

/// A possible future: the answer to the question of a copy of the search.
struct Future<S> {
    chance: f64,
    /// A number that makes the order definite.
    number: usize,
    search: Rc<S>,
    told: Option<Outcome>,
}

/// With more slots than this, fewer futures are visited.
const MANY: usize = 1000;

/// Futures that are less probable than this add nothing to the expected answers.
const NEGLIGIBLE: f64 = 1e-7;

fn best_round<S: Search>(
    search: &S,
    odds: &Odds,
    known: &HashMap<QuestionKey, Outcome>,
    slots: usize,
) -> OptimalRound {
    let mut round = OptimalRound { expected: 0.0, questions: HashMap::new() };
    let mut futures =
        BinaryHeap::from([Future { chance: 1.0, number: 0, search: Rc::new(search.clone()), told: None }]);
    let mut visits = 0;
    while let Some(Future { chance, search, told, .. }) = futures.pop() {
        visits += 1;
        // With very many slots, futures that ask the same questions are not worth the time to find them.
        if visits > if slots > MANY { 2 * slots } else { 20 * slots + 1000 } {
            break;
        }
        let mut search = S::clone(&search);
        if let Some(told) = told {
            search.tell(Answer::from(told));
        }
        let question = loop {
            let Ask::Test(question) = search.ask() else { break None };
            match known.get(&key(&question)) {
                Some(outcome) => search.tell(Answer::from(*outcome)),
                None => break Some(question),
            }
        };
        let Some(question) = question else { continue };
        // Several futures can ask the same question, which takes one slot.
        let is_in = round.questions.contains_key(&key(&question));
        if !is_in && round.questions.len() == slots {
            continue;
        }
        round.expected += chance;
        let search = Rc::new(search);
        for outcome in outcomes::<S>() {
            let odds = match S::SEES_UNRESOLVED || outcome == Outcome::Fail {
                true => odds.of(&question, outcome),
                false => 1.0 - odds.of(&question, Outcome::Fail),
            };
            if chance * odds > NEGLIGIBLE {
                let number = futures.len() + visits * 4;
                futures.push(Future {
                    chance: chance * odds,
                    number,
                    search: Rc::clone(&search),
                    told: Some(outcome),
                });
            }
        }
        round.questions.insert(key(&question), question);
    }
    round
}

/// The answers that make a difference to the search.
fn outcomes<S: Search>() -> Vec<Outcome> {
    match S::SEES_UNRESOLVED {
        true => vec![Outcome::Pass, Outcome::Fail, Outcome::Unresolved],
        false => vec![Outcome::Pass, Outcome::Fail],
    }
}

impl<S> Ord for Future<S> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.chance.total_cmp(&other.chance).then(other.number.cmp(&self.number))
    }
}

impl<S> PartialOrd for Future<S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S> PartialEq for Future<S> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<S> Eq for Future<S> {}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_dd::{DeltaId, Difference, Step};

    /// Asks a million different questions, each of which fails with this probability.
    #[derive(Clone)]
    struct EvenOdds(Configuration, f64);

    impl Search for EvenOdds {
        type Finding = Difference;
        const SEES_UNRESOLVED: bool = false;

        fn ask(&self) -> Ask<Difference> {
            let question = Question::new(self.0.clone(), Step::Single);
            Ask::Test(Question { chance: Some(self.1), ..question })
        }

        fn tell(&mut self, answer: Answer) {
            let last = self.0.last().map_or(0, |last| last.0);
            let step = 1 + u32::from(answer.outcome == Outcome::Fail);
            self.0 = self.0.with_delta(DeltaId(last + step));
        }

        fn best_so_far(&self) -> &Configuration {
            &self.0
        }
    }

    fn expected(chance: f64, slots: usize) -> f64 {
        let search = EvenOdds(Configuration::empty(), chance);
        best_round(&search, &Odds::default(), &HashMap::new(), slots).expected
    }

    #[test]
    fn even_odds_give_one_answer_for_each_level_of_the_tree() {
        assert_eq!(expected(0.5, 1), 1.0);
        assert_eq!(expected(0.5, 3), 2.0);
        assert_eq!(expected(0.5, 127), 7.0);
        assert!((expected(0.5, 128) - 7.0).abs() < 0.01);
    }

    #[test]
    fn a_certain_answer_makes_each_slot_useful() {
        assert_eq!(expected(0.0, 32), 32.0);
        // The first four levels of the likely branch, and the first question of the other one.
        let chain: f64 = (0..4).map(|level| 0.8_f64.powi(level)).sum();
        assert!((expected(0.2, 4) - chain).abs() < 1e-9);
    }
}
