//! Checks a finding before it is called a cause or minimal: alone, and without each single delta.

use crate::{Answer, Ask, Configuration, DeltaId, Difference, Outcome, Question, Search, Step};

/// Tests whether a finding fails on its own, and whether it still fails without each single one of its deltas.
#[derive(Clone, Debug)]
pub struct Confirm {
    difference: Difference,
    deltas: Configuration,
    confirmed: Confirmed,
    next: Option<usize>,
}

/// The result of the check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confirmed {
    /// Whether the failing configuration fails on its own.
    pub alone_fails: bool,
    /// The deltas without which it still fails.
    pub superfluous: Vec<DeltaId>,
    /// The deltas without which it passes. Without the others it is unresolved.
    pub decisive: Vec<DeltaId>,
}

impl Confirmed {
    /// Whether the finding fails and needs each of its deltas.
    #[must_use]
    pub fn is_minimal(&self) -> bool {
        self.alone_fails && self.superfluous.is_empty()
    }
}

impl Confirm {
    /// Checks a finding.
    #[must_use]
    pub fn new(difference: Difference) -> Self {
        let deltas = difference.deltas();
        Self { difference, deltas, confirmed: Confirmed::default(), next: None }
    }
}

impl Search for Confirm {
    type Finding = Confirmed;
    const SEES_UNRESOLVED: bool = true;

    fn ask(&self) -> Ask<Confirmed> {
        let failing = &self.difference.failing;
        match self.next {
            None => Ask::Test(Question { chance: Some(0.99), ..Question::new(failing.clone(), Step::Alone) }),
            Some(rank) => match self.deltas.get(rank) {
                Some(delta) => {
                    let without = failing.without_delta(delta);
                    Ask::Test(Question { chance: Some(0.01), ..Question::new(without, Step::Single) })
                }
                None => Ask::Done(self.confirmed.clone()),
            },
        }
    }

    fn tell(&mut self, answer: Answer) {
        let fails = answer.outcome == Outcome::Fail;
        match self.next {
            None => {
                self.confirmed.alone_fails = fails;
                // If the finding does not fail, it makes no sense to remove deltas from it.
                self.next = Some(if fails { 0 } else { self.deltas.len() });
            }
            Some(rank) => {
                let delta = self.deltas.get(rank);
                match answer.outcome {
                    Outcome::Fail => self.confirmed.superfluous.extend(delta),
                    Outcome::Pass => self.confirmed.decisive.extend(delta),
                    Outcome::Unresolved => {}
                }
                self.next = Some(rank + 1);
            }
        }
    }

    fn best_so_far(&self) -> &Configuration {
        &self.difference.failing
    }

    fn best_difference(&self) -> Difference {
        self.difference.clone()
    }

    fn questions_left(&self) -> Option<f64> {
        Some((self.deltas.len() + 1 - self.next.map_or(0, |rank| rank + 1)) as f64)
    }
}
