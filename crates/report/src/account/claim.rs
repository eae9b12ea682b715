//! What is claimed of a finding, and how it stands.

/// Something that is claimed of the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// How it stands.
    pub standing: Standing,
    /// What it is about.
    pub about: String,
    /// What was seen.
    pub seen: String,
}

/// How a claim stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Shown by a test.
    Shown,
    /// Not tested.
    Open,
    /// A test showed otherwise.
    Doubtful,
}
