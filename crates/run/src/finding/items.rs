//! Some of a list of items make the test fail.

use serde::{Deserialize, Serialize};

/// What `howcome items` finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemsFinding {
    /// The items that are enough to make the test fail, or, if both sides were searched, that decide whether it fails.
    pub items: Vec<String>,
    /// How many items the list has.
    #[serde(default)]
    pub of: Option<u64>,
    /// With `isolate`, the items with which the test passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passing: Option<Vec<String>>,
    /// With `isolate`, the same items and those that decide: the test fails with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<Vec<String>>,
}
