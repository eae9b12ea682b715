//! How often a test fails, and how probable such counts are if the failure rate is unknown.

use std::sync::LazyLock;

/// How often a test failed, and how often it passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailureCount {
    /// The runs that failed.
    pub fails: u32,
    /// The runs that passed.
    pub passes: u32,
}

impl FailureCount {
    /// The number of runs.
    #[must_use]
    pub fn runs(self) -> u32 {
        self.fails + self.passes
    }

    /// The runs of both counts.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self { fails: self.fails + other.fails, passes: self.passes + other.passes }
    }

    /// The same with one more run.
    #[must_use]
    pub(crate) fn with_run(self, fails: bool) -> Self {
        self.with(Self { fails: fails.into(), passes: (!fails).into() })
    }

    /// The probability that the next run fails, if nothing but these runs is known. The rate is unknown, with Jeffreys' prior.
    #[must_use]
    pub fn rate(self) -> f64 {
        (f64::from(self.fails) + 0.5) / (f64::from(self.runs()) + 1.0)
    }

    /// The logarithm of the probability of these runs in a given order, averaged over all failure rates with Jeffreys' prior:
    /// `B(fails + ½, passes + ½) / B(½, ½)`.
    #[must_use]
    pub fn log_likelihood(self) -> f64 {
        log_product(&FROM_HALF, 0.5, self.fails) + log_product(&FROM_HALF, 0.5, self.passes)
            - log_product(&FROM_ONE, 1.0, self.runs())
    }
}

/// Products of more factors than this are not kept.
const KEPT: usize = 4096;

static FROM_HALF: LazyLock<Vec<f64>> = LazyLock::new(|| log_products(0.5));
static FROM_ONE: LazyLock<Vec<f64>> = LazyLock::new(|| log_products(1.0));

/// For each number of factors, the logarithm of `from * (from + 1) * …`.
fn log_products(from: f64) -> Vec<f64> {
    let sums = (0..KEPT).scan(0.0, |sum, factor| {
        *sum += (from + factor as f64).ln();
        Some(*sum)
    });
    std::iter::once(0.0).chain(sums).collect()
}

fn log_product(kept: &[f64], from: f64, factors: u32) -> f64 {
    let factors = factors as usize;
    let more = (KEPT..factors).map(|factor| (from + factor as f64).ln());
    kept[factors.min(KEPT)] + more.sum::<f64>()
}
