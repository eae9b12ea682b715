//! Searches for a failure that another version does not have.

use crate::{Answer, Ask, DeltaId, Outcome, Question, Search, SearchWrapper};

/// A search that is told a failure only if the configuration fails on one version and passes on another version.
///
/// It first tests each configuration on the first version. If it fails, it tests the configuration on the other version.
/// One additional delta after all deltas of the search stands for the other version: a configuration that contains it is
/// tested there.
#[derive(Clone, Debug)]
pub struct FailsHerePassesThere<S> {
    search: S,
    other: DeltaId,
    /// Whether the current configuration failed on the first version.
    fails: bool,
}

impl<S: Search> FailsHerePassesThere<S> {
    /// Tests on both versions what a search over this many deltas asks.
    #[must_use]
    pub fn new(search: S, deltas: u32) -> Self {
        Self { search, other: DeltaId(deltas), fails: false }
    }
}

impl<S: Search> SearchWrapper for FailsHerePassesThere<S> {
    type Inner = S;
    type Finding = S::Finding;
    const SEES_UNRESOLVED: bool = true;

    fn inner(&self) -> &S {
        &self.search
    }

    fn outer_ask(&self, ask: Ask<S::Finding>) -> Ask<S::Finding> {
        match ask {
            Ask::Test(question) if self.fails => {
                let configuration = question.configuration.with_delta(self.other);
                Ask::Test(Question { chance: None, configuration, ..question })
            }
            ask => ask,
        }
    }

    fn outer_tell(&mut self, answer: Answer) {
        let outcome = match (self.fails, answer.outcome) {
            (false, Outcome::Fail) => {
                self.fails = matches!(self.search.ask(), Ask::Test(_));
                return;
            }
            (true, Outcome::Pass) => Outcome::Fail,
            _ => Outcome::Pass,
        };
        self.fails = false;
        self.search.tell(Answer { outcome, ..answer });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Balanced, Configuration, Knowledge, drive};

    #[test]
    fn a_configuration_that_fails_on_both_versions_is_not_enough() {
        // `DeltaId(2)` alone fails on both versions. Only with `DeltaId(5)` does the other version pass.
        let other = DeltaId(8);
        let test = |asked: &Configuration| match (asked.contains(DeltaId(2)), asked.contains(DeltaId(5))) {
            (true, true) if asked.contains(other) => Outcome::Pass,
            (true, _) => Outcome::Fail,
            _ => Outcome::Unresolved,
        };
        let search = FailsHerePassesThere::new(Balanced::new(Configuration::all(8)), 8);
        let found = drive(search, &Configuration::empty(), &Knowledge::none(), test);
        assert_eq!(found.finding.failing, "3,6".parse().unwrap());
    }
}
