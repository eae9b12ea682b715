//! dd+ (Zeller 1999, Algorithm 2): dd for configurations that can be unresolved.
//!
//! ```text
//! dd+(c)       = dd3(c, ∅, 2)
//! dd3(c, r, n) = let c1, …, cn be the parts of c, and c̄i = c − (ci ∪ r)
//!   c                                           if |c| = 1                                        (found)
//!   dd3(ci, r, 2)                               if test(ci ∪ r) fails for some i                  (found in ci)
//!   dd3(ci, c̄i ∪ r, 2) ∪ dd3(c̄i, ci ∪ r, 2)     if test(ci ∪ r) and test(c̄i ∪ r) pass             (interference)
//!   dd3(ci, c̄i ∪ r, 2)                          if test(ci ∪ r) is unresolved, test(c̄i ∪ r) passes (preference)
//!   dd3(c', r', min(|c'|, 2n))                  if n < |c|                                        (try again)
//!   c'                                          otherwise                                         (nothing left)
//! where c' = c ∩ ⋂ {c̄i | test(c̄i ∪ r) fails} and r' = r ∪ ⋃ {ci | test(ci ∪ r) passes}
//! ```

use super::split::SplitParts;
use crate::{Answer, Ask, Configuration, Difference, Outcome, Question, Search, Split, Step};

/// dd that splits into more and more parts when outcomes are unresolved.
///
/// If every outcome is resolved, monotone and unambiguous, it finds exactly the failure-inducing deltas, as [`crate::Dd`]
/// does. If not, check the finding with [`crate::Confirm`] before you call it a cause.
#[derive(Clone, Debug)]
pub struct DdPlus {
    split: Split,
    current: Option<DdPlusRound>,
    /// The calls of the paper's `dd3(c, r, n)` that are left. The last one is next.
    calls: Vec<(Configuration, Configuration)>,
    found: Configuration,
    smallest_failing: Configuration,
}

/// One call of `dd3(c, r, n)`: its parts and their outcomes so far.
#[derive(Clone, Debug)]
struct DdPlusRound {
    c: Configuration,
    remain: Configuration,
    parts: SplitParts,
    of_parts: Vec<Outcome>,
    of_complements: Vec<Outcome>,
}

impl DdPlusRound {
    /// The paper's `c̄i = c − (ci ∪ r)`.
    fn complement(&self, i: usize) -> Configuration {
        self.c.without(&self.parts.get(i).with(&self.remain))
    }

    fn first(&self, part: Outcome, complement: Outcome) -> Option<usize> {
        let seen = self.of_parts.iter().zip(&self.of_complements);
        seen.into_iter().position(|outcomes| outcomes == (&part, &complement))
    }
}

impl DdPlus {
    /// Searches a configuration that fails. The empty configuration passes.
    #[must_use]
    pub fn new(failing: Configuration) -> Self {
        Self::with_split(failing, Split::Even)
    }

    /// The same with another way to split.
    #[must_use]
    pub fn with_split(failing: Configuration, split: Split) -> Self {
        let mut search = Self {
            split,
            current: None,
            calls: vec![(failing.clone(), Configuration::empty())],
            found: Configuration::empty(),
            smallest_failing: failing,
        };
        search.next_call();
        search
    }

    fn next_call(&mut self) {
        self.current = None;
        while self.current.is_none() {
            let Some((c, remain)) = self.calls.pop() else { return };
            self.start(c, remain, 2);
        }
    }

    fn start(&mut self, c: Configuration, remain: Configuration, n: usize) {
        if c.len() <= 1 {
            self.found = self.found.with(&c); // found
            return;
        }
        let parts = self.split.parts(&c, n);
        self.current =
            Some(DdPlusRound { c, remain, parts, of_parts: Vec::new(), of_complements: Vec::new() });
    }

    fn conclude(&mut self, round: &DdPlusRound) {
        let n = round.parts.count();
        let complement = |i: usize| round.complement(i);
        let others = |i: usize| complement(i).with(&round.remain);
        if let Some(i) = round.first(Outcome::Pass, Outcome::Pass) {
            // interference
            self.calls.push((complement(i), round.parts.get(i).with(&round.remain)));
            self.calls.push((round.parts.get(i), others(i)));
        } else if let Some(i) = round.first(Outcome::Unresolved, Outcome::Pass) {
            // preference
            self.calls.push((round.parts.get(i), others(i)));
        } else {
            let (mut c, mut remain) = (round.c.clone(), round.remain.clone());
            for i in 0..n {
                if round.of_complements[i] == Outcome::Fail {
                    c = c.within(&complement(i));
                }
                if round.of_parts[i] == Outcome::Pass {
                    remain = remain.with(&round.parts.get(i));
                }
            }
            if c.is_empty() {
                self.found = self.found.with(&round.c); // our addition: the paper does not define an empty c'
            } else if n < round.c.len() {
                self.current = None;
                let n = c.len().min(2 * n);
                self.start(c, remain, n); // try again
                if self.current.is_some() {
                    return;
                }
            } else {
                self.found = self.found.with(&c); // nothing left
            }
        }
        self.next_call();
    }
}

impl Search for DdPlus {
    type Finding = Difference;
    const SEES_UNRESOLVED: bool = true;

    fn ask(&self) -> Ask<Difference> {
        let Some(round) = &self.current else {
            return Ask::Done(Difference::from_nothing(self.found.clone()));
        };
        Ask::Test(match round.of_parts.len() {
            i if i < round.parts.count() => {
                Question::new(round.parts.get(i).with(&round.remain), Step::Subset)
            }
            _ => {
                let complement = round.complement(round.of_complements.len());
                Question::new(complement.with(&round.remain), Step::Complement)
            }
        })
    }

    fn tell(&mut self, answer: Answer) {
        let Some(mut round) = self.current.take() else { return };
        let (n, i) = (round.parts.count(), round.of_parts.len());
        if i < n && answer.outcome == Outcome::Fail {
            // found in ci
            let failing = round.parts.get(i).with(&round.remain);
            if failing.len() < self.smallest_failing.len() {
                self.smallest_failing = failing;
            }
            self.calls.push((round.parts.get(i), round.remain));
            return self.next_call();
        }
        if i < n {
            round.of_parts.push(answer.outcome);
        } else {
            round.of_complements.push(answer.outcome);
        }
        if round.of_complements.len() == n {
            self.conclude(&round);
        } else {
            self.current = Some(round);
        }
    }

    fn best_so_far(&self) -> &Configuration {
        &self.smallest_failing
    }

    fn questions_left(&self) -> Option<f64> {
        Some({
            let sizes =
                self.calls.iter().map(|(c, _)| c.len()).chain(self.current.iter().map(|round| round.c.len()));
            sizes.map(|size| 2.0 * (size.max(1) as f64).log2()).sum()
        })
    }
}
