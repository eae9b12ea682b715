//! Removes comments. They are easy to recognise and seldom needed, and one test often removes all of them.

use crate::text::ascii::{is_blank, is_text, is_word, with_line};
use crate::{Delta, Document, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::SyntaxTree;
use std::ops::Range;

/// Removes comments.
pub(super) struct CommentsPass;

impl Pass for CommentsPass {
    fn info(&self) -> PassInfo {
        PassInfo { name: "comments", about: "remove comments", unit: Unit::Comment, tier: Tier::Coarse }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            let bytes = part.bytes();
            let found = match part.tree() {
                Some(tree) => of_tree(tree, bytes),
                None if is_text(bytes) => of_text(bytes),
                None => Vec::new(),
            };
            deltas.extend(found.into_iter().map(|range| without(piece, bytes, range)));
        }
        Proposals::flat(deltas)
    }
}

/// Removes a comment, or replaces it by a blank if it is between two words.
fn without(piece: PieceId, bytes: &[u8], range: Range<usize>) -> Delta {
    let cut = with_line(bytes, range);
    let word_before = cut.start > 0 && is_word(bytes[cut.start - 1]);
    let word_after = bytes.get(cut.end).is_some_and(|byte| is_word(*byte));
    let with: &[u8] = if word_before && word_after { b" " } else { b"" };
    Delta::replace(piece, cut, with)
}

/// The comments that the grammar knows.
fn of_tree(tree: &SyntaxTree, bytes: &[u8]) -> Vec<Range<usize>> {
    let mut comments: Vec<Range<usize>> = Vec::new();
    for node in tree.nodes() {
        let is_inside = comments.last().is_some_and(|last| node.range.start < last.end);
        if !is_inside && is_comment(node.kind) {
            let mut range = node.range.clone();
            // In some grammars the line end belongs to the comment.
            let after = bytes[range.clone()].iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r'));
            range.end -= after.count();
            if !range.is_empty() {
                comments.push(range);
            }
        }
    }
    comments
}

fn is_comment(kind: &str) -> bool {
    kind.contains("comment") || kind == "Comment" || kind == "marginalia"
}

/// What looks like a comment in most languages: from a mark at the start of a line or after a blank to the end of the line,
/// or from an opening to a closing mark.
fn of_text(bytes: &[u8]) -> Vec<Range<usize>> {
    const TO_END_OF_LINE: [&[u8]; 2] = [b"#", b"//"];
    const WHOLE_LINES: [&[u8]; 3] = [b"--", b";", b"%"];
    const PAIRS: [(&[u8], &[u8]); 2] = [(b"/*", b"*/"), (b"<!--", b"-->")];
    let mut comments = Vec::new();
    // If there is no closing mark after this place, there is none later.
    let mut is_closed = [true; PAIRS.len()];
    let mut is_first = true;
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let after_blank = at == 0 || is_blank(bytes[at - 1]) || bytes[at - 1] == b'\n';
        let mut end = None;
        for ((open, close), is_closed) in PAIRS.iter().zip(&mut is_closed) {
            if *is_closed && rest.starts_with(open) {
                let inside = &rest[open.len()..];
                let found = inside.windows(close.len()).position(|window| window == *close);
                *is_closed = found.is_some();
                end = found.map(|found| at + open.len() + found + close.len());
            }
        }
        let begins = |marks: &[&[u8]]| marks.iter().any(|mark| rest.starts_with(mark));
        if end.is_none() && (after_blank && begins(&TO_END_OF_LINE) || is_first && begins(&WHOLE_LINES)) {
            end = Some(at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()));
        }
        is_first = rest[0] == b'\n' || is_first && is_blank(rest[0]);
        match end {
            Some(end) => {
                comments.push(at..end);
                at = end;
            }
            None => at += 1,
        }
    }
    comments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn without_comments(name: &str, text: &str) -> (String, u64) {
        let simplified = simplify(&Document::of_file(name, text), vec![Arc::new(CommentsPass)], |_| true);
        (simplified.document.text(), simplified.tests)
    }

    #[test]
    fn one_test_removes_all_comments_of_a_language() {
        let cases = [
            ("f.c", "int/* a */x; // b\n/* c\nd */\nint y;\n", "int x;\nint y;\n"),
            ("f.py", "# a\nx = '# b' # c\n", "x = '# b'\n"),
            ("f.html", "<p>a<!-- b --></p>", "<p>a</p>"),
            ("f.xml", "<p>a<!-- b --></p>", "<p>a</p>"),
            ("f.rs", "/// a\n/// b\nfn f() {} // c\n", "fn f() {}\n"),
            ("f.yaml", "a: 1 # b\n", "a: 1\n"),
            ("f.sql", "-- a\nSELECT 1;\n", "SELECT 1;\n"),
            ("f.txt", "; a\nb # c\n  // d\n<!-- e\nf --> g /* h */\r\nhttp://i\n", "b\n g\r\nhttp://i\n"),
        ];
        for (name, text, expected) in cases {
            assert_eq!(without_comments(name, text), (expected.to_owned(), 1), "{name}");
        }
    }

    #[test]
    fn a_comment_that_is_needed_stays() {
        let text = "// a\n// b\n// c\nint x;\n";
        let kept = simplify(&Document::of_file("f.c", text), vec![Arc::new(CommentsPass)], |document| {
            document.text().contains("b\n")
        });
        assert_eq!(kept.document.text(), "// b\nint x;\n");
    }

    #[test]
    fn an_unclosed_mark_is_not_a_comment() {
        let text = "/* ".repeat(100_000);
        assert!(of_text(text.as_bytes()).is_empty());
    }
}
