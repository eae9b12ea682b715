//! Joins lines: replaces a line end and the indentation after it by nothing, a blank or a semicolon.

use crate::text::ascii::{is_blank, is_text};
use crate::{Delta, Document, DocumentPart, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::Language;

/// Joins lines if that makes the text shorter.
pub(super) struct JoinLinesPass;

impl Pass for JoinLinesPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "join-lines",
            about: "join lines, with a blank or a semicolon if one is needed",
            unit: Unit::LineEnd,
            tier: Tier::Names,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            if is_text(part.bytes()) {
                joints(piece, part, &mut deltas);
            }
        }
        Proposals::flat(deltas)
    }
}

/// A single newline is not longer than its replacement, and the pass `characters` tries to remove it. So only longer line ends
/// are replaced.
fn joints(piece: PieceId, part: &DocumentPart, deltas: &mut Vec<Delta>) {
    let bytes = part.bytes();
    let is_gap = |byte: &u8| is_blank(*byte) || matches!(byte, b'\n' | b'\r');
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(is_gap) {
        let start = at + found;
        at = start + bytes[start..].iter().take_while(|byte| is_gap(byte)).count();
        let gap = start..at;
        let joins = start > 0 && at < bytes.len() && bytes[gap.clone()].contains(&b'\n');
        if !joins || gap.len() < 2 {
            continue;
        }
        // If several replacements are chosen, the first one is written, so the empty one comes first.
        deltas.push(Delta::cut(piece, gap.clone()));
        deltas.push(Delta::replace(piece, gap.clone(), *b" "));
        let is_ended = matches!(bytes[start - 1], b';' | b':' | b'{' | b',' | b'(' | b'[');
        if has_semicolons(part.language()) && !is_ended {
            deltas.push(Delta::replace(piece, gap, *b";"));
        }
    }
}

/// Whether statements of a language end at a line end or a semicolon.
fn has_semicolons(language: Option<Language>) -> bool {
    language.is_none_or(|language| language.info().ends_statements_with_lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn joined(name: &str, text: &str, fails: impl Fn(&str) -> bool) -> String {
        let document = Document::of_file(name, text);
        simplify(&document, vec![Arc::new(JoinLinesPass)], |document| fails(&document.text())).document.text()
    }

    #[test]
    fn the_statements_of_a_block_are_joined_into_one_line() {
        let python = [
            "if a:\n  b\n  c\n  d",
            "if a:\n  b\n  c;d",
            "if a:\n  b;c\n  d",
            "if a:\n  b;c;d",
            "if a:b;c;d",
            "if a: b;c;d",
        ];
        let is_python = |text: &str| python.contains(&text);
        assert_eq!(joined("f.py", "if a:\n  b\n  c\n  d", is_python), "if a:b;c;d");
    }

    #[test]
    fn lines_are_joined_without_a_separator_if_that_is_enough() {
        assert_eq!(joined("f.c", "f(\n  a,\n  b);\n", |text| text.contains('a')), "f(a,b);\n");
        assert_eq!(joined("f.txt", "one\n  two\nthree", |text| !text.contains("onetwo")), "one two\nthree");
    }

    #[test]
    fn a_line_end_without_indentation_is_a_character_like_others() {
        assert!(JoinLinesPass.proposals(&Document::of_file("f", "a\nb\nc\n")).deltas.is_empty());
    }
}
