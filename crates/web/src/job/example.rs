//! Samples that are one click away.

use super::submission::Submission;

/// A failure to try the service with.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its name in addresses.
    pub name: String,
    /// What is the matter, in one sentence.
    pub story: String,
    /// The question.
    pub submission: Submission,
    /// Its files: name and content. All of them can be run.
    pub files: Vec<(String, Vec<u8>)>,
}
