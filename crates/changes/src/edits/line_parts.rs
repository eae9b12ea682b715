//! The parts in which two versions of a line differ.

use super::line_tokens::{LINKS, LineToken, OPERATORS, links, tokens, tokens_of_code};
use super::renamings::Renamings;
use std::ops::Range;

/// Lines with more tokens than this are not compared part by part,
const MOST_TOKENS: usize = 120;

/// and neither are blocks of lines with more.
const MOST_TOKENS_OF_A_BLOCK: usize = 600;

/// Tokens of the good version of a line, and the tokens that replace them in the bad version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LinePart {
    pub(super) good: Range<usize>,
    pub(super) bad: Range<usize>,
}

/// Two versions of a line, as tokens.
pub(super) struct LineVersions<'a> {
    pub(super) good: Vec<LineToken<'a>>,
    pub(super) bad: Vec<LineToken<'a>>,
    /// Where they differ, in order.
    pub(super) parts: Vec<LinePart>,
}

impl<'a> LineVersions<'a> {
    /// `None` if the lines are too long.
    pub(super) fn of(good: &'a [u8], bad: &'a [u8], renamings: &Renamings) -> Option<Self> {
        Self::of_tokens(MOST_TOKENS, tokens(good), tokens(bad), renamings)
    }

    /// The same for several lines that replace several others.
    pub(super) fn of_blocks(good: &'a [u8], bad: &'a [u8], renamings: &Renamings) -> Option<Self> {
        let [good, bad] = [good, bad].map(tokens_of_code);
        Self::of_tokens(MOST_TOKENS_OF_A_BLOCK, good, bad, renamings)
    }

    fn of_tokens(
        most: usize,
        good: Vec<LineToken<'a>>,
        bad: Vec<LineToken<'a>>,
        renamings: &Renamings,
    ) -> Option<Self> {
        if good.len().max(bad.len()) > most {
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
        let is_operator =
            |tokens: &[LineToken<'_>]| matches!(tokens, [token] if OPERATORS.contains(&token.text));
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
    own: &[LineToken<'_>],
    other: &[LineToken<'_>],
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
fn depth(tokens: &[LineToken<'_>]) -> [i32; 3] {
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
fn with_calls_apart(part: LinePart, good: &[LineToken<'_>], bad: &[LineToken<'_>]) -> Vec<LinePart> {
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
fn call(tokens: &[LineToken<'_>]) -> usize {
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
    good: &'a [LineToken<'a>],
    bad: &'a [LineToken<'a>],
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
    fn weight(&self, one: &LineToken<'_>, other: &LineToken<'_>, is_same_bracket: bool) -> u32 {
        let is_bracket = |token: &LineToken<'_>| b"()[]{}".contains(&token.text[0]);
        let is_operator = |token: &LineToken<'_>| OPERATORS.contains(&token.text);
        if one.text == other.text {
            return if is_bracket(one) && !is_same_bracket { 0 } else { 10 };
        }
        if one.is_name() && other.is_name() {
            let is_renamed = self.renamings.replaces(one.text, other.text);
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
fn owners<'a>(tokens: &[LineToken<'a>]) -> Vec<&'a [u8]> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
        has(&units, "f(year, month)", "f(day.y, m)");
        let renamed = [("s", "span"), (".1", ".end"), (".0", ".start")];
        let units = self::units("last.1 = last.1.max(s.1),", "last.end = span.end,", &renamed);
        has(&units, "last.end = last.end.max(span.end),", "last.1 = s.1,");
    }
}
