//! Where in the line of revisions something was seen.

use crate::finding::history::{History, Made};
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};

/// What is known of a revision. What says more comes later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sight {
    /// It could not be tested at all.
    Skipped,
    /// It ended in another way than by the failure or a pass.
    Otherwise,
    /// It fails as the newest one does, perhaps with a patch.
    Fails,
    /// It passes, perhaps with a patch.
    Passes,
}

impl Sight {
    fn of(outcome: &str) -> Option<Self> {
        match outcome {
            "skipped" => Some(Sight::Skipped),
            "otherwise" => Some(Sight::Otherwise),
            "fail" => Some(Sight::Fails),
            "pass" => Some(Sight::Passes),
            _ => None,
        }
    }
}

impl History {
    /// The revisions that were looked at, each once, from the oldest on. One that ended otherwise and then failed with a
    /// patch counts as failing.
    pub(crate) fn sights(&self) -> BTreeMap<u64, Sight> {
        let mut sights = BTreeMap::new();
        for tried in &self.tried {
            let Some(sight) = Sight::of(&tried.outcome) else { continue };
            let known = sights.entry(tried.index).or_insert(sight);
            *known = sight.max(*known);
        }
        sights
    }

    /// The last revision that passes, and the first after it that fails.
    pub(crate) fn neighbours(&self) -> Option<(u64, u64)> {
        self.passing()?;
        let sights = self.sights();
        let (first_pass, _) = sights.iter().find(|(_, sight)| **sight == Sight::Passes)?;
        let mut after = sights.range((Excluded(*first_pass), Unbounded));
        let (failing, _) = after.find(|(_, sight)| **sight == Sight::Fails)?;
        let (passing, _) = sights.range(..failing).rev().find(|(_, sight)| **sight == Sight::Passes)?;
        Some((*passing, *failing))
    }

    /// How many revisions between those two were skipped.
    pub(crate) fn untested_between(&self) -> Option<u64> {
        self.neighbours().map(|(passing, failing)| failing - passing - 1)
    }

    /// The place of a revision at which a patch was made.
    pub(crate) fn place_of(&self, made: &Made) -> Option<u64> {
        let by_name = || {
            let same = self.tried.iter().find(|tried| tried.revision == made.revision);
            same.filter(|_| !made.revision.is_empty()).map(|tried| tried.index)
        };
        made.index.or_else(by_name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn history(tried: serde_json::Value) -> History {
        History::of(&json!({"passing_revision": "a", "failing_revision": "b", "tried": tried})).unwrap()
    }

    #[test]
    fn neighbours_may_have_skipped_revisions_between_them() {
        let history = history(json!([
            {"index": 9, "outcome": "fail"}, {"index": 2, "outcome": "pass"}, {"index": 4, "outcome": "skipped"},
            {"index": 5, "outcome": "otherwise"}, {"index": 5, "outcome": "fail"}, {"index": 3, "outcome": "skipped"},
        ]));
        assert_eq!(history.neighbours(), Some((2, 5)));
        assert_eq!(history.untested_between(), Some(2));
    }

    #[test]
    fn what_was_seen_of_a_revision_in_other_words_does_not_count() {
        let history =
            history(json!([{"index": u64::MAX, "outcome": "pass"}, {"index": 1}, {"index": -1}, 3, null]));
        assert_eq!(history.sights().len(), 1);
        assert_eq!(history.neighbours(), None);
    }
}
