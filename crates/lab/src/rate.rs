//! The failure rates that are possible after some runs.

use howcome_run::Tally;

/// A beta distribution: the rates that are possible after some runs, starting with Jeffreys' prior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rate {
    pub(crate) fails: f64,
    pub(crate) others: f64,
}

impl Rate {
    pub(crate) fn of(tally: &Tally) -> Self {
        Self { fails: f64::from(tally.fail) + 0.5, others: f64::from(tally.runs() - tally.fail) + 0.5 }
    }

    pub(crate) fn mean(self) -> f64 {
        self.fails / (self.fails + self.others)
    }

    /// The logarithm of the probability of these numbers of failures and other outcomes, in a given order.
    pub(crate) fn likelihood(self, fails: f64, others: f64) -> f64 {
        rising(self.fails, fails) + rising(self.others, others)
            - rising(self.fails + self.others, fails + others)
    }
}

/// The logarithm of `from * (from + 1) * …` with this number of factors.
fn rising(from: f64, factors: f64) -> f64 {
    let (mut sum, mut done) = (0.0, 0.0);
    while done < factors {
        sum += (from + done).ln();
        done += 1.0;
    }
    sum
}
