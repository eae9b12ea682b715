//! A commit, as people know it.

use crate::lenient::lenient;
use howcome_run::words::{cut, printable};
use serde::Deserialize;

/// Who changed something, when and why. What is not known is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Commit {
    /// Its name, in full.
    #[serde(deserialize_with = "lenient")]
    pub id: String,
    /// As much of the name as tells it from the others.
    #[serde(deserialize_with = "lenient")]
    pub short: String,
    /// Who wrote it.
    #[serde(deserialize_with = "lenient")]
    pub author: String,
    /// Where to write to them.
    #[serde(deserialize_with = "lenient")]
    pub email: String,
    /// The day it was written.
    #[serde(deserialize_with = "lenient")]
    pub date: String,
    /// The first line of its message.
    #[serde(deserialize_with = "lenient")]
    pub subject: String,
}

const SHORT: usize = 7;
const SUBJECT_WIDTH: usize = 120;

impl Commit {
    /// A commit of which nothing else is known.
    pub(crate) fn unknown(id: &str) -> Self {
        Self { id: id.to_owned(), ..Self::default() }
    }

    /// Its short name: `3f2a91c`.
    #[must_use]
    pub fn short(&self) -> String {
        match self.short.as_str() {
            "" => printable(&self.id.chars().take(SHORT).collect::<String>()),
            short => printable(short),
        }
    }

    /// The first line of its message, where it is known.
    #[must_use]
    pub fn subject(&self) -> Option<String> {
        (!self.subject.is_empty()).then(|| cut(&printable(&self.subject), SUBJECT_WIDTH))
    }

    /// Its author and date, as far as they are known: `A U Thor, 2026-03-02`.
    #[must_use]
    pub fn signature(&self) -> Option<String> {
        let known: Vec<String> = [&self.author, &self.date]
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(|p| printable(p))
            .collect();
        (!known.is_empty()).then(|| known.join(", "))
    }

    /// Everything that people call it by: `3f2a91c "Accept the last column too" (A U Thor, 2026-03-02)`.
    #[must_use]
    pub fn title(&self) -> String {
        match self.signature() {
            Some(signature) => format!("{} ({signature})", self.name()),
            None => self.name(),
        }
    }

    /// Enough to recognise it: `3f2a91c "Accept the last column too"`.
    #[must_use]
    pub fn name(&self) -> String {
        match self.subject() {
            Some(subject) => format!("{} \"{subject}\"", self.short()),
            None => self.short(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_called_by_what_is_known_of_it() {
        let bare = Commit::unknown("3f2a91c0aa");
        assert_eq!(bare.title(), "3f2a91c");
        let dated =
            Commit { date: "2026-03-02".into(), subject: "Fix\u{1b}[2J it".to_owned().into(), ..bare };
        assert_eq!(dated.title(), "3f2a91c \"Fix\\u{1b}[2J it\" (2026-03-02)");
    }
}
