//! Makes foreign text safe to show: it cannot move the cursor, reverse a line or break it.

use super::cut;
use howcome_dd::Configuration;
use std::fmt::Write;

/// One line of text with invisible characters as escapes, so that it cannot control the terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => shown.push_str("\\t"),
            _ if character.is_control() || changes_the_text_direction(character) => {
                shown.extend(character.escape_default());
            }
            _ => shown.push(character),
        }
    }
    shown
}

/// The same for text of several lines. Indentation is kept.
#[must_use]
pub fn printable_lines(text: &str) -> Vec<String> {
    text.lines().map(|line| printable(&line.replace('\t', "    "))).collect()
}

fn changes_the_text_direction(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// A configuration as `1-4,7`, cut to the width. Reads no more of it than is shown.
#[must_use]
pub fn compact(configuration: &Configuration, width: usize) -> String {
    if configuration.is_empty() {
        return "-".to_owned();
    }
    let mut text = String::new();
    for run in configuration.runs() {
        let comma = if text.is_empty() { "" } else { "," };
        let written = match run.end - run.start {
            1 => write!(text, "{comma}{}", run.end),
            _ => write!(text, "{comma}{}-{}", run.start + 1, run.end),
        };
        if written.is_err() || text.len() > width {
            break;
        }
    }
    cut(&text, width)
}

/// A word, quoted for a POSIX shell if necessary.
#[must_use]
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+=,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return printable(word);
    }
    format!("'{}'", printable(&word.replace('\'', r"'\''")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_control_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb\r\nc\u{202e}d\té"), "a\\u{1b}[2Jb\\r\\nc\\u{202e}d\\té");
        assert_eq!(printable_lines("if x:\n\treturn\x07\n"), ["if x:", "    return\\u{7}"]);
    }

    #[test]
    fn a_long_configuration_is_cut_to_the_width() {
        let odd: Configuration = (0..1_000_000).step_by(2).map(|delta| delta..delta + 1).collect();
        assert_eq!(compact(&odd, 10), "1,3,5,7,9…");
        assert_eq!(compact(&Configuration::empty(), 10), "-");
        let exact: Configuration = [0..4, 6..7].into_iter().collect();
        assert_eq!(compact(&exact, 5), "1-4,7");
        assert_eq!(compact(&exact, 4), "1-4…");
    }

    #[test]
    fn paths_can_be_pasted_into_a_shell() {
        assert_eq!(shell_word("howcome.out/2026-items"), "howcome.out/2026-items");
        assert_eq!(shell_word("my run's"), r"'my run'\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
