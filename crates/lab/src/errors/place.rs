//! A file and a line, as messages write them.

/// Reads `FILE:LINE`, `FILE:LINE:COLUMN` and what follows them.
pub(super) fn split_place(text: &str) -> Option<((String, u32), &str)> {
    let (file, rest) = split_file(text)?;
    let (line, rest) = split_number(rest)?;
    let after_column = rest.strip_prefix(':').and_then(split_number).map(|(_, rest)| rest);
    Some(((file.to_owned(), line), after_column.unwrap_or(rest)))
}

/// Reads a place that takes the whole text: `FILE:LINE`, `FILE:LINE:COLUMN`.
pub(super) fn whole_place(text: &str) -> Option<(String, u32)> {
    let (place, rest) = split_place(text.trim())?;
    rest.trim_end_matches(':').is_empty().then_some(place)
}

/// A file name ends at the first colon that a digit follows. It has no blanks, which sentences have.
fn split_file(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let colon = from + text[from..].find(':')?;
        let rest = &text[colon + 1..];
        if rest.starts_with(|character: char| character.is_ascii_digit()) {
            let file = &text[..colon];
            return (!file.is_empty() && !file.contains(' ')).then_some((file, rest));
        }
        from = colon + 1;
    }
}

/// Reads a number at the beginning of a text.
pub(super) fn split_number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_split_from_what_follows() {
        let place = |file: &str, line| (file.to_owned(), line);
        assert_eq!(split_place("a/b.c:3:5: error: x"), Some((place("a/b.c", 3), ": error: x")));
        assert_eq!(split_place("X.java:12: error"), Some((place("X.java", 12), ": error")));
        assert_eq!(split_place("see: 3"), None);
        assert_eq!(split_place("it took 12:30"), None);
        assert_eq!(whole_place("src/lib.rs:10:5:"), Some(place("src/lib.rs", 10)));
        assert_eq!(whole_place("file:///p/x.js:7"), Some(place("file:///p/x.js", 7)));
    }
}
