//! Simplifies numbers: 0 or 1, fewer digits, no fraction, exponent or suffix.

use crate::text::ascii::{is_text, is_word};
use crate::{Delta, Document, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use std::ops::Range;

/// Simplifies numbers.
pub(super) struct NumbersPass;

impl Pass for NumbersPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "numbers",
            about: "write numbers as 0, 1 or with fewer digits",
            unit: Unit::NumberPart,
            tier: Tier::Fine,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            let bytes = part.bytes();
            match part.tree() {
                Some(tree) => {
                    let leaves = tree.iter().filter(|(id, _)| tree.is_leaf(*id)).map(|(_, node)| node);
                    let literals = leaves.filter(|leaf| !is_prose(leaf.kind)).map(|leaf| leaf.range.clone());
                    literals.for_each(|range| simpler(piece, bytes, range, &mut deltas));
                }
                None if is_text(bytes) => {
                    of_text(bytes).into_iter().for_each(|range| simpler(piece, bytes, range, &mut deltas));
                }
                None => {}
            }
        }
        Proposals::flat(deltas)
    }
}

/// Numbers in strings are left to other passes.
fn is_prose(kind: &str) -> bool {
    ["string", "comment", "text", "char"].iter().any(|prose| kind.contains(prose))
}

/// Words that start with a digit.
fn of_text(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut numbers = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        if bytes[at].is_ascii_digit() {
            at += 1 + bytes[at + 1..].iter().take_while(|byte| is_word(**byte)).count();
            let fraction = &bytes[at..];
            if fraction.first() == Some(&b'.') && fraction.get(1).is_some_and(u8::is_ascii_digit) {
                at += 1 + fraction[1..].iter().take_while(|byte| is_word(**byte)).count();
            }
            numbers.push(start..at);
        } else {
            let word = bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
            at += word.max(1);
        }
    }
    numbers
}

/// The parts of a number as most languages write it, one after another.
struct NumberLiteral {
    /// The digits before the point, with the sign and `0x`.
    whole: Range<usize>,
    fraction: Range<usize>,
    exponent: Range<usize>,
    suffix: Range<usize>,
    is_decimal: bool,
}

impl NumberLiteral {
    fn of(bytes: &[u8], range: Range<usize>) -> Option<Self> {
        let text = &bytes[range.clone()];
        let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
        let is_decimal =
            text.get(sign) != Some(&b'0') || !text.get(sign + 1).is_some_and(u8::is_ascii_alphabetic);
        let prefix = if is_decimal { 0 } else { 2 };
        let is_digit = |byte: &&u8| match is_decimal {
            true => byte.is_ascii_digit() || matches!(byte, b'_' | b'\''),
            false => byte.is_ascii_hexdigit() || matches!(byte, b'_' | b'\''),
        };
        let digits = |from: usize| text[from..].iter().take_while(is_digit).count();
        let mut at = sign + prefix;
        let has_point = |at: usize| text.get(at) == Some(&b'.');
        if !text.get(at).is_some_and(u8::is_ascii_hexdigit) && !has_point(at) {
            return None;
        }
        at += digits(at);
        let whole = at;
        if has_point(at) {
            at += 1 + digits(at + 1);
        }
        let fraction = at;
        if matches!(text.get(at), Some(b'e' | b'E' | b'p' | b'P')) {
            let signed = at + 1 + usize::from(matches!(text.get(at + 1), Some(b'-' | b'+')));
            if text.get(signed).is_some_and(u8::is_ascii_digit) {
                at = signed + digits(signed);
            }
        }
        let exponent = at;
        let is_number = text[sign..at].iter().any(u8::is_ascii_digit);
        (is_number && text[at..].iter().all(|byte| is_word(*byte))).then(|| {
            let from = |start: usize, end: usize| range.start + start..range.start + end;
            Self {
                whole: from(0, whole),
                fraction: from(whole, fraction),
                exponent: from(fraction, exponent),
                suffix: from(exponent, text.len()),
                is_decimal,
            }
        })
    }

    /// The value of an integer that is not too large.
    fn value(&self, bytes: &[u8]) -> Option<u128> {
        let text = std::str::from_utf8(&bytes[self.whole.clone()]).ok()?.replace(['_', '\''], "");
        if !self.fraction.is_empty() || !self.exponent.is_empty() {
            return None;
        }
        let radix = match text.get(..2)? {
            "0x" | "0X" => 16,
            "0b" | "0B" => 2,
            "0o" | "0O" => 8,
            _ => return None,
        };
        u128::from_str_radix(&text[2..], radix).ok()
    }
}

/// The replacements for a number, the simplest first: if several are chosen, the first one is written.
fn simpler(piece: PieceId, bytes: &[u8], range: Range<usize>, deltas: &mut Vec<Delta>) {
    if !matches!(bytes.get(range.start), Some(b'0'..=b'9' | b'.' | b'-' | b'+')) {
        return;
    }
    let Some(literal) = NumberLiteral::of(bytes, range.clone()) else { return };
    let text = &bytes[range.clone()];
    for digit in [b"0", b"1"] {
        // Each replacement is shorter, or as long and smaller, so this ends.
        if text.len() > 1 || text[0] > digit[0] {
            deltas.push(Delta::replace(piece, range.clone(), *digit));
        }
    }
    if text.len() == 1 {
        return;
    }
    if let Some(value) = literal.value(bytes).map(|value| value.to_string())
        && value.len() < literal.whole.len()
    {
        deltas.push(Delta::replace(piece, literal.whole.clone(), value.into_bytes()));
    }
    let sign = usize::from(matches!(text[0], b'-' | b'+'));
    let first = literal.whole.start + sign + usize::from(literal.whole.len() > sign);
    if literal.is_decimal {
        deltas.extend((sign > 0).then(|| Delta::cut(piece, range.start..range.start + 1)));
        deltas.extend((first < literal.whole.end).then(|| Delta::cut(piece, first..literal.whole.end)));
    }
    let rest = [literal.fraction, literal.exponent, literal.suffix];
    let rest = rest.into_iter().filter(|part| !part.is_empty() && *part != range);
    deltas.extend(rest.map(|part| Delta::cut(piece, part)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn simplified(name: &str, text: &str, fails: impl Fn(&str) -> bool) -> (String, u64) {
        let document = Document::of_file(name, text);
        let found = simplify(&document, vec![Arc::new(NumbersPass)], |document| fails(&document.text()));
        (found.document.text(), found.tests)
    }

    #[test]
    fn one_test_makes_all_numbers_zero() {
        let cases = [
            ("f.json", "[12, -3.5e7, \"42\", 1]", "[0, 0, \"42\", 0]"),
            ("f.c", "int a1 = 0x1Ful + 1'000 + .5f;", "int a1 = 0 + 0 + 0;"),
            ("f.py", "x1 = 1_000j - 7 + 0xff", "x1 = 0 - 0 + 0"),
            ("f.txt", "line 17: a1 took 3.25s", "line 0: a1 took 0"),
        ];
        for (name, text, expected) in cases {
            let (text, tests) = simplified(name, text, |_| true);
            assert_eq!((text.as_str(), tests), (expected, 1), "{name}");
        }
    }

    #[test]
    fn a_number_keeps_only_what_is_needed_of_it() {
        let with = |needed: &'static str| move |text: &str| text.contains(needed);
        assert_eq!(simplified("f.c", "x = 1234.5e6f;", with("e6")).0, "x = 1e6;");
        assert_eq!(simplified("f.c", "x = 1234.5e6f;", with(".5")).0, "x = 1.5;");
        assert_eq!(simplified("f.c", "x = 9876;", |text| !text.contains("= 0")).0, "x = 1;");
        assert_eq!(
            simplified("f.c", "x = 0x10;", |text| text.contains("0x10") || text.contains("16")).0,
            "x = 16;"
        );
        assert_eq!(simplified("f.json", "[-7]", with("7")).0, "[7]");
    }

    #[test]
    fn zero_is_not_replaced() {
        assert!(NumbersPass.proposals(&Document::of_file("f.json", "[0, \"1\", true]")).deltas.is_empty());
    }
}
