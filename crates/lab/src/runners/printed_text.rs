//! The output of a run as text, without colours.

use crate::{Captured, Execution};
use std::path::Path;

/// What a run printed, as lines without colours. The order between the two streams is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintedText {
    /// The lines of the standard output.
    pub stdout: Vec<String>,
    /// The lines of the standard error.
    pub stderr: Vec<String>,
}

impl PrintedText {
    /// What an execution printed. Paths in its workspace are relative, because every test runs in another one and some runners
    /// name tests by their paths.
    #[must_use]
    pub fn of(execution: &Execution) -> Self {
        let relative =
            |captured| lines_of(captured).into_iter().map(|line| below(&execution.ran_in, line)).collect();
        Self { stdout: relative(&execution.stdout), stderr: relative(&execution.stderr) }
    }

    /// What a run printed to its two streams.
    #[must_use]
    pub fn of_streams(stdout: &[u8], stderr: &[u8]) -> Self {
        Self { stdout: lines_of(&Captured::whole(stdout)), stderr: lines_of(&Captured::whole(stderr)) }
    }

    /// Both streams, the standard output first.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.stdout.iter().chain(&self.stderr).map(String::as_str)
    }
}

/// The line with the paths below a folder made relative to it.
fn below(folder: &Path, line: String) -> String {
    let folder = folder.to_str().map(|folder| format!("{}/", folder.trim_end_matches('/')));
    match folder.filter(|folder| folder.len() > 1 && line.contains(folder.as_str())) {
        Some(folder) => line.replace(&folder, ""),
        None => line,
    }
}

fn lines_of(captured: &Captured) -> Vec<String> {
    let texts = captured.pieces().map(|piece| without_colours(&String::from_utf8_lossy(piece)));
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Removes the escape sequences with which terminals are told about colours and cursors. A line that was drawn several times is
/// what was drawn last.
#[must_use]
pub(crate) fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        plain.push_str(&rest[..at]);
        rest = after_escape(&rest[at + 1..]);
    }
    plain.push_str(rest);
    plain
}

/// The text after an escape sequence, whose escape character is gone already.
fn after_escape(text: &str) -> &str {
    let mut characters = text.char_indices();
    let end = match characters.next() {
        // `ESC [ parameters letter`: colours and cursors.
        Some((_, '[')) => characters.find(|(_, character)| ('@'..='~').contains(character)),
        // `ESC ] text BEL`, or `ESC ] text ESC \`: titles and links.
        Some((_, ']')) => characters.find(|(_, character)| matches!(character, '\u{7}' | '\\')),
        // `ESC ( B`: character sets, with which some terminals end colours.
        Some((_, '(' | ')')) => characters.next(),
        other => other,
    };
    end.map_or("", |(at, character)| &text[at + character.len_utf8()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_the_workspace_are_relative() {
        let line = |text: &str| below(Path::new("/tmp/w1"), text.to_owned());
        assert_eq!(line("not ok 1 - /tmp/w1/test/cart.test.js"), "not ok 1 - test/cart.test.js");
        assert_eq!(line("rootdir: /tmp/w1"), "rootdir: /tmp/w1");
        assert_eq!(below(Path::new("/"), "/a/b".to_owned()), "/a/b");
    }

    #[test]
    fn colours_and_links_are_removed() {
        assert_eq!(
            without_colours("\u{1b}[1;31mred\u{1b}[0m and \u{1b}[38;5;208morange\u{1b}[m"),
            "red and orange"
        );
        assert_eq!(without_colours("\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{7}"), "link");
        assert_eq!(without_colours("\u{1b}]0;title\u{1b}\\text"), "text");
        assert_eq!(without_colours("cut off \u{1b}[3"), "cut off ");
        assert_eq!(without_colours("\u{1b}[32mok\u{1b}(B\u{1b}[m"), "ok");
        assert_eq!(without_colours("plain"), "plain");
    }
}
