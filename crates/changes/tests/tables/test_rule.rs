//! What a test does, written as text: `c! | x -y` holds for a version with the word `c!`, or with `x` but not `y`.

use std::collections::BTreeSet;

/// Alternatives, each a list of words that have to be there, or not.
#[derive(Default)]
pub(crate) struct TestRule(Vec<Vec<(String, bool)>>);

impl TestRule {
    pub(crate) fn parse(text: &str) -> Self {
        let word = |word: &str| match word.strip_prefix('-') {
            Some(absent) => (absent.to_owned(), false),
            None => (word.to_owned(), true),
        };
        Self(text.split('|').map(|words| words.split_whitespace().map(word).collect()).collect())
    }

    pub(crate) fn holds(&self, words: &BTreeSet<String>) -> bool {
        self.0.iter().any(|all| all.iter().all(|(word, wanted)| words.contains(word) == *wanted))
    }
}
