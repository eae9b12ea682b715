//! A suggestion of what to do next.

/// A suggestion of what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextStep {
    /// What it is good for.
    pub purpose: String,
    /// A command that can be copied.
    pub command: Option<String>,
}
