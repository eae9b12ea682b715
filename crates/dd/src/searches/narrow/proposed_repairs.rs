//! Configurations that a domain proposes to try instead of an unresolved one (the failure resolution loop).

use crate::Configuration;

/// The repairs for one question. Those of the latest answer come first, so that a repair that is unresolved is itself
/// repaired before the next one is tried.
#[derive(Clone, Debug)]
pub(crate) struct ProposedRepairs {
    most: u32,
    left: u32,
    /// The last one is next.
    proposed: Vec<Configuration>,
    /// The fewest problems so far, if they are counted.
    fewest: Option<u32>,
    /// How many answers in a row had no fewer problems.
    in_vain: u32,
}

/// After this many repairs in a row that leave as many problems, no others are tried.
const MOST_IN_VAIN: u32 = 6;

impl ProposedRepairs {
    /// Tries at most this many repairs for one question.
    pub(crate) fn new(most: u32) -> Self {
        Self { most, left: most, proposed: Vec::new(), fewest: None, in_vain: 0 }
    }

    /// Adds the repairs of an answer, the best first.
    pub(crate) fn propose(&mut self, repairs: Vec<Configuration>, problems: Option<u32>) {
        match (problems, self.fewest) {
            (Some(problems), Some(fewest)) if problems >= fewest => self.in_vain += 1,
            (Some(problems), _) => (self.fewest, self.in_vain) = (Some(problems), 0),
            (None, _) => {}
        }
        if self.in_vain >= MOST_IN_VAIN {
            self.left = 0;
        }
        self.proposed.extend(repairs.into_iter().rev());
    }

    /// The next usable repair, in the form that `usable` gives it.
    pub(crate) fn next(
        &mut self,
        usable: impl Fn(&Configuration) -> Option<Configuration>,
    ) -> Option<Configuration> {
        while self.left > 0 {
            let repair = self.proposed.pop()?;
            if let Some(repair) = usable(&repair) {
                self.left -= 1;
                return Some(repair);
            }
        }
        None
    }

    /// Starts over for another question.
    pub(crate) fn forget(&mut self) {
        *self = Self::new(self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repairs_that_leave_as_many_problems_end_the_repairs() {
        let tried = |problems: &[u32]| {
            let mut repairs = ProposedRepairs::new(12);
            let tried = problems.iter().zip(1..).take_while(|(problems, number)| {
                repairs.propose(vec![Configuration::all(*number)], Some(**problems));
                repairs.next(|repair| Some(repair.clone())).is_some()
            });
            tried.count()
        };
        assert_eq!(tried(&[9, 8, 7, 6, 5, 4, 3]), 7);
        assert_eq!(tried(&[9, 9, 8, 9, 9, 7, 8]), 7, "now and then, problems show others");
        assert_eq!(tried(&[9, 9, 10, 9, 9, 11, 10, 1]), 6);
    }
}
