//! The name of a commit, for people.

use howcome_run::CommitInfo;
use howcome_run::words::{cut, printable};

const SHORT: usize = 7;
const SUBJECT_WIDTH: usize = 120;

/// How a commit is called.
pub(crate) trait CommitWords {
    /// Its short name: `3f2a91c`.
    fn short(&self) -> String;

    /// The first line of its message, if it is known.
    fn subject(&self) -> Option<String>;

    /// Its author and date, as far as they are known: `A U Thor, 2026-03-02`.
    fn signature(&self) -> Option<String>;

    /// Everything that is known of it: `3f2a91c "Accept the last column too" (A U Thor, 2026-03-02)`.
    fn title(&self) -> String;

    /// Enough to recognise it: `3f2a91c "Accept the last column too"`.
    fn name(&self) -> String;
}

impl CommitWords for CommitInfo {
    fn short(&self) -> String {
        match self.short.as_str() {
            "" => printable(&self.id.chars().take(SHORT).collect::<String>()),
            short => printable(short),
        }
    }

    fn subject(&self) -> Option<String> {
        (!self.subject.is_empty()).then(|| cut(&printable(&self.subject), SUBJECT_WIDTH))
    }

    fn signature(&self) -> Option<String> {
        let known: Vec<String> = [&self.author, &self.date]
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(|p| printable(p))
            .collect();
        (!known.is_empty()).then(|| known.join(", "))
    }

    fn title(&self) -> String {
        match self.signature() {
            Some(signature) => format!("{} ({signature})", self.name()),
            None => self.name(),
        }
    }

    fn name(&self) -> String {
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
        let bare = CommitInfo { id: "3f2a91c0aa".into(), ..CommitInfo::default() };
        assert_eq!(bare.title(), "3f2a91c");
        let dated = CommitInfo { date: "2026-03-02".into(), subject: "Fix\u{1b}[2J it".into(), ..bare };
        assert_eq!(dated.title(), "3f2a91c \"Fix\\u{1b}[2J it\" (2026-03-02)");
    }
}
