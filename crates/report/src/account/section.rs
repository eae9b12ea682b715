//! A part of an account that comes after the answer and its proof.

use crate::account::Exhibit;

/// Sentences about one subject, and the lines that they describe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The title, for formats that have room for one. The sentences can be understood without it.
    pub title: &'static str,
    /// The sentences.
    pub sentences: Vec<String>,
    /// The lines that the sentences describe.
    pub exhibits: Vec<Exhibit>,
    /// Lines that are too long for that, for formats that can fold them away.
    pub folded: Option<Exhibit>,
}
