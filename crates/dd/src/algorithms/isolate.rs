//! dd for isolation (Zeller 2002, "Isolating cause-effect chains", Figure 2).
//!
//! ```text
//! dd(c✓, c✗)     = dd2(c✓, c✗, 2)
//! dd2(c✓, c✗, n) = let Δ1, …, Δn be the parts of c✗ − c✓
//!   dd2(c✓, c✓ ∪ Δi, 2)                  if test(c✓ ∪ Δi) fails for some i         (case 1)
//!   dd2(c✗ − Δi, c✗, 2)                  if test(c✗ − Δi) passes for some i        (case 2)
//!   dd2(c✓ ∪ Δi, c✗, max(n − 1, 2))      if test(c✓ ∪ Δi) passes for some i        (case 3)
//!   dd2(c✓, c✗ − Δi, max(n − 1, 2))      if test(c✗ − Δi) fails for some i         (case 4)
//!   dd2(c✓, c✗, min(2n, |c✗ − c✓|))      if n < |c✗ − c✓|                          (case 5)
//!   (c✓, c✗)                             otherwise                                 (case 6)
//! ```

use super::split::SplitParts;
use crate::{Answer, Ask, Configuration, Difference, Outcome, Question, Search, Split, Step};

/// Narrows the difference between a passing and a failing configuration from both sides. The difference it finds is always
/// 1-minimal.
///
/// If every outcome is resolved, it is a binary search with ⌈log2|Δ|⌉ tests. It asks for at most |Δ|² + 3|Δ| tests.
#[derive(Clone, Debug)]
pub struct Isolate {
    split: Split,
    passing: Configuration,
    failing: Configuration,
    /// The paper's Δ1 … Δn.
    parts: SplitParts,
    added: Vec<Outcome>,
    removed: Vec<Outcome>,
    done: bool,
}

impl Isolate {
    /// Narrows the difference between two configurations. The passing one is a subset of the failing one.
    #[must_use]
    pub fn new(passing: Configuration, failing: Configuration) -> Self {
        Self::with_split(passing, failing, Split::Even)
    }

    /// The same with another way to split.
    #[must_use]
    pub fn with_split(passing: Configuration, failing: Configuration, split: Split) -> Self {
        Self::at(passing, failing, 2, split)
    }

    /// The same, starting with single deltas, for differences whose larger parts are known to be useless.
    #[must_use]
    pub fn finest(passing: Configuration, failing: Configuration) -> Self {
        let n = failing.without(&passing).len();
        Self::at(passing, failing, n, Split::Even)
    }

    fn at(passing: Configuration, failing: Configuration, n: usize, split: Split) -> Self {
        let difference = failing.without(&passing);
        let done = difference.len() < 2;
        let parts = split.parts(&difference, n.min(difference.len()));
        Self { split, passing, failing, parts, added: Vec::new(), removed: Vec::new(), done }
    }

    fn with_part(&self, i: usize) -> Configuration {
        self.passing.with(&self.parts.get(i))
    }

    fn without_part(&self, i: usize) -> Configuration {
        self.failing.without(&self.parts.get(i))
    }

    fn passing_side(&self, passing: Configuration, n: usize) -> Self {
        Self::at(passing, self.failing.clone(), n, self.split.clone())
    }

    fn failing_side(&self, failing: Configuration, n: usize) -> Self {
        Self::at(self.passing.clone(), failing, n, self.split.clone())
    }

    /// Each half is the complement of the other half, so one resolved test decides.
    fn tell_half(&mut self, outcome: Outcome) {
        let half = self.with_part(self.added.len());
        match outcome {
            Outcome::Fail => *self = self.failing_side(half, 2),
            Outcome::Pass => *self = self.passing_side(half, 2),
            Outcome::Unresolved => {
                self.added.push(outcome);
                if self.added.len() == 2 {
                    self.increase_granularity();
                }
            }
        }
    }

    fn tell_part(&mut self, outcome: Outcome) {
        let (n, i) = (self.parts.count(), self.added.len());
        if i < n {
            match outcome {
                Outcome::Fail => *self = self.failing_side(self.with_part(i), 2), // case 1
                _ => self.added.push(outcome),
            }
            return;
        }
        let i = self.removed.len();
        if outcome == Outcome::Pass {
            *self = self.passing_side(self.without_part(i), 2); // case 2
            return;
        }
        self.removed.push(outcome);
        if self.removed.len() == n {
            let fewer = (n - 1).max(2);
            if let Some(i) = self.added.iter().position(|outcome| *outcome == Outcome::Pass) {
                *self = self.passing_side(self.with_part(i), fewer); // case 3
            } else if let Some(i) = self.removed.iter().position(|outcome| *outcome == Outcome::Fail) {
                *self = self.failing_side(self.without_part(i), fewer); // case 4
            } else {
                self.increase_granularity();
            }
        }
    }

    fn increase_granularity(&mut self) {
        let (n, size) = (self.parts.count(), self.failing.len() - self.passing.len());
        if n < size {
            *self =
                Self::at(self.passing.clone(), self.failing.clone(), (2 * n).min(size), self.split.clone()); // case 5
        } else {
            self.done = true; // case 6
        }
    }
}

impl Search for Isolate {
    type Finding = Difference;
    const SEES_UNRESOLVED: bool = true;

    const KEEPS_WHAT_PASSES: bool = true;

    fn ask(&self) -> Ask<Difference> {
        if self.done {
            return Ask::Done(Difference { passing: self.passing.clone(), failing: self.failing.clone() });
        }
        Ask::Test(match self.added.len() {
            i if i < self.parts.count() => Question::new(self.with_part(i), Step::Subset),
            _ => Question::new(self.without_part(self.removed.len()), Step::Complement),
        })
    }

    fn tell(&mut self, answer: Answer) {
        match self.parts.count() {
            _ if self.done => {}
            2 => self.tell_half(answer.outcome),
            _ => self.tell_part(answer.outcome),
        }
    }

    fn best_so_far(&self) -> &Configuration {
        &self.failing
    }

    fn best_difference(&self) -> Difference {
        Difference { passing: self.passing.clone(), failing: self.failing.clone() }
    }

    fn left(&self) -> usize {
        self.failing.len() - self.passing.len()
    }

    fn questions_left(&self) -> Option<f64> {
        Some((self.left() as f64).log2())
    }
}
