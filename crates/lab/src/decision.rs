//! The decision about a candidate after some runs.

use howcome_dd::Outcome;

/// What follows from the runs so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decision {
    /// Another run is needed.
    More,
    /// The outcome, and the probability that it is right. The probability is 1 if nothing was measured.
    Believe(Outcome, f64),
    /// The runs contradict each other, and more runs would not help.
    Contradiction,
}
