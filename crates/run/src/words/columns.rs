//! Texts in terminal columns. A Chinese or Japanese character takes two columns, a combining accent none.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many columns a text takes.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// A text with spaces after it, so that it takes this many columns.
#[must_use]
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{:1$}", "", columns.saturating_sub(width(text)))
}

/// A text cut to this many columns. The last one is an ellipsis if something is missing.
#[must_use]
pub fn cut(text: &str, columns: usize) -> String {
    if end_of(text, columns) == text.len() {
        return text.to_owned();
    }
    format!("{}…", &text[..end_of(text, columns.saturating_sub(1))])
}

/// A text cut to this many columns: both of its ends, with an ellipsis between them.
#[must_use]
pub fn cut_middle(text: &str, columns: usize) -> String {
    if end_of(text, columns) == text.len() {
        return text.to_owned();
    }
    let shown = columns.saturating_sub(1);
    let front = end_of(text, shown / 2);
    format!("{}…{}", &text[..front], &text[start_of(text, shown - shown / 2)..])
}

/// A text cut to this many columns that shows where it differs from another text, even if both start with the same long
/// part.
#[must_use]
pub fn cut_to_difference(text: &str, other: &str, columns: usize) -> String {
    let alike = text.chars().zip(other.chars()).take_while(|(one, other)| one == other);
    let same: usize = alike.map(|(one, _)| columns_of(one)).sum();
    let all: usize = text.chars().map(columns_of).sum();
    if all <= columns || same + 2 < columns {
        return cut(text, columns);
    }
    // Shows a little of the common part for orientation, and cuts no more than necessary.
    let from = same.saturating_sub(columns / 3).min(all + 1 - columns.max(1));
    cut(&format!("…{}", &text[end_of(text, from)..]), columns)
}

fn columns_of(character: char) -> usize {
    character.width().unwrap_or(0)
}

/// The end of the longest prefix of a text that fits into this many columns. Reads no more of the text than that.
fn end_of(text: &str, columns: usize) -> usize {
    let mut left = columns;
    for (at, character) in text.char_indices() {
        match left.checked_sub(columns_of(character)) {
            Some(rest) => left = rest,
            None => return at,
        }
    }
    text.len()
}

/// The start of the longest suffix of a text that fits into this many columns.
fn start_of(text: &str, columns: usize) -> usize {
    let mut left = columns;
    for (at, character) in text.char_indices().rev() {
        match left.checked_sub(columns_of(character)) {
            Some(rest) => left = rest,
            None => return at + character.len_utf8(),
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_character_takes_two_columns() {
        assert_eq!((width("日本"), width("ab"), width("e\u{301}")), (4, 2, 1));
        assert_eq!(pad("日本", 6), "日本  ");
        assert_eq!(cut("日本語", 6), "日本語");
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut_middle("日本語日本語", 7), "日…語");
        assert_eq!(cut("", 0), "");
    }

    #[test]
    fn a_cut_name_keeps_both_ends() {
        assert_eq!(cut_middle("main::tree.root->right", 22), "main::tree.root->right");
        assert_eq!(cut_middle("main::tree.root->right", 13), "main::…>right");
        assert_eq!(cut_middle("éèàü", 2), "…ü");
        assert_eq!(cut_middle("ab", 0), "…");
    }

    #[test]
    fn two_cut_values_can_still_be_told_apart() {
        assert_eq!(cut_to_difference("&expression + 4 bytes", "&expression + 3 bytes", 12), "…n + 4 bytes");
        assert_eq!(cut_to_difference("\"abcdefgh 1 and more\"", "\"abcdefgh 2\"", 9), "…gh 1 an…");
        assert_eq!(cut_to_difference("\"x1 and more\"", "\"x2\"", 9), "\"x1 and …");
        assert_eq!(cut_to_difference("abc", "abc", 3), "abc");
        assert_eq!(cut_to_difference("abcd", "abcd", 0), cut("abcd", 0));
    }
}
