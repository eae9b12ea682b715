//! Words, blanks and punctuation.

use super::Text;
use std::ops::Range;

/// A word, a run of blanks, the end of a line, or another single character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    /// What it is.
    pub(crate) kind: Kind,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Letters, digits and what joins them.
    Word,
    /// Blanks within a line.
    Blank,
    /// The end of a line.
    LineEnd,
    /// Anything else.
    Mark,
}

/// All words of a text and what is between them.
pub(crate) fn words(text: Text<'_>) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for character in text.characters() {
        let kind = match character.is {
            '\n' => Kind::LineEnd,
            is if is.is_whitespace() => Kind::Blank,
            is if is.is_alphanumeric() || is == '_' => Kind::Word,
            _ => Kind::Mark,
        };
        match words.last_mut() {
            Some(word) if word.kind == kind && matches!(kind, Kind::Word | Kind::Blank) => {
                word.range.end = character.end;
            }
            _ => words.push(Word { range: character.start..character.end, kind }),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_words_blanks_and_marks() {
        let text = "let  x_1 = \u{e9}t\u{e9};\n\n";
        let found = words(Text::of(text.as_bytes()));
        let found: Vec<&str> = found.into_iter().map(|word| &text[word.range]).collect();
        assert_eq!(found, ["let", "  ", "x_1", " ", "=", " ", "\u{e9}t\u{e9}", ";", "\n", "\n"]);
    }
}
