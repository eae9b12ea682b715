//! Shortens strings: to nothing, one character or a half. Replaces escapes by plain characters.

use crate::text::ascii::is_text;
use crate::{Delta, Document, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::SyntaxTree;
use std::ops::Range;

/// Shortens strings.
pub(super) struct StringsPass;

impl Pass for StringsPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "strings",
            about: "empty or halve strings, and replace escapes",
            unit: Unit::StringPart,
            tier: Tier::Fine,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            let bytes = part.bytes();
            match part.tree() {
                Some(tree) => of_tree(piece, bytes, tree, &mut deltas),
                None if is_text(bytes) => {
                    let quoted = quoted(bytes);
                    quoted.into_iter().for_each(|range| shorter(piece, bytes, range, &mut deltas));
                }
                None => {}
            }
        }
        Proposals::flat(deltas)
    }
}

/// The outermost nodes that are strings, and escapes wherever they are.
fn of_tree(piece: PieceId, bytes: &[u8], tree: &SyntaxTree, deltas: &mut Vec<Delta>) {
    let is_string =
        |kind: &str| ["string", "quot", "char", "rune", "AttValue"].iter().any(|part| kind.contains(part));
    let is_escape = |kind: &str| {
        kind.contains("escape") || matches!(kind, "entity" | "EntityRef" | "CharRef" | "character_reference")
    };
    let mut end = 0;
    for node in tree.nodes() {
        if node.is_named && node.range.start >= end && is_string(node.kind) && !node.kind.contains("concat") {
            end = node.range.end;
            string(piece, bytes, node.range.clone(), deltas);
        }
        if is_escape(node.kind) && node.range.len() > 1 {
            // If several replacements are chosen, the first one is written, so the empty one comes before the zero.
            deltas.push(Delta::cut(piece, node.range.clone()));
            deltas.push(Delta::replace(piece, node.range.clone(), *b"0"));
        }
    }
}

/// Shortens a string, which has quotes and can have a prefix.
fn string(piece: PieceId, bytes: &[u8], range: Range<usize>, deltas: &mut Vec<Delta>) {
    let text = &bytes[range.clone()];
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
    let Some(open) = text.iter().take(8).position(is_quote) else { return };
    let quote = text[open];
    let is_triple =
        text[open..].len() >= 6 && text[open..].starts_with(&[quote; 3]) && text.ends_with(&[quote; 3]);
    let quotes = if is_triple { 3 } else { 1 };
    let inside = range.start + open + quotes..range.end.saturating_sub(quotes);
    if text.len() < open + 2 * quotes || text[text.len() - 1] != quote {
        return;
    }
    if is_triple && !bytes[inside.clone()].iter().any(|byte| *byte == b'\n' || *byte == quote) {
        let fewer = Delta::cut(piece, inside.start - 2..inside.start);
        deltas.push(fewer.and(Delta::cut(piece, inside.end..inside.end + 2)));
    }
    shorter(piece, bytes, inside, deltas);
}

/// Removes the first character, the rest of the first half, or the second half. Together they are the whole string.
fn shorter(piece: PieceId, bytes: &[u8], inside: Range<usize>, deltas: &mut Vec<Delta>) {
    let is_inside_character = |at: usize| at < inside.end && bytes[at] & 0xc0 == 0x80;
    let boundary = |mut at: usize| {
        while is_inside_character(at) {
            at += 1;
        }
        at
    };
    if inside.is_empty() {
        return;
    }
    let escape = usize::from(bytes[inside.start] == b'\\' && inside.len() > 1);
    let first = boundary(inside.start + 1 + escape);
    let half = boundary((inside.start + inside.len() / 2).max(first));
    let parts = [inside.start..first, first..half, half..inside.end];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    deltas.extend(parts.map(|part| Delta::cut(piece, part)));
}

/// The text between two double quotes on the same line.
fn quoted(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = None;
    let mut is_escaped = false;
    for (at, byte) in bytes.iter().enumerate() {
        let was_escaped = is_escaped;
        is_escaped = *byte == b'\\' && !was_escaped;
        match (byte, open) {
            (b'\n', _) => open = None,
            (b'"', None) => open = Some(at + 1),
            (b'"', Some(start)) if !was_escaped => {
                found.push(start..at);
                open = None;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn simplified(name: &str, bytes: &[u8], fails: impl Fn(&str) -> bool) -> (String, u64) {
        let document = Document::of_file(name, bytes);
        let found = simplify(&document, vec![Arc::new(StringsPass)], |document| fails(&document.text()));
        (found.document.text(), found.tests)
    }

    #[test]
    fn one_test_empties_all_strings() {
        let cases = [
            ("f.json", r#"{"key": "a \n value", "": 1}"#, r#"{"": "", "": 1}"#),
            ("f.py", "a = b'''x''' + f\"y\\n\"", "a = b'' + f\"\""),
            ("f.c", r#"char *s = "abc" L"\x41";"#, r#"char *s = "" L"";"#),
            ("f.html", r#"<a href="xyz">"b"</a>"#, r#"<a href="">"b"</a>"#),
            ("f.xml", "<a b='xyz'/>", "<a b=''/>"),
            ("f.js", "f('abc', `d`)", "f('', ``)"),
            ("f.go", "var s = `abc` + \"d\"", "var s = `` + \"\""),
            ("f.txt", "say \"some \\\" thing\" don't\nand \"more", "say \"\" don't\nand \"more"),
        ];
        for (name, text, expected) in cases {
            assert_eq!(simplified(name, text.as_bytes(), |_| true), (expected.to_owned(), 1), "{name}");
        }
    }

    #[test]
    fn a_string_keeps_the_half_that_is_needed() {
        let (text, _) = simplified("f.json", br#"["0123456789", "abcdefgh"]"#, |text| text.contains("fg"));
        assert_eq!(text, r#"["", "fgh"]"#);
    }

    #[test]
    fn an_escape_becomes_a_plain_character_if_one_is_needed() {
        let is_needed = |text: &str| !text.contains("\"\"") && !text.contains("><");
        assert_eq!(simplified("f.json", br#"["\u0041"]"#, is_needed).0, r#"["0"]"#);
        assert_eq!(simplified("f.html", b"<p>&amp;</p>", is_needed).0, "<p>0</p>");
    }

    #[test]
    fn characters_are_not_torn_apart() {
        let whole = |text: &str| !text.contains('\u{fffd}') && text.contains('ö');
        assert_eq!(simplified("f.json", "[\"äöü\"]".as_bytes(), whole).0, "[\"ö\"]");
        assert_eq!(simplified("f.txt", b"\"\xe9\xe8\"", |text| text.contains('"')).0, "\"\"");
    }
}
