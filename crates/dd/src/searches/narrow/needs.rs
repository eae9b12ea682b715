//! Which deltas need which others: a mix that lacks some is completed, or freed of what lacks them, before it is asked for.

use crate::{Configuration, DeltaId, Relation};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Deltas that others need.
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

    /// Takes in more of them. Whether any is news.
    pub(crate) fn learn(&mut self, relations: &[Relation]) -> bool {
        let mut is_news = false;
        for relation in relations {
            let Relation::Needs(one, other) = *relation else { continue };
            if self.needs.get(&one).is_some_and(|needed| needed.contains(&other)) {
                continue;
            }
            is_news = true;
            Arc::make_mut(&mut self.needs).entry(one).or_default().push(other);
            Arc::make_mut(&mut self.needed_by).entry(other).or_default().push(one);
        }
        is_news
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.needs.is_empty()
    }

    /// What a delta needs itself.
    pub(crate) fn of(&self, delta: DeltaId) -> impl Iterator<Item = DeltaId> + '_ {
        self.needs.get(&delta).into_iter().flatten().copied()
    }

    /// The mix with all that is needed, as far as that lies within another.
    pub(crate) fn completed(&self, mix: &Configuration, within: &Configuration) -> Configuration {
        self.spread(mix, &self.needs, within)
    }

    /// The nearest mix between two sides that lacks nothing: with what is needed; where that would be all, without what
    /// needs it. `None` where only the sides themselves are left.
    pub(crate) fn settle(
        &self,
        mix: Configuration,
        passing: &Configuration,
        failing: &Configuration,
    ) -> Option<Configuration> {
        if self.needs.is_empty() {
            return Some(mix);
        }
        let grown = self.spread(&mix, &self.needs, failing);
        if grown != *failing {
            return Some(grown);
        }
        let lacking = self.spread(&failing.without(&mix), &self.needed_by, failing);
        let shrunk = mix.without(&lacking).with(passing);
        (shrunk != *passing).then_some(shrunk)
    }

    /// All that can be reached from a configuration within another.
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

    fn settle(needs: &[(u32, u32)], mix: &str) -> Option<String> {
        let relations: Vec<Relation> =
            needs.iter().map(|(one, other)| Relation::Needs(DeltaId(one - 1), DeltaId(other - 1))).collect();
        let all = Configuration::all(4);
        let settled = Needs::new(&relations).settle(mix.parse().unwrap(), &Configuration::empty(), &all);
        settled.map(|settled| settled.to_string())
    }

    #[test]
    fn what_is_needed_comes_along() {
        assert_eq!(settle(&[(1, 3), (3, 4)], "1").as_deref(), Some("1,3-4"));
        assert_eq!(settle(&[(1, 3)], "3").as_deref(), Some("3"));
    }

    #[test]
    fn where_that_would_be_all_what_needs_it_goes() {
        assert_eq!(settle(&[(2, 3), (2, 4)], "1-2").as_deref(), Some("1"));
    }

    #[test]
    fn where_nothing_would_be_left_there_is_no_such_mix() {
        assert_eq!(settle(&[(1, 2), (2, 3), (3, 4), (4, 1)], "1-2"), None);
    }
}
