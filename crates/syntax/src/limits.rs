//! What a grammar can bear.
//!
//! Most parsers here go through any nesting in a time that grows with the length of the text. Those of XML, HTML and YAML
//! keep all that is open beside the tree, and copy it for each token: that takes long for the former, and the latter does
//! not come back at all if there is more than it has room for.

use crate::Language;

/// Whether a text can be given to the parser of its language.
pub(crate) fn can_bear(language: Language, bytes: &[u8]) -> bool {
    match language {
        Language::Html | Language::Xml => deepest_element(bytes) <= MOST_ELEMENTS,
        Language::Yaml => deepest_indentation(bytes) <= MOST_INDENTATIONS,
        Language::Python => widest_indentation(bytes) <= MOST_INDENTATIONS,
        _ => true,
    }
}

/// Some broken texts take a time that grows with the square of their length, whatever the language. So many hundreds of steps
/// are more than any other text comes near to; the clock would give another answer on a busy machine.
pub(crate) fn patience(bytes: usize) -> usize {
    20_000 + bytes
}

const MOST_ELEMENTS: usize = 2_000;
/// The parser has room for 253.
const MOST_INDENTATIONS: usize = 240;

/// How many elements are in one another, as far as can be seen without parsing: those whose end may be left out are
/// taken to have none.
fn deepest_element(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for tag in bytes.split(|byte| *byte == b'<').skip(1) {
        let is_end = tag.first() == Some(&b'/');
        let rest = &tag[usize::from(is_end)..];
        let name = &rest[..rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()];
        let is_closed = tag.split(|byte| *byte == b'>').next().is_some_and(|tag| tag.ends_with(b"/"));
        if name.is_empty() || is_closed || WITHOUT_END.iter().any(|open| name.eq_ignore_ascii_case(open)) {
            continue;
        }
        depth = if is_end { depth.saturating_sub(1) } else { depth + 1 };
        deepest = deepest.max(depth);
    }
    deepest
}

const WITHOUT_END: [&[u8]; 24] = [
    b"area", b"base", b"br", b"col", b"dd", b"dt", b"embed", b"hr", b"img", b"input", b"li", b"link",
    b"meta", b"option", b"p", b"param", b"source", b"tbody", b"td", b"tfoot", b"th", b"thead", b"tr", b"wbr",
];

/// How many blocks can be in one another: two for each column of the indentation, a mapping and a sequence, and one for
/// each mark in the line.
fn deepest_indentation(bytes: &[u8]) -> usize {
    let of_line = |line: &[u8]| {
        let indentation = line.iter().take_while(|byte| **byte == b' ').count();
        let is_mark = |pair: &&[u8]| b"-?:|>".contains(&pair[0]) && pair[1].is_ascii_whitespace();
        2 * (indentation + 1) + line.windows(2).filter(is_mark).count() + 2
    };
    bytes.split(|byte| *byte == b'\n').map(of_line).max().unwrap_or(0)
}

/// How many blocks can be in one another: one for each column.
fn widest_indentation(bytes: &[u8]) -> usize {
    let of_line = |line: &[u8]| line.iter().take_while(|byte| b" \t\x0c".contains(byte)).count();
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    // Lines that go on are often far to the right, but only what is deeper than the line before opens a block.
    let mut open: Vec<usize> = Vec::new();
    let mut deepest = 0;
    for width in lines.map(of_line) {
        while open.last().is_some_and(|outer| *outer >= width) {
            open.pop();
        }
        open.push(width);
        deepest = deepest.max(open.len());
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_follow_one_another_are_not_deep() {
        assert_eq!(deepest_element(b"<ul><li>a<br><li>b<br/></ul><P>c<p>d<i>e</i><b x='1'/>"), 1);
        assert_eq!(deepest_element(b"<a><b><c></c></b></a><!-- x -->1 < 2"), 3);
        assert_eq!(deepest_element(b"</a></a><a>"), 1);
    }

    #[test]
    fn blocks_are_counted_by_their_columns() {
        assert_eq!(deepest_indentation(b"a: 1\nb:\n  - c: 1\n"), 6 + 2 + 2);
        assert_eq!(widest_indentation(b"if a:\n  if b:\n    c(\n             d)\n  e\nf\n"), 4);
    }
}
