//! The probability that deltas are needed, learned from the deltas already decided: a Markov chain with two states.
//!
//! Needed deltas often come in clusters. So there are two probabilities: that a delta is needed after a needed delta, and
//! after one that is free (not needed). The first is a running count. The second decides how long a run can be removed at
//! once. It can be one in two or one in a million, so candidates of all orders of magnitude are kept, each with a weight
//! that depends on what was seen.

use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) struct Chances {
    /// Candidates for the probability that a delta is needed after a free one.
    odds: Arc<[OddsCandidate]>,
    after_needed: NeededCount,
    after_free: NeededCount,
    /// The weight of each candidate. The weights add up to one.
    weights: Vec<f64>,
}

#[derive(Clone, Debug)]
struct OddsCandidate {
    ln_prior: f64,
    ln_needed: f64,
    ln_free: f64,
}

#[derive(Clone, Copy, Debug)]
struct NeededCount {
    needed: f64,
    free: f64,
}

/// The deltas that the walk decides next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunAhead {
    /// Whether the last decided delta is needed.
    pub(crate) after_needed: bool,
    /// How many of the next deltas are known to contain a needed one.
    pub(crate) holds_one: Option<usize>,
    /// How many deltas are open.
    pub(crate) open: usize,
}

/// How many candidates there are per factor of two. More candidates did not save tests.
const PER_OCTAVE: f64 = 2.0;
/// The exponent of the prior: how fast larger probabilities become less likely. Values from 1 to 1.5 differ little.
const PRIOR_SLOPE: f64 = 1.2;
/// A weak prior: half of the deltas that follow a needed delta are needed.
const AFTER_NEEDED: NeededCount = NeededCount { needed: 0.4, free: 0.4 };

impl Chances {
    /// About one of `count` deltas is needed. More are possible, but less likely with each order of magnitude.
    pub(crate) fn few_needed(count: usize) -> Self {
        let lowest = 0.5 / count.max(1) as f64;
        let octaves = (0.75 / lowest).log2().max(0.0);
        let steps = (octaves * PER_OCTAVE).ceil() as usize;
        let odds = (0..=steps).map(|i| {
            let needed = (lowest * 2f64.powf(i as f64 / PER_OCTAVE)).min(0.9);
            OddsCandidate {
                ln_prior: -PRIOR_SLOPE * needed.ln(),
                ln_needed: needed.ln(),
                ln_free: (-needed).ln_1p(),
            }
        });
        Self::new(odds.collect(), AFTER_NEEDED)
    }

    /// Nearly all deltas are needed, because an earlier walk has kept them.
    pub(crate) fn most_needed() -> Self {
        let odds = (1..20).map(|i| {
            let needed = f64::from(i) / 20.0;
            OddsCandidate { ln_prior: 4.0 * needed, ln_needed: needed.ln(), ln_free: (-needed).ln_1p() }
        });
        Self::new(odds.collect(), NeededCount { needed: 1.8, free: 0.2 })
    }

    fn new(odds: Arc<[OddsCandidate]>, after_needed: NeededCount) -> Self {
        let mut chances = Self {
            odds,
            after_needed,
            after_free: NeededCount { needed: 0.0, free: 0.0 },
            weights: Vec::new(),
        };
        chances.weigh();
        chances
    }

    /// Learns that a run of deltas is free.
    pub(crate) fn learn_free(&mut self, after_needed: bool, count: usize) {
        if count > 0 {
            let after = if after_needed { 1 } else { 0 };
            self.after_needed.free += after as f64;
            self.after_free.free += (count - after) as f64;
            self.weigh();
        }
    }

    /// Learns that a delta is needed.
    pub(crate) fn learn_needed(&mut self, after_needed: bool) {
        if after_needed {
            self.after_needed.needed += 1.0;
        } else {
            self.after_free.needed += 1.0;
            self.weigh();
        }
    }

    fn weigh(&mut self) {
        let NeededCount { needed, free } = self.after_free;
        let ln_weight = |c: &OddsCandidate| c.ln_prior + needed * c.ln_needed + free * c.ln_free;
        let highest = self.odds.iter().map(ln_weight).fold(f64::NEG_INFINITY, f64::max);
        self.weights.clear();
        self.weights.extend(self.odds.iter().map(|candidate| (ln_weight(candidate) - highest).exp()));
        let sum: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight /= sum);
    }

    /// The length of the run whose chance to be free is closest to one half, and that chance.
    pub(crate) fn even_run(&self, ahead: RunAhead) -> (usize, f64) {
        // A run that is known to contain a needed delta cannot be free as a whole.
        let longest = ahead.holds_one.map_or(ahead.open, |held| held.saturating_sub(1)).max(1);
        let (mut low, mut high) = (1, longest);
        while low < high {
            let middle = (low + high).div_ceil(2);
            if self.free(ahead, middle) >= 0.5 {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        let (chance, longer) = (self.free(ahead, low), self.free(ahead, low + 1));
        if low < longest && (0.5 - longer).abs() < (0.5 - chance).abs() {
            (low + 1, longer)
        } else {
            (low, chance)
        }
    }

    /// The chance that the next `length` deltas are all free.
    fn free(&self, ahead: RunAhead, length: usize) -> f64 {
        let none = self.all_free(ahead.after_needed, length);
        match ahead.holds_one {
            None => none,
            Some(held) => {
                let none_held = self.all_free(ahead.after_needed, held);
                ((none - none_held) / (1.0 - none_held).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
            }
        }
    }

    /// An estimate of how many of `count` deltas are needed.
    pub(crate) fn expected_needed(&self, count: usize) -> f64 {
        let (after_needed, after_free) = self.odds();
        count as f64 * after_free / (1.0 - after_needed + after_free)
    }

    /// An estimate of how many tests it takes to decide `count` deltas: their entropy in bits.
    pub(crate) fn expected_tests(&self, count: usize) -> f64 {
        let bits =
            |p: f64| if p <= 0.0 || p >= 1.0 { 0.0 } else { -p * p.log2() - (1.0 - p) * (1.0 - p).log2() };
        let (after_needed, after_free) = self.odds();
        let needed = self.expected_needed(count);
        needed * bits(after_needed) + (count as f64 - needed) * bits(after_free)
    }

    /// The probability that a delta is needed after a needed delta, and after a free one.
    fn odds(&self) -> (f64, f64) {
        let NeededCount { needed, free } = self.after_needed;
        let mean: f64 =
            self.odds.iter().zip(&self.weights).map(|(c, weight)| weight * c.ln_needed.exp()).sum();
        (needed / (needed + free), mean)
    }

    fn all_free(&self, after_needed: bool, length: usize) -> f64 {
        let (first, rest) = if after_needed {
            let NeededCount { needed, free } = self.after_needed;
            (free / (needed + free), length - 1)
        } else {
            (1.0, length)
        };
        let rest = rest as f64;
        let mean: f64 =
            self.odds.iter().zip(&self.weights).map(|(c, weight)| weight * (rest * c.ln_free).exp()).sum();
        first * mean
    }
}
