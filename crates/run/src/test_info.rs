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
    /// The first and the last lines that the failing side printed.
    pub failing_output: String,
}
