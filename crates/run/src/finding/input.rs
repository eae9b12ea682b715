//! A smaller input that still makes the test fail.

use serde::{Deserialize, Serialize};

/// What `howcome input` finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFinding {
    /// The file or folder that the smaller input is written to.
    pub output: String,
    /// The size of the original input.
    pub bytes_before: u64,
    /// The size of the smaller input.
    pub bytes_after: u64,
    /// What each pass removed, the one that removed most first.
    #[serde(default)]
    pub passes: Vec<PassYield>,
    /// Candidates that failed differently.
    #[serde(default)]
    pub other_failures: Vec<OtherFailure>,
    /// With `--also`, candidates that met one of its conditions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<Vec<OtherFailure>>,
    /// The smaller input if it is a single file.
    #[serde(flatten)]
    pub preview: FilePreview,
    /// The first files of the smaller input if it is not a single file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<ReducedFile>>,
    /// How many files the smaller input has if it is not a single file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files_in_all: Option<u64>,
}

/// What the report shows of a file. At most one of the fields is set, and none for an empty preview.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePreview {
    /// The whole text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The beginning of a text that is too long to be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beginning: Option<String>,
    /// The first bytes of a file that is not text, as a hex dump.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dump: Option<String>,
}

/// A file of a smaller input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReducedFile {
    /// The path in the input.
    pub path: String,
    /// The size.
    pub bytes: u64,
    /// The content.
    #[serde(flatten)]
    pub preview: FilePreview,
}

/// What a pass removed, all its turns together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PassYield {
    /// The name of the pass.
    pub name: String,
    /// How many of its questions were answered by tests.
    pub tests: u64,
    /// How many bytes it removed.
    pub bytes: u64,
}

/// Candidates that did not show the failure in question but something else of interest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherFailure {
    /// What was seen.
    pub what: String,
    /// How many tests showed it.
    pub tests: u64,
    /// The size of the smallest candidate that showed it.
    #[serde(default)]
    pub bytes: Option<u64>,
    /// The folder that this candidate is kept in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_in: Option<String>,
}
