//! A search for one outcome, whatever the others mean.

use crate::{Answer, Ask, Configuration, Outcome, Search, SearchWrapper};

/// Another search, to which the outcome that is sought is the failure. Whatever was run and ended otherwise counts as a
/// pass, since it is not what is sought; what could not be run stays unresolved.
#[derive(Clone, Debug)]
pub struct TargetOutcome<S> {
    search: S,
    sought: Outcome,
    opposite: Option<Configuration>,
}

/// What was found, and what was seen on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetFinding<F> {
    /// What the search inside found.
    pub finding: F,
    /// The first configuration that has the opposite outcome: that passes where a failure is sought, or the other way round.
    pub opposite: Option<Configuration>,
}

impl<S: Search> TargetOutcome<S> {
    /// Seeks an outcome by means of a search for failures.
    #[must_use]
    pub fn new(sought: Outcome, search: S) -> Self {
        Self { search, sought, opposite: None }
    }
}

impl<S: Search> SearchWrapper for TargetOutcome<S> {
    type Inner = S;
    type Finding = TargetFinding<S::Finding>;
    const SEES_UNRESOLVED: bool = true;

    fn inner(&self) -> &S {
        &self.search
    }

    fn outer_ask(&self, ask: Ask<S::Finding>) -> Ask<Self::Finding> {
        match ask {
            // What the inner search holds for the chance of a failure is that of what is sought.
            Ask::Test(mut question) => {
                question.chance = question.chance.filter(|_| self.sought == Outcome::Fail);
                Ask::Test(question)
            }
            Ask::Done(finding) => Ask::Done(TargetFinding { finding, opposite: self.opposite.clone() }),
        }
    }

    fn outer_tell(&mut self, answer: Answer) {
        if let (None, Ask::Test(question)) = (&self.opposite, self.search.ask())
            && ![self.sought, Outcome::Unresolved].contains(&answer.outcome)
        {
            self.opposite = Some(question.configuration);
        }
        let outcome = match answer.outcome {
            outcome if outcome == self.sought => Outcome::Fail,
            _ if answer.was_run => Outcome::Pass,
            _ => Outcome::Unresolved,
        };
        self.search.tell(Answer { outcome, ..answer });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Knowledge, Narrow, drive};

    #[test]
    fn whatever_ends_otherwise_is_not_what_is_sought() {
        let all = Configuration::all(16);
        let needed: Configuration = "5".parse().unwrap();
        for (sought, other) in [(Outcome::Fail, Outcome::Unresolved), (Outcome::Pass, Outcome::Fail)] {
            let search = TargetOutcome::new(sought, Narrow::new(all.clone()));
            let test = |asked: &Configuration| if needed.is_subset(asked) { sought } else { other };
            let found = drive(search, &Configuration::empty(), &Knowledge::none(), test);
            assert_eq!(found.finding.finding.failing, needed);
            assert_eq!(found.finding.opposite.is_some(), other == Outcome::Fail);
            assert!(found.told.len() <= 6, "{:?}", found.told);
        }
    }

    #[test]
    fn what_could_not_be_run_is_neither() {
        let mut search = TargetOutcome::new(Outcome::Fail, Narrow::new(Configuration::all(2)));
        let before = search.best_difference();
        search.tell(Answer { was_run: false, ..Answer::from(Outcome::Unresolved) });
        assert_eq!(search.best_difference(), before);
    }
}
