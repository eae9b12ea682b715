//! Ends a search after a number of tests.

use super::stop_early::{StopRule, ToldAnswer};
use crate::{Difference, Search};
use std::fmt;

/// Ends a search after a number of tests. Answers that are known without a test do not count.
#[derive(Clone, Debug)]
pub struct TestLimit {
    most: u32,
    tests: u32,
}

/// How a search with a limit has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestLimitFinding<F> {
    /// What the search has found, or the best so far if the limit ended it.
    pub finding: Result<F, Difference>,
    /// How many tests it took.
    pub tests: u32,
}

impl TestLimit {
    /// Allows `most` tests.
    #[must_use]
    pub fn new(most: u32) -> Self {
        Self { most, tests: 0 }
    }
}

impl<F: Clone + PartialEq + fmt::Debug> StopRule<F> for TestLimit {
    type Finding = TestLimitFinding<F>;

    fn is_met(&self) -> bool {
        self.tests >= self.most
    }

    fn told<S: Search>(&mut self, _search: &S, told: &ToldAnswer) {
        self.tests += u32::from(!told.is_predicted);
    }

    fn conclude(&self, finding: Result<F, Difference>) -> Self::Finding {
        TestLimitFinding { finding, tests: self.tests }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Configuration, Knowledge, Narrow, Outcome, StopEarly, drive};

    fn limited(most: u32) -> TestLimitFinding<Difference> {
        let all = Configuration::all(64);
        let needed: Configuration = "7".parse().unwrap();
        let search = StopEarly::new(Narrow::new(all.clone()), TestLimit::new(most));
        let test = |tested: &Configuration| match needed.is_subset(tested) {
            true => Outcome::Fail,
            false => Outcome::Pass,
        };
        drive(search, &all, &Knowledge::none(), test).finding
    }

    #[test]
    fn a_search_that_reaches_its_limit_ends_with_the_best_so_far() {
        let cut = limited(3);
        let best = cut.finding.unwrap_err();
        assert_eq!(cut.tests, 3);
        assert!(best.failing.len() > 1 && best.failing.len() < 64, "{best:?}");
    }

    #[test]
    fn a_search_below_its_limit_is_not_changed() {
        let found = limited(60);
        assert_eq!(found.finding.unwrap().failing.to_string(), "7");
        assert!(found.tests < 20);
    }
}
