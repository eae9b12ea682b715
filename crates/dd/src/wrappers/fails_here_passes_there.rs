//! A search for what fails on one side and passes on the other.

use crate::{Answer, Ask, DeltaId, Outcome, Question, Search, SearchWrapper};

/// Another search, to which a configuration fails only if it fails on one version and passes on another one.
///
/// One delta more than the search has, the last, stands for the other version: a configuration that holds it is tested there.
#[derive(Clone, Debug)]
pub struct FailsHerePassesThere<S> {
    search: S,
    other: DeltaId,
    /// Whether what is asked was seen to fail on the first side.
    fails: bool,
}

impl<S: Search> FailsHerePassesThere<S> {
    /// Asks both sides for what a search over so many deltas asks.
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
    fn what_fails_everywhere_has_lost_its_meaning_and_is_not_enough() {
        // Delta 2, the third, makes it fail on both sides unless delta 5 is there too, which makes the difference.
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
