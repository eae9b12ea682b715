//! The directives of the C preprocessor, found without a grammar: a branch of a conditional is often not a whole statement, and
//! then the directive is not in the tree.

use std::ops::Range;

/// A directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Directive<'t> {
    /// All its lines, including the end of the last line.
    pub(crate) lines: Range<usize>,
    /// `include`, or the number of a line marker.
    pub(crate) name: &'t [u8],
    /// The text after the name, without the blanks around it.
    pub(crate) rest: Range<usize>,
}

/// All directives of a text, in order.
pub(crate) fn directives(bytes: &[u8]) -> Vec<Directive<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let first = start + blanks(&bytes[start..]);
        let mut end = line_end(bytes, start);
        if bytes.get(first) == Some(&b'#') {
            while is_continued(&bytes[start..end]) && end < bytes.len() {
                end = line_end(bytes, end);
            }
            let name_start = first + 1 + blanks(&bytes[first + 1..]);
            let name = bytes[name_start..end].iter().take_while(|byte| is_word(**byte)).count();
            let after = &bytes[name_start + name..end];
            let rest_start = name_start + name + blanks(after);
            let rest = bytes[rest_start..end.max(rest_start)].trim_ascii().len();
            found.push(Directive {
                lines: start..end,
                name: &bytes[name_start..name_start + name],
                rest: rest_start..rest_start + rest,
            });
        }
        start = end;
    }
    found
}

/// Whether a byte belongs to names.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

fn line_end(bytes: &[u8], start: usize) -> usize {
    let newline = bytes[start..].iter().position(|byte| *byte == b'\n');
    newline.map_or(bytes.len(), |newline| start + newline + 1)
}

fn is_continued(line: &[u8]) -> bool {
    line.trim_ascii_end().ends_with(b"\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_have_names_and_can_continue_on_the_next_line() {
        let text = "# 12 \"f.h\" 3\nint x; // # no\n  #  define A(x) \\\n  x\n#\n#endif";
        let found = directives(text.as_bytes());
        let shown: Vec<(&str, &str)> = found
            .iter()
            .map(|directive| (std::str::from_utf8(directive.name).unwrap(), &text[directive.rest.clone()]))
            .collect();
        assert_eq!(shown, [("12", "\"f.h\" 3"), ("define", "A(x) \\\n  x"), ("", ""), ("endif", "")]);
        assert_eq!(&text[found[1].lines.clone()], "  #  define A(x) \\\n  x\n");
    }
}
