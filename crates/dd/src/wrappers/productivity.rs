//! Ends a search that removes hardly anything any more, so that another search can try first.

use super::stop_early::{StopRule, ToldAnswer};
use crate::{Configuration, DeltaId, Difference, Search};
use std::collections::VecDeque;
use std::sync::Arc;

/// How many of the latest tests are considered.
const TESTS: usize = 40;
/// The latest tests together must remove at least one part in this many of the bytes.
const SHARE: u64 = 100;

/// Ends a search when its latest tests have removed too few bytes.
#[derive(Clone, Debug)]
pub struct Productivity {
    /// For each delta, the bytes that it and all earlier deltas remove together. `None` if the search is never stopped.
    sums: Option<Arc<[u64]>>,
    /// How many bytes there were at the start.
    bytes: u64,
    /// How many bytes each of the latest tests removed.
    gained: VecDeque<u64>,
}

impl Productivity {
    /// The search always runs to its end.
    #[must_use]
    pub fn any() -> Self {
        Self { sums: None, bytes: 0, gained: VecDeque::new() }
    }

    /// The deltas remove `gains` bytes each, of `bytes` in all.
    #[must_use]
    pub fn of(gains: impl Iterator<Item = u64>, bytes: u64) -> Self {
        let sums = gains.scan(0_u64, |sum, gain| {
            *sum = sum.saturating_add(gain);
            Some(*sum)
        });
        Self { sums: Some(sums.collect()), bytes, gained: VecDeque::new() }
    }

    /// The bytes that these deltas remove. Bytes of a delta inside another delta count twice, which does no harm.
    fn gain(sums: &[u64], gone: &Configuration) -> u64 {
        let before = |delta: u32| delta.checked_sub(1).map_or(0, |last| sums[DeltaId(last).index()]);
        gone.runs().map(|run| before(run.end) - before(run.start)).sum()
    }
}

impl StopRule for Productivity {
    type Finding = Difference;

    fn is_met(&self) -> bool {
        self.sums.is_some()
            && self.gained.len() >= TESTS
            && self.gained.iter().sum::<u64>().saturating_mul(SHARE) < self.bytes
    }

    fn told<S: Search>(&mut self, _search: &S, told: &ToldAnswer) {
        let Some(sums) = &self.sums else { return };
        self.gained.push_back(Self::gain(sums, &told.removed));
        if self.gained.len() > TESTS {
            self.gained.pop_front();
        }
    }

    fn conclude(&self, found: Result<Difference, Difference>) -> Difference {
        found.unwrap_or_else(|best| best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Ask, Balanced, Outcome, StopEarly};

    #[test]
    fn a_search_that_removes_nothing_is_stopped_unless_it_must_run_to_its_end() {
        let all = Configuration::all(1000);
        let asked = |mut search: StopEarly<Balanced, Productivity>| {
            let mut asked = 0;
            while let Ask::Test(_) = search.ask() {
                asked += 1;
                search.tell(Answer::from(Outcome::Pass));
            }
            asked
        };
        let gains = std::iter::repeat_n(1, 1000);
        assert_eq!(asked(StopEarly::new(Balanced::new(all.clone()), Productivity::of(gains, 1000))), TESTS);
        assert!(asked(StopEarly::new(Balanced::new(all), Productivity::any())) >= 1000);
    }
}
