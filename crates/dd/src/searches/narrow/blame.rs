//! What configurations have in common that are unresolved one after the other: probably that is what does not fit the rest.

use crate::Configuration;

/// What the latest unresolved configurations have in common, since the difference was last narrowed.
#[derive(Clone, Debug)]
pub(super) struct Blame {
    /// How many configurations in a row have it.
    count: u32,
    /// Deltas of the failing side that all of them lack.
    removed: Configuration,
    /// Deltas that all of them add to the passing side.
    added: Configuration,
}

/// Fewer unresolved configurations in a row can have something in common by chance.
const FEWEST: u32 = 3;

impl Blame {
    /// Nothing is known yet.
    pub(super) fn none() -> Self {
        Self { count: 0, removed: Configuration::empty(), added: Configuration::empty() }
    }

    /// An unresolved configuration between the two sides.
    pub(super) fn note(
        &mut self,
        unresolved: &Configuration,
        passing: &Configuration,
        failing: &Configuration,
    ) {
        let (removed, added) = (failing.without(unresolved), unresolved.without(passing));
        let common = (removed.within(&self.removed), added.within(&self.added));
        (self.count, self.removed, self.added) = match common.0.is_empty() && common.1.is_empty() {
            true => (1, removed, added),
            false => (self.count + 1, common.0, common.1),
        };
    }

    /// A configuration that has what is blamed too, with that left as it is on the nearer side.
    pub(super) fn spared(
        &self,
        asked: &Configuration,
        passing: &Configuration,
        failing: &Configuration,
    ) -> Option<Configuration> {
        if self.count < FEWEST {
            return None;
        }
        let (removed, added) = (failing.without(asked), asked.without(passing));
        let spares_removed = !self.removed.is_empty() && self.removed.is_subset(&removed);
        let spares_added = !self.added.is_empty() && self.added.is_subset(&added);
        match (spares_removed, spares_added) {
            (true, false) => Some(asked.with(&self.removed)),
            (true, true) if removed.len() <= added.len() => Some(asked.with(&self.removed)),
            (_, true) => Some(asked.without(&self.added)),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Configuration {
        text.parse().unwrap()
    }

    #[test]
    fn what_three_unresolved_configurations_lack_is_kept() {
        let (passing, failing) = (Configuration::empty(), set("1-20"));
        let mut blame = Blame::none();
        for unresolved in ["1-2,4-20", "1-2,6-20", "1-2,4-12"] {
            assert_eq!(blame.spared(&set("1-2,4-18"), &passing, &failing), None);
            blame.note(&set(unresolved), &passing, &failing);
        }
        assert_eq!(blame.spared(&set("1-2,4-18"), &passing, &failing), Some(set("1-18")));
        assert_eq!(blame.spared(&set("3-18"), &passing, &failing), None, "it does not lack it");
    }

    #[test]
    fn near_the_passing_side_what_was_added_goes() {
        let (passing, failing) = (Configuration::empty(), set("1-20"));
        let mut blame = Blame::none();
        for unresolved in ["3-5", "3,7", "3,9"] {
            blame.note(&set(unresolved), &passing, &failing);
        }
        assert_eq!(blame.spared(&set("3,12"), &passing, &failing), Some(set("12")));
    }

    #[test]
    fn configurations_with_nothing_in_common_blame_nothing() {
        let (passing, failing) = (Configuration::empty(), set("1-4"));
        let mut blame = Blame::none();
        for unresolved in ["1-2", "3-4", "1-2", "3-4"] {
            blame.note(&set(unresolved), &passing, &failing);
        }
        assert_eq!(blame.spared(&set("3"), &passing, &failing), None);
    }
}
