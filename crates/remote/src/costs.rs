//! What tests and actions cost, as measured, and how many tests are worth one action.

use std::time::Duration;

/// How much a new measurement counts.
const WEIGHT: f64 = 0.3;

/// The measured costs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Costs {
    /// Seconds that an action takes besides its tests, and seconds of a test.
    measured: Option<(f64, f64)>,
}

impl Costs {
    /// Learns from an action that took `whole` for `tests` tests, which themselves took `tested`.
    pub(crate) fn learn(&mut self, whole: Duration, tested: Duration, tests: usize) {
        let besides = whole.saturating_sub(tested).as_secs_f64();
        let each = tested.as_secs_f64() / tests.max(1) as f64;
        let mix = |old: f64, new: f64| old + WEIGHT * (new - old);
        self.measured = Some(match self.measured {
            Some((old_besides, old_each)) => (mix(old_besides, besides), mix(old_each, each)),
            None => (besides, each),
        });
    }

    /// How many tests share an action: as many as take about as long as the action costs besides. So an answer comes at most
    /// about twice as late, and the cluster has far less to do.
    pub(crate) fn worth_packing(&self, most: usize) -> usize {
        let Some((besides, each)) = self.measured else { return 1 };
        let number = besides / each.max(1e-4);
        if number < 2.0 { 1 } else { (number as usize).clamp(1, most.max(1)) }
    }

    /// How long a test waits for others to share an action with.
    pub(crate) fn window(&self) -> Duration {
        let besides = self.measured.map_or(0.0, |(besides, _)| besides);
        Duration::from_secs_f64((besides / 8.0).clamp(0.001, 0.05))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(actions: &[(u64, u64)]) -> usize {
        let mut costs = Costs::default();
        for (whole, tested) in actions {
            costs.learn(Duration::from_millis(*whole), Duration::from_millis(*tested), 1);
        }
        costs.worth_packing(16)
    }

    #[test]
    fn quick_tests_share_an_action_and_slow_ones_do_not() {
        assert_eq!(after(&[]), 1, "nothing is known yet");
        assert_eq!(after(&[(100, 10)]), 9);
        assert_eq!(after(&[(100, 1)]), 16);
        assert_eq!(after(&[(1000, 900)]), 1);
    }

    #[test]
    fn the_packing_follows_the_measured_cost() {
        let slow_later: Vec<(u64, u64)> = [(100, 10)].into_iter().chain([(2000, 1900); 20]).collect();
        assert_eq!(after(&slow_later), 1);
    }
}
