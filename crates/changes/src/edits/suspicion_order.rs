//! Which edit is tried first.

use super::single_edit::SingleEdit;
use std::collections::HashSet;

/// Edits in the order in which they are worth a test: first the lines that the failing test names, then the smallest.
///
/// `line_at` reads a line of the bad version, counted from 1, by the end of its path.
pub(crate) fn by_suspicion(
    mut edits: Vec<SingleEdit>,
    printed: &[u8],
    line_at: impl Fn(&[u8], u32) -> Option<Vec<u8>>,
) -> Vec<SingleEdit> {
    let named: HashSet<Vec<u8>> =
        named_lines(printed).into_iter().filter_map(|(path, line)| line_at(path, line)).collect();
    let is_named = |edit: &SingleEdit| edit.texts.iter().any(|text| named.contains(text));
    edits.sort_by_key(|edit| (!is_named(edit), edit.size));
    edits
}

/// Places in an output, such as `src/main.rs:12` and `File "main.py", line 12`.
fn named_lines(printed: &[u8]) -> Vec<(&[u8], u32)> {
    let mut named = Vec::new();
    let is_path = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./+@".contains(&byte) || !byte.is_ascii();
    for line in printed.split(|byte| *byte == b'\n').take(MOST_LINES) {
        let words = line.split(|byte| !is_path(*byte)).filter(|word| !word.is_empty());
        let mut path: Option<&[u8]> = None;
        for word in words {
            let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<u32>().ok());
            match (path, number) {
                (Some(path), Some(number)) => named.push((path, number)),
                _ if word.contains(&b'.') => path = Some(word),
                _ if word == b"line" => {}
                _ => path = None,
            }
            if number.is_some() {
                path = None;
            }
        }
    }
    named
}

/// Longer outputs are not read to the end.
const MOST_LINES: usize = 5000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_from_what_runtimes_and_test_runners_print() {
        let printed = "thread 'stock' panicked at src/table.rs:53:15:\n  File \"/tmp/w/cart.py\", line 12, in total\n\
            /tmp/w/src/Export.php:27\n    at total (/tmp/w/lib/cart.js:7:3)\nmain.c:9: error\n2 of 3 passed in 0.12 s\n";
        let shown: Vec<String> = named_lines(printed.as_bytes())
            .into_iter()
            .map(|(path, line)| format!("{}:{line}", String::from_utf8_lossy(path)))
            .collect();
        let expected = [
            "src/table.rs:53",
            "/tmp/w/cart.py:12",
            "/tmp/w/src/Export.php:27",
            "/tmp/w/lib/cart.js:7",
            "main.c:9",
        ];
        assert_eq!(shown, expected);
    }
}
