//! Messages without what differs from run to run: numbers, addresses, temporary files, quoted text.

use crate::workspace::{TEMP, WORK};

/// The parts of a line that are the same in every run.
pub(crate) fn lasting(line: &str) -> String {
    plain(&without_paths_and_hashes(line))
}

/// A line without the test's own folder, the names of temporary files, and the names of commits.
pub(crate) fn without_paths_and_hashes(line: &str) -> String {
    let ends_a_path = |character: char| {
        character.is_whitespace() || character.is_control() || "'\"`()[]{}<>:,;=|‘’".contains(character)
    };
    let words = pieces(line, ends_a_path).into_iter().map(lasting_path).collect::<String>();
    let is_other = |character: char| !character.is_ascii_alphanumeric();
    let words = pieces(&words, is_other).into_iter().map(|word| if is_hash(word) { "#" } else { word });
    words.collect()
}

/// Splits a text into the words between separators and the separators themselves.
fn pieces(text: &str, is_between: impl Fn(char) -> bool) -> Vec<&str> {
    text.split_inclusive(&is_between)
        .flat_map(|piece| {
            let end = piece.char_indices().next_back().filter(|(_, last)| is_between(*last));
            let (word, rest) = piece.split_at(end.map_or(piece.len(), |(at, _)| at));
            [word, rest]
        })
        .collect()
}

/// Whether a word is a hexadecimal number, such as the name of a commit or an address.
fn is_hash(word: &str) -> bool {
    const SHORTEST: usize = 7;
    word.len() >= SHORTEST
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && word.bytes().any(|byte| byte.is_ascii_digit())
}

/// A path without the test's own folder and without the names of temporary files.
fn lasting_path(path: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    let is_root = |part: &str| {
        let numbers = part.strip_prefix("howcome-").unwrap_or_default();
        !numbers.is_empty() && numbers.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit())
    };
    if let Some(at) = parts.iter().position(|part| is_root(part)) {
        match parts.get(at + 2) {
            Some(&WORK) => drop(parts.splice(..at + 3, ["."])),
            Some(&TEMP) => drop(parts.splice(..at + 3, ["", "tmp"])),
            _ => {}
        }
    }
    if let ["", "tmp", name, ..] | ["", "var", "tmp", name, ..] = parts.as_mut_slice() {
        *name = "#";
    }
    parts.iter_mut().filter(|part| part.starts_with("tmp.")).for_each(|part| *part = "tmp.#");
    parts.join("/")
}

/// Removes text in quotes, which is mostly a piece of the input.
#[must_use]
pub fn without_quoted(text: &str) -> String {
    let mut kept = String::new();
    let mut quote = None;
    let mut before = ' ';
    for character in text.chars() {
        // The apostrophe of `can't` is not a quote.
        let is_in_word = character == '\'' && before.is_alphanumeric();
        before = character;
        match quote {
            Some(open) if character == open => {
                quote = None;
                kept.push(character);
            }
            Some(_) => {}
            None => {
                quote = match character {
                    '\'' if is_in_word => None,
                    '\'' | '"' | '`' => Some(character),
                    '‘' => Some('’'),
                    _ => None,
                };
                kept.push(character);
            }
        }
    }
    kept
}

/// Replaces numbers and addresses by `#`, also inside words such as the name of a temporary file.
pub(crate) fn plain(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|character: char| character.is_ascii_digit()) {
        result.push_str(&rest[..at]);
        result.push('#');
        rest = &rest[at..];
        let is_digit: fn(char) -> bool = match rest.strip_prefix("0x") {
            Some(digits) => {
                rest = digits;
                |character| character.is_ascii_hexdigit()
            }
            None => |character| character.is_ascii_digit(),
        };
        rest = rest.trim_start_matches(is_digit);
    }
    result.push_str(rest);
    // Numbers are sometimes padded with blanks.
    result.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_numbers_do_not_matter_but_words_do() {
        assert_eq!(plain("at 0xdeadBEEF: 12 of 0x"), "at #: # of #");
        assert_eq!(plain("[line 10]"), plain("[line  9]"));
        assert_ne!(plain("a 1"), plain("b 1"));
    }

    #[test]
    fn an_apostrophe_is_not_a_quote() {
        assert_eq!(without_quoted("'utf-8' codec can't decode 'x'"), "'' codec can't decode ''");
    }
}
