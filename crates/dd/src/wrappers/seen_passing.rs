//! Remembers what passed while a search looks for what fails.

use crate::{Answer, Ask, Configuration, Outcome, Search, SearchWrapper};

/// A search that also returns the configurations that passed.
#[derive(Clone, Debug)]
pub struct SeenPassing<S> {
    search: S,
    passed: Vec<Configuration>,
}

/// At most this many configurations are remembered.
const MOST_REMEMBERED: usize = 64;

impl<S: Search> SeenPassing<S> {
    /// Remembers what passes.
    #[must_use]
    pub fn new(search: S) -> Self {
        Self { search, passed: Vec::new() }
    }
}

impl<S: Search> SearchWrapper for SeenPassing<S> {
    type Inner = S;
    type Finding = (S::Finding, Vec<Configuration>);
    const SEES_UNRESOLVED: bool = true;

    fn inner(&self) -> &S {
        &self.search
    }

    fn outer_ask(&self, ask: Ask<S::Finding>) -> Ask<Self::Finding> {
        match ask {
            Ask::Test(question) => Ask::Test(question),
            Ask::Done(finding) => Ask::Done((finding, self.passed.clone())),
        }
    }

    fn outer_tell(&mut self, answer: Answer) {
        if let (Outcome::Pass, Ask::Test(question)) = (answer.outcome, self.search.ask())
            && self.passed.len() < MOST_REMEMBERED
        {
            self.passed.push(question.configuration);
        }
        self.search.tell(answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Knowledge, Narrow, drive};

    #[test]
    fn it_finds_the_same_and_returns_what_passed() {
        let all = Configuration::all(8);
        let test = |configuration: &Configuration| {
            let fails = "2,6".parse::<Configuration>().is_ok_and(|needed| needed.is_subset(configuration));
            if fails { Outcome::Fail } else { Outcome::Pass }
        };
        let plain = drive(Narrow::new(all.clone()), &all, &Knowledge::none(), test).finding;
        let (finding, passed) =
            drive(SeenPassing::new(Narrow::new(all.clone())), &all, &Knowledge::none(), test).finding;
        assert_eq!(finding, plain);
        assert!(!passed.is_empty());
        assert!(passed.iter().all(|passed| test(passed) == Outcome::Pass));
    }
}
