//! Ends a search after a number of tests.

use crate::{Answer, Ask, Difference, Search, SearchWrapper};

/// A search that ends after a number of tests. Answers that are known without a test do not count.
#[derive(Clone, Debug)]
pub struct TestLimit<S> {
    search: S,
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

impl<S: Search> TestLimit<S> {
    /// Allows `most` tests.
    #[must_use]
    pub fn new(search: S, most: u32) -> Self {
        Self { search, most, tests: 0 }
    }
}

impl<S: Search> SearchWrapper for TestLimit<S> {
    type Inner = S;
    type Finding = TestLimitFinding<S::Finding>;
    const SEES_UNRESOLVED: bool = S::SEES_UNRESOLVED;

    fn inner(&self) -> &S {
        &self.search
    }

    fn outer_ask(&self, ask: Ask<S::Finding>) -> Ask<Self::Finding> {
        let tests = self.tests;
        match ask {
            Ask::Done(finding) => Ask::Done(TestLimitFinding { finding: Ok(finding), tests }),
            Ask::Test(_) if tests >= self.most => {
                Ask::Done(TestLimitFinding { finding: Err(self.search.best_difference()), tests })
            }
            Ask::Test(question) => Ask::Test(question),
        }
    }

    fn outer_tell(&mut self, answer: Answer) {
        let Ask::Test(_) = self.ask() else { return };
        self.tests += u32::from(!answer.is_predicted);
        self.search.tell(answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Configuration, Knowledge, Narrow, Outcome, drive};

    fn limited(most: u32) -> TestLimitFinding<Difference> {
        let all = Configuration::all(64);
        let needed: Configuration = "7".parse().unwrap();
        let search = TestLimit::new(Narrow::new(all.clone()), most);
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
