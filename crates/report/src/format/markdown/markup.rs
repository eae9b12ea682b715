//! Text and code in Markdown.

use howcome_run::words::printable;
use std::fmt::{self, Write};

/// A block of code whose fence is longer than any inside it.
pub(crate) fn write_fenced(to: &mut String, language: &str, content: &str) -> fmt::Result {
    let fence = "`".repeat(longest_run_of_backticks(content).max(2) + 1);
    writeln!(to, "{fence}{language}\n{content}\n{fence}")
}

pub(crate) fn code(text: &str) -> String {
    let text = printable(text);
    let ticks = "`".repeat(longest_run_of_backticks(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{space}{text}{space}{ticks}")
}

fn longest_run_of_backticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Text in which no character has a meaning in Markdown or HTML, and which mentions nobody.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    // At the beginning of a line these would make a list or a heading.
    let after_digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if text.starts_with(['-', '+', '=']) {
        escaped.push('\\');
    } else if after_digits.len() < text.len() && after_digits.starts_with(['.', ')']) {
        escaped.push('\u{200b}');
    }
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // A mention, or a reference to an issue, would notify people who have nothing to do with it.
            '@' => escaped.push_str("&#64;"),
            '#' => escaped.push_str("&#35;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => {
                escaped.push('\\');
                escaped.push(character);
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_inside_it() {
        let mut text = String::new();
        write_fenced(&mut text, "text", "```\nnot the end\n````").unwrap();
        assert!(text.starts_with("`````text\n") && text.ends_with("\n`````\n"));
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
    }

    #[test]
    fn nothing_in_a_sentence_is_markup() {
        assert_eq!(escape("- a"), "\\- a");
        assert_eq!(escape("1. a"), "\u{200b}1. a");
        assert_eq!(escape("<b> *x* @you #1 a_b"), "&lt;b&gt; \\*x\\* &#64;you &#35;1 a\\_b");
    }
}
