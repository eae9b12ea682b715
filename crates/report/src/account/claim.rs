//! A claim about a finding, and whether a test shows it.

/// A claim about the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whether a test shows it.
    pub standing: Standing,
    /// The claim: `added to v1.0, the test fails`.
    pub about: String,
    /// What the test showed: `exit code 1, 187 ms`.
    pub seen: String,
}

/// Whether a test shows a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A test shows it.
    Shown,
    /// It was not tested, or the test could not be judged.
    Open,
    /// A test contradicts it.
    Doubtful,
}
