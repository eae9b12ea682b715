//! Searches groups of deltas that belong together as if each were one delta, then what is in the groups that are left.

use crate::{Answer, Ask, Configuration, DeltaId, Difference, Question, Search};
use std::sync::Arc;

/// A search over groups of any deltas, and then over the deltas of the groups that it has found.
///
/// For deltas that are numbered group by group, [`CoarseToFine`](crate::CoarseToFine) has any number of levels.
#[derive(Clone, Debug)]
pub struct GroupsFirst<S> {
    search: S,
    start: fn(Configuration) -> S,
    /// The deltas of each unit, while units are searched.
    units: Option<Arc<[Configuration]>>,
    best: Configuration,
}

impl<S: Search<Finding = Difference>> GroupsFirst<S> {
    /// Searches a configuration that fails with the search that `start` makes. The groups must not overlap. A delta that is in
    /// no group is a unit of its own.
    #[must_use]
    pub fn new(failing: Configuration, groups: &[Configuration], start: fn(Configuration) -> S) -> Self {
        let mut units: Vec<Configuration> = groups.iter().map(|group| group.within(&failing)).collect();
        units.retain(|unit| unit.len() > 1);
        let grouped = units.iter().fold(Configuration::empty(), |all, unit| all.with(unit));
        units.extend(failing.without(&grouped).iter().map(|delta| Configuration::empty().with_delta(delta)));
        units.sort_by_key(|unit| unit.get(0));
        let search = start(Configuration::all(units.len() as u32));
        let mut groups_first = Self { search, start, units: Some(units.into()), best: failing };
        groups_first.go_on();
        groups_first
    }

    /// Goes on with single deltas when the search over units is done.
    fn go_on(&mut self) {
        let (Some(_), Ask::Done(found)) = (&self.units, self.search.ask()) else { return };
        let failing = self.deltas(&found.failing);
        self.units = None;
        self.best = failing.clone();
        self.search = (self.start)(failing);
    }

    fn deltas(&self, chosen: &Configuration) -> Configuration {
        match &self.units {
            Some(units) => {
                let unit = |unit: DeltaId| &units[unit.index()];
                chosen.iter().map(unit).fold(Configuration::empty(), |all, unit| all.with(unit))
            }
            None => chosen.clone(),
        }
    }
}

impl<S: Search<Finding = Difference>> Search for GroupsFirst<S> {
    type Finding = Difference;
    const SEES_UNRESOLVED: bool = S::SEES_UNRESOLVED;

    fn ask(&self) -> Ask<Difference> {
        match self.search.ask() {
            Ask::Test(question) => {
                let configuration = self.deltas(&question.configuration);
                Ask::Test(Question { configuration, ..question })
            }
            done => done,
        }
    }

    fn tell(&mut self, answer: Answer) {
        self.search.tell(answer);
        self.best = self.deltas(self.search.best_so_far());
        self.go_on();
    }

    fn best_so_far(&self) -> &Configuration {
        &self.best
    }

    fn questions_left(&self) -> Option<f64> {
        self.search.questions_left()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Balanced, Knowledge, Outcome, drive};

    #[test]
    fn a_group_is_split_only_when_the_others_are_gone() {
        let all = Configuration::all(64);
        let group: Configuration = "3,17,40,61".parse().unwrap();
        let cause: Configuration = "40".parse().unwrap();
        let search = GroupsFirst::new(all.clone(), std::slice::from_ref(&group), Balanced::new);
        let found = drive(search, &all, &Knowledge::none(), |asked| {
            if cause.is_subset(asked) { Outcome::Fail } else { Outcome::Pass }
        });
        assert_eq!(found.finding, Difference::from_nothing(cause));
        let splits = |asked: &Configuration| {
            let held = asked.within(&group).len();
            held != 0 && held != group.len()
        };
        let first = found.told.iter().position(|(asked, _)| splits(asked)).unwrap();
        assert!(found.told[first..].iter().all(|(asked, _)| asked.is_subset(&group)));
    }
}
