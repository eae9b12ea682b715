//! What follows from the runs of one candidate.

use howcome_dd::Outcome;

/// What follows from the runs so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decision {
    /// Another run is needed.
    More,
    /// The outcome, and the probability that it is right; 1 where nothing was measured.
    Believe(Outcome, f64),
    /// The runs contradict each other, and more of them would not help.
    Contradiction,
}
