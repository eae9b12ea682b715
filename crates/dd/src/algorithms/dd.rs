//! dd (Zeller 1999, Algorithm 1): all failure-inducing deltas, if every outcome is resolved.
//!
//! ```text
//! dd(c)     = dd2(c, ∅)
//! dd2(c, r) = let c1, c2 be the halves of c
//!             c                                     if |c| = 1                  (found)
//!             dd2(c1, r)                            if test(c1 ∪ r) fails       (in c1)
//!             dd2(c2, r)                            if test(c2 ∪ r) fails       (in c2)
//!             dd2(c1, c2 ∪ r) ∪ dd2(c2, c1 ∪ r)     otherwise                   (interference)
//! ```

use crate::{Answer, Ask, Configuration, Difference, Outcome, Question, Search, Split, Step};

/// Halves the deltas. If neither half fails, it searches each half with the other half applied ("interference").
///
/// It asks for at most 2|c| − 2 tests. The finding is exact if outcomes are monotone, unambiguous and consistent. If they
/// are not, the finding might pass on its own, so check it with [`crate::Confirm`] before you call it a cause.
#[derive(Clone, Debug)]
pub struct Dd {
    split: Split,
    /// The calls of the paper's `dd2(c, r)` that are left. The last one is next.
    calls: Vec<DdCall>,
    found: Configuration,
    smallest_failing: Configuration,
}

#[derive(Clone, Debug)]
struct DdCall {
    halves: [Configuration; 2],
    remain: Configuration,
    in_second: bool,
}

impl Dd {
    /// Searches a configuration that fails. The empty configuration passes.
    #[must_use]
    pub fn new(failing: Configuration) -> Self {
        Self::with_split(failing, Split::Even)
    }

    /// The same with another way to split.
    #[must_use]
    pub fn with_split(failing: Configuration, split: Split) -> Self {
        let mut dd = Self {
            split,
            calls: Vec::new(),
            found: Configuration::empty(),
            smallest_failing: failing.clone(),
        };
        dd.call(failing, Configuration::empty());
        dd
    }

    fn call(&mut self, c: Configuration, remain: Configuration) {
        match c.len() {
            0 | 1 => self.found = self.found.with(&c), // found
            _ => {
                let parts = self.split.parts(&c, 2);
                self.calls.push(DdCall { halves: [parts.get(0), parts.get(1)], remain, in_second: false });
            }
        }
    }
}

impl Search for Dd {
    type Finding = Difference;
    const SEES_UNRESOLVED: bool = false;

    fn ask(&self) -> Ask<Difference> {
        match self.calls.last() {
            Some(DdCall { halves, remain, in_second }) => {
                Ask::Test(Question::new(halves[usize::from(*in_second)].with(remain), Step::Subset))
            }
            None => Ask::Done(Difference::from_nothing(self.found.clone())),
        }
    }

    fn tell(&mut self, answer: Answer) {
        let Some(DdCall { halves, remain, in_second }) = self.calls.pop() else { return };
        let half = &halves[usize::from(in_second)];
        match (answer.outcome, in_second) {
            // in c1, in c2
            (Outcome::Fail, _) => {
                let failing = half.with(&remain);
                if failing.len() < self.smallest_failing.len() {
                    self.smallest_failing = failing;
                }
                self.call(half.clone(), remain);
            }
            (_, false) => self.calls.push(DdCall { halves, remain, in_second: true }),
            // interference
            (_, true) => {
                let [first, second] = halves;
                self.call(second.clone(), first.with(&remain));
                self.call(first, second.with(&remain));
            }
        }
    }

    fn best_so_far(&self) -> &Configuration {
        &self.smallest_failing
    }

    fn questions_left(&self) -> Option<f64> {
        Some(
            self.calls
                .iter()
                .map(|call| 2.0 * (call.halves[0].len() as f64 + call.halves[1].len() as f64).log2())
                .sum(),
        )
    }
}
