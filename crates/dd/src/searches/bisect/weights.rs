//! How likely each revision is the culprit, before any test.

use crate::{Configuration, DeltaId};
use std::ops::Range;
use std::sync::Arc;

/// One weight per revision, stored as sums, so that the weight of a run needs one subtraction.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// For each revision the weight of all earlier revisions, and at the end the total weight.
    before: Arc<[u64]>,
}

impl Weights {
    /// A weight that is 0 or missing counts as 1.
    pub(crate) fn new(weights: &[u32], revisions: u32) -> Self {
        let weight = |revision: u32| weights.get(revision as usize).map_or(1, |weight| (*weight).max(1));
        let sums = (0..revisions).scan(0, |sum, revision| {
            *sum += u64::from(weight(revision));
            Some(*sum)
        });
        Self { before: std::iter::once(0).chain(sums).collect() }
    }

    fn of_run(&self, run: Range<u32>) -> u64 {
        self.before[run.end as usize] - self.before[run.start as usize]
    }

    pub(crate) fn of(&self, revisions: &Configuration) -> u64 {
        revisions.runs().map(|run| self.of_run(run)).sum()
    }

    /// The revision that splits the weight of a run most evenly if it goes to the first part. It is never the last one.
    pub(crate) fn median(&self, run: Range<u32>) -> Option<DeltaId> {
        let last = run.end.checked_sub(2).filter(|last| run.start <= *last)?;
        let (before, all) = (self.before[run.start as usize], self.of_run(run.clone()));
        let up_to = |revision: u32| self.before[revision as usize + 1] - before;
        let sums = &self.before[run.start as usize + 1..run.end as usize];
        let below_half = sums.partition_point(|sum| 2 * (sum - before) < all) as u32;
        let upper = (run.start + below_half).min(last);
        let lower = upper.saturating_sub(1).max(run.start);
        let off = |revision: u32| (2 * up_to(revision)).abs_diff(all);
        Some(DeltaId(if off(lower) <= off(upper) { lower } else { upper }))
    }

    /// About `count` revisions at equal distances by weight, each with its predecessor. A test of the predecessor of a heavy
    /// revision tells as much as a test of the revision itself.
    pub(crate) fn sample(&self, revisions: &Configuration, count: usize) -> Vec<DeltaId> {
        let all = self.of(revisions) as f64;
        let mut sample = Vec::with_capacity(2 * count);
        let (mut weighed, mut taken) = (0, 0);
        let mut previous = None;
        for revision in revisions.iter() {
            weighed += self.of_run(revision.0..revision.0 + 1);
            let place = (weighed as f64 / all * count as f64) as usize;
            if place > taken {
                sample.extend(previous.filter(|previous| sample.last() != Some(previous)));
                sample.push(revision);
                taken = place;
            }
            previous = Some(revision);
        }
        sample
    }

    /// How many bits are missing to know the culprit among these revisions.
    pub(crate) fn entropy(&self, revisions: &Configuration) -> f64 {
        let all = self.of(revisions) as f64;
        let share = |revision: DeltaId| self.of_run(revision.0..revision.0 + 1) as f64 / all;
        revisions.iter().map(share).map(|share| -share * share.log2()).sum()
    }
}
