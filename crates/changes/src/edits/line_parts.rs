//! The parts in which two versions of a line differ.

use super::renamings::Renamings;
use std::ops::Range;

/// Lines with more tokens than this are not compared part by part.
const MOST_TOKENS: usize = 120;

/// A token, and the blanks before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    blanks: &'a [u8],
    pub(super) text: &'a [u8],
}

impl Token<'_> {
    /// Whether it is a name, a number or a string, and not a mark or the name of a method that is called.
    pub(super) fn is_operand(&self) -> bool {
        is_word(self.text[0]) || is_quote(self.text[0])
    }

    /// Whether it can be another version of a token: the same, or an operand too.
    fn is_like(&self, other: &Token<'_>) -> bool {
        self.text == other.text || self.is_operand() && other.is_operand()
    }

    /// Whether it is a name.
    fn is_name(&self) -> bool {
        is_word(self.text[0]) && !self.text[0].is_ascii_digit()
    }
}

/// Tokens of the good version of a line, and the tokens that replace them in the bad version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LinePart {
    pub(super) good: Range<usize>,
    pub(super) bad: Range<usize>,
}

/// Two versions of a line, as tokens.
pub(super) struct LineVersions<'a> {
    pub(super) good: Vec<Token<'a>>,
    pub(super) bad: Vec<Token<'a>>,
    /// Where they differ, in order.
    pub(super) parts: Vec<LinePart>,
}

impl<'a> LineVersions<'a> {
    /// `None` if the lines are too long.
    pub(super) fn of(good: &'a [u8], bad: &'a [u8], renamings: &Renamings) -> Option<Self> {
        let (good, bad) = (tokens(good), tokens(bad));
        if good.len().max(bad.len()) > MOST_TOKENS {
            return None;
        }
        let aligned = Alignment { good: &good, bad: &bad, renamings }.parts();
        let parts = aligned.into_iter().flat_map(|part| with_calls_apart(part, &good, &bad)).collect();
        Some(Self { good, bad, parts })
    }

    /// The name that a part replaces, and the name that it is replaced by.
    pub(super) fn renaming(&self, part: &LinePart) -> Option<(&'a [u8], &'a [u8])> {
        match (&self.good[part.good.clone()], &self.bad[part.bad.clone()]) {
            ([one], [other]) if one.is_name() && other.is_name() => Some((one.text, other.text)),
            _ => None,
        }
    }

    /// Whether some parts replace an operator by another: the smallest mistakes are of this kind.
    pub(super) fn swaps_an_operator(&self, parts: &[LinePart]) -> bool {
        let is_operator = |tokens: &[Token<'_>]| matches!(tokens, [token] if OPERATORS.contains(&token.text));
        let is_swap = |part: &LinePart| {
            is_operator(&self.good[part.good.clone()]) && is_operator(&self.bad[part.bad.clone()])
        };
        parts.iter().all(is_swap)
    }

    /// The smallest sets of parts that leave brackets in balance, without those that are left out.
    pub(super) fn units(&self, is_left_out: impl Fn(&LinePart) -> bool) -> Vec<Vec<LinePart>> {
        let mut units: Vec<Vec<LinePart>> = Vec::new();
        let mut unbalanced = Vec::new();
        for part in self.parts.iter().filter(|part| !is_left_out(part)) {
            if depth(&self.good[part.good.clone()]) == depth(&self.bad[part.bad.clone()]) {
                units.push(vec![part.clone()]);
            } else {
                unbalanced.push(part.clone());
            }
        }
        units.extend((!unbalanced.is_empty()).then_some(unbalanced));
        units
    }

    /// The bad version with some parts as they were in the good version, in the names of the bad version.
    pub(super) fn undone(&self, undone: &[LinePart], renamings: &Renamings) -> Vec<u8> {
        let swapped = undone.iter().map(|part| (part.bad.clone(), part.good.clone()));
        joined(&self.bad, &self.good, swapped.collect(), |name| renamings.new_name(name))
    }

    /// The good version with some parts as they are in the bad version, in the names of the good version.
    pub(super) fn made(&self, made: &[LinePart], renamings: &Renamings) -> Vec<u8> {
        let swapped = made.iter().map(|part| (part.good.clone(), part.bad.clone()));
        joined(&self.good, &self.bad, swapped.collect(), |name| renamings.old_name(name))
    }
}

/// The tokens of one version, with some of them replaced by tokens of the other, which get other names.
fn joined(
    own: &[Token<'_>],
    other: &[Token<'_>],
    mut swapped: Vec<(Range<usize>, Range<usize>)>,
    rename: impl Fn(&[u8]) -> Vec<u8>,
) -> Vec<u8> {
    swapped.sort_by_key(|(replaced, _)| (replaced.start, replaced.end));
    let mut blanks: Vec<&[u8]> = own.iter().map(|token| token.blanks).collect();
    for (replaced, by) in &swapped {
        // The blanks between two tokens belong to both of them.
        match (own.get(replaced.end), other.get(by.end)) {
            (Some(next), Some(next_other)) if next.is_like(next_other) => {
                blanks[replaced.end] = next_other.blanks;
            }
            _ => {}
        }
    }
    let mut line = Vec::new();
    let mut add = |blanks: &[u8], text: &[u8]| {
        // The indentation is that of the place, so it is not part of the line.
        line.extend_from_slice(if line.is_empty() { b"" } else { blanks });
        line.extend_from_slice(text);
    };
    let mut at = 0;
    for (replaced, by) in swapped {
        (at..replaced.start).for_each(|kept| add(blanks[kept], own[kept].text));
        other[by].iter().for_each(|token| add(token.blanks, &rename(token.text)));
        at = replaced.end;
    }
    (at..own.len()).for_each(|kept| add(blanks[kept], own[kept].text));
    line
}

/// How many brackets of each kind are left open.
fn depth(tokens: &[Token<'_>]) -> [i32; 3] {
    let mut depth = [0; 3];
    for token in tokens {
        match token.text {
            b"(" => depth[0] += 1,
            b")" => depth[0] -= 1,
            b"[" => depth[1] += 1,
            b"]" => depth[1] -= 1,
            b"{" => depth[2] += 1,
            b"}" => depth[2] -= 1,
            _ => {}
        }
    }
    depth
}

/// A call such as `.map(f)` at the start of a part is a part of its own, whatever comes after it.
fn with_calls_apart(part: LinePart, good: &[Token<'_>], bad: &[Token<'_>]) -> Vec<LinePart> {
    let LinePart { good: one, bad: other } = part;
    if one.is_empty() || other.is_empty() {
        return vec![LinePart { good: one, bad: other }];
    }
    let (in_good, in_bad) = (one.start + call(&good[one.clone()]), other.start + call(&bad[other.clone()]));
    let parts = [
        LinePart { good: one.start..in_good, bad: other.start..other.start },
        LinePart { good: in_good..in_good, bad: other.start..in_bad },
        LinePart { good: in_good..one.end, bad: in_bad..other.end },
    ];
    parts.into_iter().filter(|part| !part.good.is_empty() || !part.bad.is_empty()).collect()
}

/// How many tokens at the start are calls of methods, with all their arguments, if something follows them.
fn call(tokens: &[Token<'_>]) -> usize {
    let (mut end, mut open) = (0, 0);
    for (at, token) in tokens.iter().enumerate() {
        let is_method = LINKS.iter().any(|link| token.text.starts_with(link));
        match token.text {
            _ if open == 0 && at == end && !is_method => break,
            b"(" => open += 1,
            b")" if open == 0 => break,
            b")" => open -= 1,
            _ if open == 0 && !is_method => break,
            _ => {}
        }
        if open == 0 && token.text == b")" {
            end = at + 1;
        }
    }
    end
}

/// Brings the tokens of two versions of a line together.
struct Alignment<'a> {
    good: &'a [Token<'a>],
    bad: &'a [Token<'a>],
    renamings: &'a Renamings,
}

impl Alignment<'_> {
    /// Where the versions differ: each pair of different tokens, and the tokens between pairs.
    fn parts(&self) -> Vec<LinePart> {
        let (good_owners, bad_owners) = (owners(self.good), owners(self.bad));
        let weight = |one: usize, other: usize| {
            let is_same_bracket = good_owners[one] == bad_owners[other];
            self.weight(&self.good[one], &self.bad[other], is_same_bracket)
        };
        // best[i][j]: the highest weight of the tokens from i and from j on.
        let mut best = vec![vec![0_u32; self.bad.len() + 1]; self.good.len() + 1];
        for one in (0..self.good.len()).rev() {
            for other in (0..self.bad.len()).rev() {
                let paired = match weight(one, other) {
                    0 => 0,
                    weight => weight + best[one + 1][other + 1],
                };
                best[one][other] = paired.max(best[one + 1][other]).max(best[one][other + 1]);
            }
        }
        let mut parts = Vec::new();
        let (mut one, mut other) = (0, 0);
        let (mut from, mut from_other) = (0, 0);
        let mut close = |good: Range<usize>, bad: Range<usize>| {
            if !good.is_empty() || !bad.is_empty() {
                parts.push(LinePart { good, bad });
            }
        };
        while one < self.good.len() && other < self.bad.len() {
            let here = weight(one, other);
            if here > 0 && best[one][other] == here + best[one + 1][other + 1] {
                close(from..one, from_other..other);
                if self.good[one].text != self.bad[other].text {
                    close(one..one + 1, other..other + 1);
                }
                (one, other) = (one + 1, other + 1);
                (from, from_other) = (one, other);
            } else if best[one + 1][other] >= best[one][other + 1] {
                one += 1;
            } else {
                other += 1;
            }
        }
        close(from..self.good.len(), from_other..self.bad.len());
        parts
    }

    /// How much speaks for it that two tokens are versions of the same token.
    fn weight(&self, one: &Token<'_>, other: &Token<'_>, is_same_bracket: bool) -> u32 {
        let is_bracket = |token: &Token<'_>| b"()[]{}".contains(&token.text[0]);
        let is_operator = |token: &Token<'_>| OPERATORS.contains(&token.text);
        if one.text == other.text {
            return if is_bracket(one) && !is_same_bracket { 0 } else { 10 };
        }
        if one.is_name() && other.is_name() {
            let is_renamed = self.renamings.new_name(one.text) == other.text;
            let shares_a_link = links(one.text).iter().any(|link| links(other.text).contains(link));
            return if is_renamed {
                9
            } else if shares_a_link {
                5
            } else {
                1
            };
        }
        u32::from(one.is_operand() && other.is_operand())
            + 3 * u32::from(is_operator(one) && is_operator(other))
    }
}

/// What each bracket belongs to: the token before the bracket that opens it. Other tokens belong to nothing.
fn owners<'a>(tokens: &[Token<'a>]) -> Vec<&'a [u8]> {
    let mut open: Vec<&[u8]> = Vec::new();
    let mut owners = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        owners.push(match token.text {
            b"(" | b"[" | b"{" => {
                let before = at.checked_sub(1).map_or(&b""[..], |before| tokens[before].text);
                open.push(before);
                before
            }
            b")" | b"]" | b"}" => open.pop().unwrap_or_default(),
            _ => b"",
        });
    }
    owners
}

/// The names of a chain such as `a.b.c`.
pub(super) fn links(chain: &[u8]) -> Vec<&[u8]> {
    chain.split(|byte| !is_word(*byte)).filter(|link| !link.is_empty()).collect()
}

/// Names with their qualifiers, strings, and marks. The name of a method that is called is a token of its own.
pub(super) fn tokens(line: &[u8]) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let start = at + line[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if start == line.len() {
            break;
        }
        let blanks = &line[at..start];
        let end = start + token_length(&line[start..]);
        let chain = &line[start..end];
        let last = last_link(chain).filter(|last| *last > 0 && line.get(end) == Some(&b'('));
        match last {
            Some(last) => {
                tokens.push(Token { blanks, text: &chain[..last] });
                tokens.push(Token { blanks: b"", text: &chain[last..] });
            }
            None => tokens.push(Token { blanks, text: chain }),
        }
        at = end;
    }
    tokens
}

const LINKS: [&[u8]; 4] = [b"->", b"::", b"?.", b"."];

const MARKS: [&[u8]; 22] = [
    b"===", b"!==", b"...", b"<<=", b">>=", b"**=", b"=>", b"==", b"!=", b"<=", b">=", b"&&", b"||", b"+=",
    b"-=", b"*=", b"/=", b"++", b"--", b"<<", b">>", b"**",
];

const OPERATORS: [&[u8]; 19] = [
    b"<", b"<=", b">", b">=", b"==", b"!=", b"===", b"!==", b"+", b"-", b"*", b"/", b"%", b"+=", b"-=",
    b"&&", b"||", b"and", b"or",
];

fn token_length(text: &[u8]) -> usize {
    if is_quote(text[0])
        && let Some(length) = string_length(text)
    {
        return length;
    }
    let mut length = 0;
    loop {
        let link = LINKS.iter().find(|link| text[length..].starts_with(link)).map_or(0, |link| link.len());
        let word = text[length + link..].iter().take_while(|byte| is_word(**byte)).count();
        if word == 0 || (length > 0 && link == 0) {
            break;
        }
        length += link + word;
    }
    if length > 0 {
        return length;
    }
    MARKS.iter().find(|mark| text.starts_with(mark)).map_or(1, |mark| mark.len())
}

/// The length of the string that a text starts with, if it ends in the same line.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            byte if byte == text[0] => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// Where the last link of a chain such as `a.b.c` begins.
fn last_link(chain: &[u8]) -> Option<usize> {
    if is_quote(chain[0]) {
        return None;
    }
    let word = chain.iter().rev().take_while(|byte| is_word(**byte)).count();
    let before = chain.len() - word;
    let link = LINKS.iter().find(|link| chain[..before].ends_with(link))?;
    Some(before - link.len())
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@') || !byte.is_ascii()
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        let texts = tokens(line.as_bytes()).into_iter();
        texts.map(|token| String::from_utf8_lossy(token.text).into_owned()).collect::<Vec<_>>().join(" | ")
    }

    /// Each unit, undone in the bad version and made in the good one.
    fn units(good: &str, bad: &str, renamed: &[(&str, &str)]) -> Vec<[String; 2]> {
        let renamings =
            Renamings::of_names(renamed.iter().map(|(one, other)| (one.as_bytes(), other.as_bytes())));
        let versions = LineVersions::of(good.as_bytes(), bad.as_bytes(), &renamings).unwrap();
        let units = versions.units(|_| false);
        let text = |line: Vec<u8>| String::from_utf8(line).unwrap();
        let both = |unit: &Vec<LinePart>| {
            [text(versions.undone(unit, &renamings)), text(versions.made(unit, &renamings))]
        };
        units.iter().map(both).collect()
    }

    fn has(units: &[[String; 2]], undone: &str, made: &str) {
        assert!(units.contains(&[undone.to_owned(), made.to_owned()]), "{units:#?}");
    }

    #[test]
    fn the_name_of_a_called_method_is_a_token_of_its_own() {
        assert_eq!(
            shown("x = self.a.b.get(i->n, 'a b')"),
            "x | = | self.a.b | .get | ( | i->n | , | 'a b' | )"
        );
        let mixed = "f | ( | g | ) | .len | ( | ) | >= | 2.5 | / | / | don | ' | t";
        assert_eq!(shown("f(g).len() >= 2.5 // don't"), mixed);
    }

    #[test]
    fn an_operator_is_undone_with_the_operands_of_the_bad_version() {
        let good = "let pad = len.saturating_sub(text.chars().count());";
        let bad = "let pad = column.width - text.chars().count();";
        let undone = "let pad = column.width.saturating_sub(text.chars().count());";
        has(&units(good, bad, &[]), undone, "let pad = len - text.chars().count();");
    }

    #[test]
    fn each_difference_that_leaves_brackets_in_balance_is_a_unit() {
        assert_eq!(units("if a < b && c:", "if a <= b && d:", &[]).len(), 2);
        assert_eq!(units("f(g(a), b)", "f(a, b)", &[]), [["f(g(a), b)", "f(a, b)"]]);
    }

    #[test]
    fn a_call_that_was_lost_is_a_unit_though_the_line_got_another_shape() {
        let good = "@people[name] = { mail: mail, tags: tags.split(',').map(&:strip) }";
        let bad = "new(name, mail, tags.split(','))";
        let undone = "new(name, mail, tags.split(',').map(&:strip))";
        has(&units(good, bad, &[]), undone, "@people[name] = { mail: mail, tags: tags.split(',') }");
    }

    #[test]
    fn what_is_undone_gets_the_names_of_the_bad_version() {
        let renamed = [("y", "year"), ("m", "month"), ("day", "start")];
        let units = units("f(y, m)", "f(start.year, month)", &renamed);
        has(&units, "f(year, month)", "f(day.year, m)");
        let renamed = [("s", "span"), (".1", ".end"), (".0", ".start")];
        let units = self::units("last.1 = last.1.max(s.1),", "last.end = span.end,", &renamed);
        has(&units, "last.end = last.end.max(span.end),", "last.1 = s.1,");
    }
}
