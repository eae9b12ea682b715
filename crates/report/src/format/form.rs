//! How text is laid out: the width of its lines, and colours.

use crate::format::paint::Paint;
use howcome_run::words::width;

/// How text is laid out for a terminal or a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextForm {
    /// How wide a line of a table may be.
    pub columns: usize,
    /// Whether longer sentences are broken between words. In a pipe they are not, so that `grep` finds them.
    pub wraps: bool,
    /// Whether there are colours.
    pub paint: Paint,
}

impl TextForm {
    /// The form for a pipe or a file.
    pub const PLAIN: Self = Self { columns: 120, wraps: false, paint: Paint(false) };

    /// A sentence that starts at this column of a line, broken so that the next lines start there, too.
    pub(crate) fn wrapped(self, text: &str, column: usize) -> String {
        let room = self.columns.saturating_sub(column);
        // In a narrow column each word would have its own line.
        if !self.wraps || room < 20 {
            return text.to_owned();
        }
        let mut lines = Vec::new();
        let mut line = String::new();
        for word in text.split(' ') {
            if !line.is_empty() && width(&line) + 1 + width(word) > room {
                lines.push(std::mem::take(&mut line));
            } else if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
        lines.join(&format!("\n{:column$}", ""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_broken_between_words_only_where_that_is_wanted() {
        let form = TextForm { columns: 26, wraps: true, paint: Paint(false) };
        let text = "Commit c054d05e5d8b broke it: 1 line.";
        assert_eq!(form.wrapped(text, 2), "Commit c054d05e5d8b\n  broke it: 1 line.");
        assert_eq!(form.wrapped(text, 10), text);
        assert_eq!(TextForm { wraps: false, ..form }.wrapped(text, 2), text);
        assert_eq!(
            form.wrapped("averyveryverylongwordthatdoesnotfit x", 0),
            "averyveryverylongwordthatdoesnotfit\nx"
        );
    }
}
