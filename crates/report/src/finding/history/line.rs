//! The revisions that were tested or skipped, in a line.

use crate::finding::history::HistoryReport;
use howcome_run::RevisionOutcome;
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};

impl HistoryReport {
    /// The revisions that were tested or skipped, each once, the oldest first. One that fails only with a patch counts as
    /// failing.
    pub(crate) fn sights(&self) -> BTreeMap<u64, RevisionOutcome> {
        let mut sights = BTreeMap::new();
        for tried in &self.tried {
            let known = sights.entry(tried.index).or_insert(tried.outcome);
            *known = tried.outcome.min(*known);
        }
        sights.retain(|_, sight| *sight != RevisionOutcome::Unknown);
        sights
    }

    /// The last revision that passes, and the first after it that fails.
    pub(crate) fn neighbours(&self) -> Option<(u64, u64)> {
        self.passing()?;
        if let (Some(passing), Some(failing)) = (self.passing_index, self.failing_index) {
            return (passing < failing).then_some((passing, failing));
        }
        let sights = self.sights();
        let (first_pass, _) = sights.iter().find(|(_, sight)| **sight == RevisionOutcome::Pass)?;
        let mut after = sights.range((Excluded(*first_pass), Unbounded));
        let (failing, _) = after.find(|(_, sight)| **sight == RevisionOutcome::Fail)?;
        let (passing, _) =
            sights.range(..failing).rev().find(|(_, sight)| **sight == RevisionOutcome::Pass)?;
        Some((*passing, *failing))
    }

    /// How many revisions between those two were skipped, because they could not be tested.
    pub(crate) fn skipped_between(&self) -> u64 {
        self.neighbours().map_or(0, |ends| self.tried_between(ends))
    }

    /// Whether the walk left out revisions between those two, because a version that passes was made from parts of others.
    pub(crate) fn leaves_out_revisions(&self) -> bool {
        self.neighbours()
            .is_some_and(|(passing, failing)| self.tried_between((passing, failing)) < failing - passing - 1)
    }

    fn tried_between(&self, (passing, failing): (u64, u64)) -> u64 {
        self.sights().range((Excluded(passing), Excluded(failing))).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn history(tried: serde_json::Value) -> HistoryReport {
        let record = json!({"passing_revision": "a", "failing_revision": "b", "tried": tried});
        HistoryReport::new(serde_json::from_value(record).unwrap())
    }

    #[test]
    fn neighbours_may_have_skipped_revisions_between_them() {
        let history = history(json!([
            {"index": 9, "outcome": "fail"}, {"index": 2, "outcome": "pass"}, {"index": 4, "outcome": "skipped"},
            {"index": 5, "outcome": "otherwise"}, {"index": 5, "outcome": "fail"}, {"index": 3, "outcome": "skipped"},
        ]));
        assert_eq!(history.neighbours(), Some((2, 5)));
        assert_eq!(history.skipped_between(), 2);
        assert!(!history.leaves_out_revisions());
    }

    #[test]
    fn what_older_revisions_did_with_other_patches_does_not_matter() {
        let tried = json!([{"index": 0, "outcome": "fail"}, {"index": 3, "outcome": "fail"}, {"index": 9, "outcome": "fail"}]);
        let record = json!({
            "passing_revision": "a", "failing_revision": "b", "passing_index": 0, "failing_index": 9, "tried": tried,
        });
        let history = HistoryReport::new(serde_json::from_value(record).unwrap());
        assert_eq!(history.neighbours(), Some((0, 9)));
        assert!(history.leaves_out_revisions());
    }

    #[test]
    fn a_walk_that_jumps_leaves_out_revisions() {
        let history = history(json!([{"index": 6, "outcome": "fail"}, {"index": 0, "outcome": "pass"}]));
        assert!(history.leaves_out_revisions());
        assert_eq!(history.skipped_between(), 0);
    }

    #[test]
    fn an_outcome_that_only_a_newer_version_knows_does_not_count() {
        let history = history(
            json!([{"index": u64::MAX, "outcome": "pass"}, {"index": 1, "outcome": "half"}, {"index": 2}]),
        );
        assert_eq!(history.sights().len(), 1);
        assert_eq!(history.neighbours(), None);
    }
}
