//! A part of an account that comes after the answer and its proof: sentences, and what they speak of.

use crate::account::Exhibit;

/// Sentences about one thing, and the lines that they speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What it is about, for those who have room for a title. The sentences can be understood without it.
    pub title: &'static str,
    /// What there is to say.
    pub sentences: Vec<String>,
    /// What the sentences speak of, short enough to be read where it stands.
    pub exhibits: Vec<Exhibit>,
    /// What is too long for that, for those who can fold it away.
    pub folded: Option<Exhibit>,
}
