//! A suggestion of what to do next.

/// Something to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextStep {
    /// What for.
    pub purpose: String,
    /// The command for it.
    pub command: Option<String>,
}
