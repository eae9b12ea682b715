//! Searches for a chosen outcome instead of a failure.

use crate::{Answer, Ask, Outcome, Search, SearchWrapper};

/// A search that is told a failure if the outcome is the target, and a pass for every other test that ran. A configuration
/// that could not be run stays unresolved.
#[derive(Clone, Debug)]
pub struct TargetOutcome<S> {
    search: S,
    target: Outcome,
}

impl<S: Search> TargetOutcome<S> {
    /// Searches for an outcome with a search for failures.
    #[must_use]
    pub fn new(target: Outcome, search: S) -> Self {
        Self { search, target }
    }
}

impl<S: Search> SearchWrapper for TargetOutcome<S> {
    type Inner = S;
    type Finding = S::Finding;
    const SEES_UNRESOLVED: bool = true;

    fn inner(&self) -> &S {
        &self.search
    }

    fn outer_ask(&self, ask: Ask<S::Finding>) -> Ask<Self::Finding> {
        match ask {
            // The inner search estimates the chance of the target outcome, not of a failure.
            Ask::Test(mut question) => {
                question.chance = question.chance.filter(|_| self.target == Outcome::Fail);
                Ask::Test(question)
            }
            done @ Ask::Done(_) => done,
        }
    }

    fn outer_tell(&mut self, answer: Answer) {
        let outcome = match answer.outcome {
            outcome if outcome == self.target => Outcome::Fail,
            _ if answer.was_run => Outcome::Pass,
            _ => Outcome::Unresolved,
        };
        self.search.tell(Answer { outcome, ..answer });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Configuration, Knowledge, Narrow, drive};

    #[test]
    fn every_other_outcome_counts_as_a_pass() {
        let all = Configuration::all(16);
        let needed: Configuration = "5".parse().unwrap();
        for (target, other) in [(Outcome::Fail, Outcome::Unresolved), (Outcome::Pass, Outcome::Fail)] {
            let search = TargetOutcome::new(target, Narrow::new(all.clone()));
            let test = |asked: &Configuration| if needed.is_subset(asked) { target } else { other };
            let found = drive(search, &Configuration::empty(), &Knowledge::none(), test);
            assert_eq!(found.finding.failing, needed);
            assert!(found.told.len() <= 6, "{:?}", found.told);
        }
    }

    #[test]
    fn a_configuration_that_could_not_be_run_narrows_nothing() {
        let mut search = TargetOutcome::new(Outcome::Fail, Narrow::new(Configuration::all(2)));
        let before = search.best_difference();
        search.tell(Answer { was_run: false, ..Answer::from(Outcome::Unresolved) });
        assert_eq!(search.best_difference(), before);
    }
}
