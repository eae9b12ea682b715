//! The first of several changes that decides both ways: without it the failing side passes, and with nothing else the passing
//! side fails.

use crate::{Answer, Ask, Configuration, DeltaId, Outcome, Question, Search, Step};

/// Tries changes one after the other, each on both sides.
///
/// Each change has two configurations of one delta: delta 2n is the failing side without change n, and delta 2n + 1 is the passing
/// side with only change n. The second is asked for only if the first passes.
#[derive(Clone, Debug)]
pub struct BothWays {
    changes: u32,
    /// The change that is tried.
    at: u32,
    is_adding: bool,
    found: DecidingChange,
    /// How many more changes are tried after one without which the failing side passes.
    more: u32,
    /// How many unresolved answers in a row there were without a change.
    unresolved: u32,
    best: Configuration,
}

/// After this many changes in a row without which the failing side cannot be judged, no others are tried: code of which hardly anything can
/// be left out.
const MOST_UNRESOLVED: u32 = 6;

/// What a search for a change that decides both ways has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecidingChange {
    /// The change that decides both ways.
    pub both_ways: Option<u32>,
    /// The first change without which the failing side passes.
    pub without: Option<u32>,
}

impl BothWays {
    /// Tries this many changes in order. After a change without which the failing side passes, at most `more` others are tried.
    #[must_use]
    pub fn new(changes: u32, more: u32) -> Self {
        let found = DecidingChange::default();
        Self { changes, at: 0, is_adding: false, found, more, unresolved: 0, best: Configuration::empty() }
    }

    fn next_change(&mut self) {
        (self.at, self.is_adding) = (self.at + 1, false);
        if self.found.without.is_some() {
            match self.more.checked_sub(1) {
                Some(more) => self.more = more,
                None => self.at = self.changes,
            }
        }
        if self.unresolved >= MOST_UNRESOLVED {
            self.at = self.changes;
        }
    }
}

impl Search for BothWays {
    type Finding = DecidingChange;
    const SEES_UNRESOLVED: bool = true;

    fn ask(&self) -> Ask<DecidingChange> {
        if self.at >= self.changes || self.found.both_ways.is_some() {
            return Ask::Done(self.found);
        }
        let delta = DeltaId(2 * self.at + u32::from(self.is_adding));
        let configuration = Configuration::empty().with_delta(delta);
        let (step, chance) = if self.is_adding { (Step::Alone, 0.9) } else { (Step::Single, 0.6) };
        Ask::Test(Question { chance: Some(chance), ..Question::new(configuration, step) })
    }

    fn tell(&mut self, answer: Answer) {
        if !self.is_adding && !answer.is_predicted {
            let is_unresolved = answer.outcome == Outcome::Unresolved;
            self.unresolved = if is_unresolved { self.unresolved + 1 } else { 0 };
        }
        match (self.is_adding, answer.outcome) {
            _ if matches!(self.ask(), Ask::Done(_)) => {}
            (false, Outcome::Pass) => {
                self.is_adding = true;
            }
            (true, Outcome::Fail) => {
                self.found.without.get_or_insert(self.at);
                self.found.both_ways = Some(self.at);
            }
            (true, _) => {
                self.found.without.get_or_insert(self.at);
                self.next_change();
            }
            (false, _) => self.next_change(),
        }
    }

    fn best_so_far(&self) -> &Configuration {
        &self.best
    }

    fn questions_left(&self) -> Option<f64> {
        Some(f64::from(self.changes.saturating_sub(self.at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is asked, given the outcomes of the two sides of each change, and what is found.
    fn conversation(outcomes: &[[Outcome; 2]], more: u32) -> (Vec<u32>, DecidingChange) {
        let mut search = BothWays::new(outcomes.len() as u32, more);
        let mut asked = Vec::new();
        loop {
            match search.ask() {
                Ask::Done(found) => return (asked, found),
                Ask::Test(question) => {
                    let delta = question.configuration.first_from(DeltaId(0)).unwrap().0;
                    asked.push(delta);
                    search.tell(outcomes[delta as usize / 2][delta as usize % 2].into());
                }
            }
        }
    }

    use Outcome::{Fail, Pass, Unresolved};

    #[test]
    fn the_first_change_that_decides_both_ways_ends_the_search() {
        let (asked, found) = conversation(&[[Fail, Fail], [Unresolved, Fail], [Pass, Fail], [Pass, Fail]], 3);
        assert_eq!(asked, [0, 2, 4, 5]);
        assert_eq!(found, DecidingChange { both_ways: Some(2), without: Some(2) });
    }

    #[test]
    fn a_change_that_decides_one_way_is_remembered_and_few_others_are_tried() {
        let (asked, found) = conversation(&[[Pass, Pass], [Fail, Fail], [Pass, Unresolved], [Pass, Fail]], 2);
        assert_eq!(asked, [0, 1, 2, 4, 5]);
        assert_eq!(found, DecidingChange { both_ways: None, without: Some(0) });
    }

    #[test]
    fn changes_without_which_nothing_can_be_judged_end_the_search() {
        let mut outcomes = vec![[Unresolved, Fail]; 5];
        outcomes.push([Fail, Fail]);
        outcomes.extend([[Unresolved, Fail]; 6]);
        outcomes.push([Pass, Fail]);
        let (asked, found) = conversation(&outcomes, 3);
        assert_eq!(asked, (0..12).map(|change| 2 * change).collect::<Vec<_>>());
        assert_eq!(found, DecidingChange::default());
    }
}
