//! A finding is tested alone and by single removals before it is called a cause or minimal.

use crate::{Answer, Ask, Configuration, DeltaId, Difference, Outcome, Question, Search, Step};

/// Asks whether a finding fails on its own, and whether it still fails without any single one of its deltas.
#[derive(Clone, Debug)]
pub struct Confirm {
    difference: Difference,
    deltas: Configuration,
    confirmed: Confirmed,
    next: Option<usize>,
}

/// What the tests said of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confirmed {
    /// The failing configuration fails when it is tested by itself.
    pub alone_fails: bool,
    /// The deltas that turned out not to be needed.
    pub superfluous: Vec<DeltaId>,
}

impl Confirmed {
    /// Whether it fails, and nothing that was tried can be left out.
    #[must_use]
    pub fn is_minimal(&self) -> bool {
        self.alone_fails && self.superfluous.is_empty()
    }
}

impl Confirm {
    /// Confirms a finding.
    #[must_use]
    pub fn new(difference: Difference) -> Self {
        let deltas = difference.deltas();
        Self { difference, deltas, confirmed: Confirmed::default(), next: None }
    }
}

impl Search for Confirm {
    type Finding = Confirmed;
    const SEES_UNRESOLVED: bool = false;

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
                // Nothing is gained by taking away from what does not fail in the first place.
                self.next = Some(if fails { 0 } else { self.deltas.len() });
            }
            Some(rank) => {
                self.confirmed.superfluous.extend(self.deltas.get(rank).filter(|_| fails));
                self.next = Some(rank + 1);
            }
        }
    }

    fn best_so_far(&self) -> &Configuration {
        &self.difference.failing
    }
    fn questions_left(&self) -> Option<f64> {
        Some((self.deltas.len() + 1 - self.next.map_or(0, |rank| rank + 1)) as f64)
    }
}
