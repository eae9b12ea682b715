//! Words, blanks and punctuation.

use super::EncodedText;
use std::ops::Range;

/// A word, a run of blanks, a line end, or any other single character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextWord {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    /// What it is.
    pub(crate) kind: WordKind,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// Letters, digits and underscores.
    Word,
    /// Blanks within a line.
    Blank,
    /// The end of a line.
    LineEnd,
    /// Anything else.
    Mark,
}

/// The words of a text, and the blanks and characters between them.
pub(crate) fn words(text: EncodedText<'_>) -> Vec<TextWord> {
    let mut words: Vec<TextWord> = Vec::new();
    for character in text.characters() {
        let kind = match character.is {
            '\n' => WordKind::LineEnd,
            is if is.is_whitespace() => WordKind::Blank,
            is if is.is_alphanumeric() || is == '_' => WordKind::Word,
            _ => WordKind::Mark,
        };
        match words.last_mut() {
            Some(word) if word.kind == kind && matches!(kind, WordKind::Word | WordKind::Blank) => {
                word.range.end = character.end;
            }
            _ => words.push(TextWord { range: character.start..character.end, kind }),
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
        let found = words(EncodedText::of(text.as_bytes()));
        let found: Vec<&str> = found.into_iter().map(|word| &text[word.range]).collect();
        assert_eq!(found, ["let", "  ", "x_1", " ", "=", " ", "\u{e9}t\u{e9}", ";", "\n", "\n"]);
    }
}
