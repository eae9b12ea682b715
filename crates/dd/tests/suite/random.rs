//! Reproducible random numbers: the same cases in every run.

use proptest::test_runner::{Config, RngSeed};

/// A configuration with this many cases, the same in every run.
pub(crate) fn cases(count: u32) -> Config {
    Config { cases: count, failure_persistence: None, rng_seed: RngSeed::Fixed(1999), ..Config::default() }
}

/// SplitMix64, for instances that are too large to shrink.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        (self.word() % u64::from(bound)) as u32
    }
}
