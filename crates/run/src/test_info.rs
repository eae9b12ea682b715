//! What a report says about the test: its command, what counts as the failure, and what was held.

use serde::{Deserialize, Serialize};

/// What is known about the test after the baseline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TestInfo {
    /// The command and its arguments, as the user gave them.
    pub command: Vec<String>,
    /// What counts as the failure, in words.
    pub signature: String,
    /// The files that are the same in every version, because they belong to the test.
    pub held: Vec<String>,
    /// Whether each test ran in a copy of the user's folder.
    #[serde(skip_serializing_if = "is_false")]
    pub in_copy: bool,
    /// The first and the last lines that the failing side printed.
    pub failing_output: String,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}
