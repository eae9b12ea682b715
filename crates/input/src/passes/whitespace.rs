//! Removes white space: one blank instead of several, none at line ends, no empty lines, and as little indentation as the
//! language allows.

use crate::text::ascii::{is_blank, is_text, is_word};
use crate::{Delta, Document, DocumentPart, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use std::ops::Range;

/// Removes white space.
pub(super) struct WhitespacePass;

impl Pass for WhitespacePass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "whitespace",
            about: "remove blanks, empty lines and indentation",
            unit: Unit::Gap,
            tier: Tier::Fine,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            if is_text(part.bytes()) {
                gaps(piece, part, &mut deltas);
                deltas.extend(less_indented(piece, part));
            }
        }
        Proposals::flat(deltas)
    }
}

/// Whether indentation has a meaning. In an unknown language it might.
fn has_layout(part: &DocumentPart) -> bool {
    part.language().is_none_or(|language| language.info().has_layout)
}

/// All gaps of a text, in order.
fn gaps(piece: PieceId, part: &DocumentPart, deltas: &mut Vec<Delta>) {
    let bytes = part.bytes();
    let keeps_indentation = has_layout(part) && part.language().is_some();
    let mut cut = |range: Range<usize>| {
        if !range.is_empty() {
            deltas.push(Delta::cut(piece, range));
        }
    };
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii_end();
        let end = start + text.len();
        let is_ended = line.ends_with(b"\n");
        if text.is_empty() {
            cut(start..start + line.len());
            start += line.len();
            continue;
        }
        let mut at = start;
        while at < end {
            if !is_blank(bytes[at]) {
                at += 1;
                continue;
            }
            let gap = at..at + bytes[at..end].iter().take_while(|byte| is_blank(**byte)).count();
            at = gap.end;
            if gap.start == start {
                if !keeps_indentation {
                    cut(gap);
                }
                continue;
            }
            // Usually, the last blank of a gap is needed only between two words.
            let is_before_word = bytes.get(gap.end).is_some_and(|byte| is_word(*byte));
            if !is_word(bytes[gap.start - 1]) || !is_before_word {
                cut(gap.start..gap.start + 1);
            }
            cut(gap.start + 1..gap.end);
        }
        let line_end = start + line.len() - usize::from(is_ended);
        cut(end..line_end);
        start += line.len();
        if is_ended && start == bytes.len() {
            cut(start - 1..start);
        }
    }
}

/// Replaces each level of indentation by one blank, in the whole text at once: a single line would end up in another block.
fn less_indented(piece: PieceId, part: &DocumentPart) -> Option<Delta> {
    if !has_layout(part) {
        return None;
    }
    let mut delta = Delta::default();
    let mut levels: Vec<usize> = vec![0];
    let mut start = 0;
    for line in part.bytes().split_inclusive(|byte| *byte == b'\n') {
        let here = start;
        start += line.len();
        if line.trim_ascii().is_empty() {
            continue;
        }
        let blanks = line.iter().take_while(|byte| is_blank(**byte)).count();
        let width = line[..blanks].iter().fold(0, |width, byte| match byte {
            b'\t' => width / 8 * 8 + 8,
            _ => width + 1,
        });
        while levels.last().is_some_and(|level| *level > width) {
            levels.pop();
        }
        if levels.last().is_none_or(|level| *level < width) {
            levels.push(width);
        }
        let depth = levels.len() - 1;
        // A tab is one byte, so a line can have minimal indentation already and still change with the others.
        if line[..blanks] != *b" ".repeat(depth) {
            delta = delta.and(Delta::replace(piece, here..here + blanks, b" ".repeat(depth)));
        }
    }
    (delta.gain() > 0).then_some(delta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn simplified(name: &str, bytes: &[u8], fails: impl Fn(&[u8]) -> bool) -> (Vec<u8>, u64) {
        let document = Document::of_file(name, bytes);
        let simplified = simplify(&document, vec![Arc::new(WhitespacePass)], |document| {
            fails(&document.bytes_of(PieceId(0)))
        });
        (simplified.document.bytes_of(PieceId(0)), simplified.tests)
    }

    #[test]
    fn one_test_removes_all_white_space_of_c() {
        let text = b"int  main ( void )\r\n{\r\n\r\n\treturn   0 ;  \r\n}\r\n";
        assert_eq!(simplified("f.c", text, |_| true), (b"int main(void)\n{\nreturn 0;\n}".to_vec(), 1));
    }

    #[test]
    fn blocks_of_python_stay_blocks() {
        let text = b"if a :\n    if b:\n        c = 1\n\n    d( 2 )\ne\n";
        let (text, tests) = simplified("f.py", text, |_| true);
        assert_eq!(text, b"if a:\n if b:\n  c=1\n d(2)\ne");
        assert_eq!(tests, 1);
        let (text, _) = simplified("f.py", b"if a:\n\tb\n\tc\n", |text| text.contains(&b'\t'));
        assert_eq!(text, b"if a:\n\tb\n\tc");
    }

    #[test]
    fn a_gap_that_is_needed_stays() {
        let (text, _) = simplified("f.txt", b"a  b   c  ,  d\n\n  e\xe9  \n", |text| {
            text.windows(4).any(|window| window == b"c  ,")
        });
        assert_eq!(text, b"a b c  ,d\ne\xe9");
    }

    #[test]
    fn binary_data_has_no_white_space() {
        assert!(WhitespacePass.proposals(&Document::of_file("f", b"\0  a  b")).deltas.is_empty());
    }

    #[test]
    fn a_vertical_tab_can_be_the_end() {
        let deltas = WhitespacePass.proposals(&Document::of_file("f", b"a \x0b")).deltas;
        assert_eq!(deltas.len(), 2);
    }
}
