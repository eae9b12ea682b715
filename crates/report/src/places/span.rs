//! Lines of a source file, for tools that show messages there.

use crate::finding::changes::ChangeWords;
use howcome_run::{FoundChange, QuotedLine, RunPlace};

/// Lines of a file, or the file as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceSpan {
    pub(crate) path: String,
    /// The first line and the last.
    pub(crate) lines: Option<(u64, u64)>,
    /// The text of these lines, if it is known.
    pub(crate) snippet: Option<String>,
}

impl SourceSpan {
    /// Where a change is in the bad version.
    pub(crate) fn of_change(change: &FoundChange) -> Self {
        let added: Vec<&str> = change.added.iter().map(|line| line.trim_end_matches(['\r', '\n'])).collect();
        let snippet = (!added.is_empty()).then(|| added.join("\n"));
        Self { path: change.path.clone(), lines: change.lines(), snippet }
    }

    /// A line of a program, with its text if it is among the given ones. `None` if the file is unknown.
    pub(crate) fn of_location(location: &RunPlace, source: &[QuotedLine]) -> Option<Self> {
        let line = location.line.filter(|line| *line > 0);
        let text = source.iter().find(|known| line.is_some() && known.line == line);
        let path = location.path.iter().chain([&location.file]).find(|path| !path.is_empty());
        path.map(|path| Self {
            path: path.clone(),
            lines: line.map(|line| (line, line)),
            snippet: text.map(|known| known.text.trim_end().to_owned()),
        })
    }

    /// From one line to another if both are in the same function, otherwise only the first.
    pub(crate) fn of_interval(from: &RunPlace, to: &RunPlace, source: &[QuotedLine]) -> Option<Self> {
        let span = Self::of_location(from, source)?;
        let is_within = from.file == to.file && from.function == to.function;
        match (span.lines, to.line) {
            (Some((first, _)), Some(last)) if is_within && first < last => {
                let is_inside =
                    |known: &&QuotedLine| known.line.is_some_and(|line| (first..=last).contains(&line));
                let inside: Vec<&str> =
                    source.iter().filter(is_inside).map(|known| known.text.trim_end()).collect();
                let is_whole = inside.len() as u64 == last - first + 1;
                Some(Self {
                    lines: Some((first, last)),
                    snippet: is_whole.then(|| inside.join("\n")),
                    ..span
                })
            }
            _ => Some(span),
        }
    }
}
