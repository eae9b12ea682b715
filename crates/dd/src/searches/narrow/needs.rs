//! Which deltas need which others. Before the search asks for a configuration that lacks a needed delta, it adds that
//! delta or removes the deltas that need it.

use crate::{Configuration, DeltaId, Relation};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Needs between deltas, in both directions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needs {
    needs: Arc<BTreeMap<DeltaId, Vec<DeltaId>>>,
    needed_by: Arc<BTreeMap<DeltaId, Vec<DeltaId>>>,
}

impl Needs {
    pub(crate) fn new(relations: &[Relation]) -> Self {
        let mut all = Self::default();
        all.learn(relations);
        all
    }

    /// Adds needs. Returns whether any of them is new.
    pub(crate) fn learn(&mut self, relations: &[Relation]) -> bool {
        let mut is_new = false;
        for relation in relations {
            let Relation::Needs(one, other) = *relation else { continue };
            if self.needs.get(&one).is_some_and(|needed| needed.contains(&other)) {
                continue;
            }
            is_new = true;
            Arc::make_mut(&mut self.needs).entry(one).or_default().push(other);
            Arc::make_mut(&mut self.needed_by).entry(other).or_default().push(one);
        }
        is_new
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.needs.is_empty()
    }

    /// The deltas that a delta needs directly.
    pub(crate) fn of(&self, delta: DeltaId) -> impl Iterator<Item = DeltaId> + '_ {
        self.needs.get(&delta).into_iter().flatten().copied()
    }

    /// The configuration with all deltas of `within` that it needs.
    pub(crate) fn completed(&self, configuration: &Configuration, within: &Configuration) -> Configuration {
        self.spread(configuration, &self.needs, within)
    }

    /// The configuration with all deltas of `within` that need it.
    pub(crate) fn dependents(&self, configuration: &Configuration, within: &Configuration) -> Configuration {
        self.spread(configuration, &self.needed_by, within)
    }

    /// A similar configuration between the two sides that lacks nothing. It has all the needed deltas. If these are all
    /// deltas of the failing side, it lacks the deltas that need them instead. `None` if only the sides are left.
    pub(crate) fn fulfil(
        &self,
        configuration: Configuration,
        passing: &Configuration,
        failing: &Configuration,
    ) -> Option<Configuration> {
        if self.needs.is_empty() {
            return Some(configuration);
        }
        let grown = self.spread(&configuration, &self.needs, failing);
        if grown != *failing {
            return Some(grown);
        }
        let lacking = self.dependents(&failing.without(&configuration), failing);
        let shrunk = configuration.without(&lacking).with(passing);
        (shrunk != *passing).then_some(shrunk)
    }

    /// All deltas of `within` that can be reached from a configuration.
    fn spread(
        &self,
        from: &Configuration,
        along: &BTreeMap<DeltaId, Vec<DeltaId>>,
        within: &Configuration,
    ) -> Configuration {
        let mut open: Vec<DeltaId> = from.iter().filter(|delta| along.contains_key(delta)).collect();
        let mut more = std::collections::BTreeSet::new();
        while let Some(delta) = open.pop() {
            for next in along.get(&delta).into_iter().flatten() {
                if within.contains(*next) && !from.contains(*next) && more.insert(*next) {
                    open.push(*next);
                }
            }
        }
        from.with(&more.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fulfil(needs: &[(u32, u32)], configuration: &str) -> Option<String> {
        let relations: Vec<Relation> =
            needs.iter().map(|(one, other)| Relation::Needs(DeltaId(one - 1), DeltaId(other - 1))).collect();
        let all = Configuration::all(4);
        let needs = Needs::new(&relations);
        let fulfilled = needs.fulfil(configuration.parse().unwrap(), &Configuration::empty(), &all);
        fulfilled.map(|fulfilled| fulfilled.to_string())
    }

    #[test]
    fn needed_deltas_are_added() {
        assert_eq!(fulfil(&[(1, 3), (3, 4)], "1").as_deref(), Some("1,3-4"));
        assert_eq!(fulfil(&[(1, 3)], "3").as_deref(), Some("3"));
    }

    #[test]
    fn deltas_whose_needs_would_be_all_deltas_are_removed() {
        assert_eq!(fulfil(&[(2, 3), (2, 4)], "1-2").as_deref(), Some("1"));
    }

    #[test]
    fn deltas_that_all_need_each_other_leave_no_configuration() {
        assert_eq!(fulfil(&[(1, 2), (2, 3), (3, 4), (4, 1)], "1-2"), None);
    }
}
