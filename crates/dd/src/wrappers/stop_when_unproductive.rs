//! Stops a search that removes hardly anything any more, so that another search can try first.

use crate::{Answer, Ask, Configuration, DeltaId, Difference, Outcome, Search, SearchWrapper};
use std::collections::VecDeque;
use std::sync::Arc;

/// How many of the latest tests are considered.
const TESTS: usize = 40;
/// The latest tests together must remove at least one part in this many of the bytes.
const SHARE: u64 = 100;

/// A search that stops when its latest tests have removed too few bytes. It finds what it has found so far.
#[derive(Clone, Debug)]
pub struct StopWhenUnproductive<S> {
    search: S,
    /// For each delta, the bytes that it and all earlier deltas remove together. `None` if the search is never stopped.
    sums: Option<Arc<[u64]>>,
    /// How many bytes there were at the start.
    bytes: u64,
    /// How many bytes each of the latest tests removed.
    gained: VecDeque<u64>,
}

impl<S: Search<Finding = Difference>> StopWhenUnproductive<S> {
    /// A search that always runs to its end.
    #[must_use]
    pub fn never(search: S) -> Self {
        Self { search, sums: None, bytes: 0, gained: VecDeque::new() }
    }

    /// A search over deltas that remove `gains` bytes each, of `bytes` in all.
    #[must_use]
    pub fn new(search: S, gains: impl Iterator<Item = u64>, bytes: u64) -> Self {
        let sums = gains.scan(0_u64, |sum, gain| {
            *sum = sum.saturating_add(gain);
            Some(*sum)
        });
        Self { search, sums: Some(sums.collect()), bytes, gained: VecDeque::new() }
    }

    fn is_unproductive(&self) -> bool {
        self.sums.is_some()
            && self.gained.len() >= TESTS
            && self.gained.iter().sum::<u64>().saturating_mul(SHARE) < self.bytes
    }

    /// The bytes that these deltas remove. Bytes of a delta inside another delta count twice, which does no harm.
    fn gain(sums: &[u64], gone: &Configuration) -> u64 {
        let before = |delta: u32| delta.checked_sub(1).map_or(0, |last| sums[DeltaId(last).index()]);
        gone.runs().map(|run| before(run.end) - before(run.start)).sum()
    }
}

impl<S: Search<Finding = Difference>> SearchWrapper for StopWhenUnproductive<S> {
    type Inner = S;
    type Finding = Difference;
    const SEES_UNRESOLVED: bool = S::SEES_UNRESOLVED;

    fn inner(&self) -> &S {
        &self.search
    }

    fn outer_ask(&self, ask: Ask<Difference>) -> Ask<Difference> {
        if self.is_unproductive() { Ask::Done(self.search.best_difference()) } else { ask }
    }

    fn outer_tell(&mut self, answer: Answer) {
        if self.is_unproductive() {
            return;
        }
        let Some(sums) = &self.sums else { return self.search.tell(answer) };
        let before = (answer.outcome == Outcome::Fail).then(|| self.search.best_so_far().clone());
        self.search.tell(answer);
        let gone = before.map(|before| before.without(self.search.best_so_far()));
        self.gained.push_back(gone.map_or(0, |gone| Self::gain(sums, &gone)));
        if self.gained.len() > TESTS {
            self.gained.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Balanced;

    #[test]
    fn a_search_that_removes_nothing_is_stopped_unless_it_must_run_to_its_end() {
        let all = Configuration::all(1000);
        let asked = |mut search: StopWhenUnproductive<Balanced>| {
            let mut asked = 0;
            while let Ask::Test(_) = search.ask() {
                asked += 1;
                search.tell(Answer::from(Outcome::Pass));
            }
            asked
        };
        let gains = std::iter::repeat_n(1, 1000);
        assert_eq!(asked(StopWhenUnproductive::new(Balanced::new(all.clone()), gains, 1000)), TESTS);
        assert!(asked(StopWhenUnproductive::never(Balanced::new(all))) >= 1000);
    }
}
