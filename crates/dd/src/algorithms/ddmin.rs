//! ddmin (Zeller & Hildebrandt 2002): simplify a failing configuration.
//!
//! ```text
//! ddmin(c)     = ddmin2(c, 2)
//! ddmin2(c, n) = let Δ1, …, Δn be the parts of c
//!   ddmin2(Δi, 2)                      if test(Δi) fails for some i           (reduce to subset)
//!   ddmin2(c − Δi, max(n − 1, 2))      if test(c − Δi) fails for some i       (reduce to complement)
//!   ddmin2(c, min(|c|, 2n))            if n < |c|                             (increase granularity)
//!   c                                  otherwise                              (done)
//! ```

use super::split::SplitParts;
use crate::{Answer, Ask, Configuration, Difference, Outcome, Question, Search, Split, Step};

/// Keeps a part or a complement that still fails, with smaller and smaller parts. The finding is always 1-minimal.
///
/// It asks for at most |c|² + 3|c| tests. [`crate::Balanced`] promises the same with far fewer tests.
#[derive(Clone, Debug)]
pub struct Ddmin {
    split: Split,
    failing: Configuration,
    parts: SplitParts,
    next: Option<DdminCase>,
}

#[derive(Clone, Copy, Debug)]
enum DdminCase {
    Subset(usize),
    Complement(usize),
}

impl Ddmin {
    /// Simplifies a configuration that fails. The empty configuration does not fail.
    #[must_use]
    pub fn new(failing: Configuration) -> Self {
        Self::with_split(failing, Split::Even)
    }

    /// The same with another way to split.
    #[must_use]
    pub fn with_split(failing: Configuration, split: Split) -> Self {
        Self::at(failing, 2, split)
    }

    fn at(failing: Configuration, n: usize, split: Split) -> Self {
        let next = (failing.len() >= 2).then_some(DdminCase::Subset(0));
        let parts = split.parts(&failing, n.min(failing.len()));
        Self { split, failing, parts, next }
    }
}

impl Search for Ddmin {
    type Finding = Difference;
    const SEES_UNRESOLVED: bool = false;

    fn ask(&self) -> Ask<Difference> {
        match self.next {
            Some(DdminCase::Subset(i)) => Ask::Test(Question::new(self.parts.get(i), Step::Subset)),
            Some(DdminCase::Complement(i)) => {
                Ask::Test(Question::new(self.failing.without(&self.parts.get(i)), Step::Complement))
            }
            None => Ask::Done(Difference::from_nothing(self.failing.clone())),
        }
    }

    fn tell(&mut self, answer: Answer) {
        let Some(case) = self.next else { return };
        let (n, size) = (self.parts.count(), self.failing.len());
        let reduce_to = |failing: Configuration, n: usize| Self::at(failing, n, self.split.clone());
        match (case, answer.outcome) {
            // reduce to subset
            (DdminCase::Subset(i), Outcome::Fail) => *self = reduce_to(self.parts.get(i), 2),
            // reduce to complement
            (DdminCase::Complement(i), Outcome::Fail) => {
                *self = reduce_to(self.failing.without(&self.parts.get(i)), (n - 1).max(2));
            }
            (DdminCase::Subset(i), _) if i + 1 < n => self.next = Some(DdminCase::Subset(i + 1)),
            (DdminCase::Subset(_), _) => self.next = Some(DdminCase::Complement(0)),
            (DdminCase::Complement(i), _) if i + 1 < n => self.next = Some(DdminCase::Complement(i + 1)),
            // increase granularity
            _ if n < size => *self = reduce_to(self.failing.clone(), (2 * n).min(size)),
            // done
            _ => self.next = None,
        }
    }

    fn best_so_far(&self) -> &Configuration {
        &self.failing
    }

    /// The rest of this round if none of its tests fails. The number of further rounds is unknown.
    fn questions_left(&self) -> Option<f64> {
        let n = self.parts.count();
        Some(match self.next {
            Some(DdminCase::Subset(i)) => (2 * n - i) as f64,
            Some(DdminCase::Complement(i)) => (n - i) as f64,
            None => 0.0,
        })
    }
}
