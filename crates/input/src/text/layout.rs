//! Lines, and how far they are indented.

use super::EncodedText;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// One line.
#[derive(Clone, Debug)]
pub(crate) struct TextLine {
    /// Its bytes, including the line end.
    pub(crate) range: Range<usize>,
    /// How wide the blanks before its first word are.
    pub(crate) indent: usize,
    /// Whether there is nothing on it.
    pub(crate) is_blank: bool,
    /// Whether it only closes something: `});`, `end`, `fi`, `</p>`.
    pub(crate) closes: bool,
    /// A hash of how it begins. All numbers count as 0: `[`, `-----BEGIN`, `0-0-0`.
    pub(crate) head: u64,
}

/// How many columns a tab has.
const TAB: usize = 8;
/// How many characters of a line count as its beginning.
const HEAD: usize = 16;

/// The lines of a text.
pub(crate) fn lines(text: EncodedText<'_>) -> Vec<TextLine> {
    let mut lines = Vec::new();
    let mut open: Option<OpenLine> = None;
    for character in text.characters() {
        let line = open.get_or_insert_with(|| OpenLine::at(character.start));
        line.read(character.is);
        if character.is == '\n' {
            lines.extend(open.take().map(|line| line.ended(character.end)));
        }
    }
    lines.extend(open.map(|line| line.ended(text.bytes().len())));
    lines
}

/// A line that is being read.
struct OpenLine {
    start: usize,
    indent: usize,
    /// How many of its characters are not blanks.
    length: usize,
    word: String,
    head: DefaultHasher,
    head_is_over: bool,
    last: char,
    only_closes: bool,
}

impl OpenLine {
    fn at(start: usize) -> Self {
        Self {
            start,
            indent: 0,
            length: 0,
            word: String::new(),
            head: DefaultHasher::new(),
            head_is_over: false,
            last: '\n',
            only_closes: true,
        }
    }

    fn read(&mut self, is: char) {
        if is.is_whitespace() {
            if self.length > 0 {
                self.head_is_over = true;
            } else {
                self.indent += if is == '\t' { TAB } else { 1 };
            }
            return;
        }
        self.length += 1;
        let is_punctuation = is.is_ascii_punctuation();
        if is.is_alphanumeric() && self.word.len() < 8 {
            self.word.push(is);
        } else if !is_punctuation || matches!(is, '(' | '[' | '{') {
            self.only_closes = false;
        }
        // The beginning is a word with the punctuation before it, or only punctuation: `[`, `\section`, `-----BEGIN`.
        let is_after_word =
            self.last.is_alphanumeric() && !is.is_alphanumeric() && !matches!(is, '-' | '_' | '.');
        let is_bracket = matches!(self.last, '[' | '<' | '(');
        self.head_is_over |= is_after_word || is_bracket || self.length > HEAD;
        let is = if is.is_numeric() { '0' } else { is };
        let repeats = is == '0' && self.last == '0';
        if !self.head_is_over && !repeats {
            is.hash(&mut self.head);
        }
        self.last = is;
    }

    fn ended(self, end: usize) -> TextLine {
        let is_closing_word =
            matches!(self.word.as_str(), "" | "end" | "fi" | "done" | "esac" | "else" | "endif");
        TextLine {
            range: self.start..end,
            indent: self.indent,
            is_blank: self.length == 0,
            closes: self.length > 0 && self.only_closes && is_closing_word,
            head: {
                let mut head = self.head;
                self.indent.hash(&mut head);
                head.finish()
            },
        }
    }
}
