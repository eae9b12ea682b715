//! ddmin (Zeller & Hildebrandt 2002): simplify a failing configuration.

use super::split::SplitParts;
use crate::{Answer, Ask, Configuration, Difference, Outcome, Question, Search, Split, Step};

/// Keeps a part or a complement that still fails, with ever smaller parts. The finding is 1-minimal in any world.
///
/// At most |c|² + 3|c| tests; [`crate::Balanced`] asks for the same with far fewer.
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
    /// Simplifies a configuration that fails, where nothing applied does not.
    #[must_use]
    pub fn new(failing: Configuration) -> Self {
        Self::with_split(failing, Split::Even)
    }

    /// The same along groups.
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
    /// Those of this round, as if none of them failed; nobody knows how many rounds will follow.
    fn questions_left(&self) -> Option<f64> {
        let n = self.parts.count();
        Some(match self.next {
            Some(DdminCase::Subset(i)) => (2 * n - i) as f64,
            Some(DdminCase::Complement(i)) => (n - i) as f64,
            None => 0.0,
        })
    }
}
