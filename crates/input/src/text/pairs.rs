//! Brackets and quotes that belong together, found without a grammar.

use super::{EncodedCharacter, EncodedText};
use std::ops::Range;

/// Two delimiters that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DelimiterPair {
    pub(crate) open: Range<usize>,
    pub(crate) close: Range<usize>,
    /// In how many other pairs it is.
    pub(crate) depth: u32,
}

/// All pairs of a text, each before the pairs in it. Delimiters without a partner are skipped.
pub(crate) fn pairs(text: EncodedText<'_>) -> Vec<DelimiterPair> {
    let characters: Vec<EncodedCharacter> = text.characters().collect();
    let mut reading = PairSearch::default();
    let mut at = 0;
    while let Some(character) = characters.get(at) {
        let before = at.checked_sub(1).map(|before| characters[before].is);
        at = match character.is {
            '(' | '[' | '{' => reading.open(at, character.is),
            // A comparison or a shift is not a bracket.
            '<' if characters.get(at + 1).is_some_and(|next| !matches!(next.is, ' ' | '<' | '=')) => {
                reading.open(at, character.is)
            }
            ')' => reading.close(at, '('),
            ']' => reading.close(at, '['),
            '}' => reading.close(at, '{'),
            '>' => reading.close(at, '<'),
            // Between letters it is an apostrophe.
            '\'' if before.is_some_and(char::is_alphanumeric) => at + 1,
            '"' | '\'' | '`' => reading.quote(at, character.is, &characters),
            _ => at + 1,
        };
    }
    let mut found = reading.found;
    found.sort_unstable();
    let place = |at: usize| characters[at].start..characters[at].end;
    nested(found.into_iter().map(|(open, close)| (place(open), place(close))))
}

/// The pairs with their depths, sorted by their openings.
fn nested(found: impl Iterator<Item = (Range<usize>, Range<usize>)>) -> Vec<DelimiterPair> {
    let mut ends: Vec<usize> = Vec::new();
    let mut pairs = Vec::new();
    for (open, close) in found {
        while ends.last().is_some_and(|end| *end <= open.start) {
            ends.pop();
        }
        let depth = ends.len() as u32;
        ends.push(close.end);
        pairs.push(DelimiterPair { open, close, depth });
    }
    pairs
}

/// The open delimiters, and the pairs found so far. Places count characters.
#[derive(Default)]
struct PairSearch {
    open: Vec<(char, usize)>,
    /// How many round, square and curly brackets are open, so that a lone bracket does not cost a search through all of them.
    counts: [usize; 3],
    found: Vec<(usize, usize)>,
    /// Up to which place each kind of quote is known not to occur.
    unquoted: [usize; 3],
}

impl PairSearch {
    fn open(&mut self, at: usize, is: char) -> usize {
        self.open.push((is, at));
        if let Some(count) = count_of(is) {
            self.counts[count] += 1;
        }
        at + 1
    }

    /// Closes a bracket, and drops the open delimiters inside it, which have no partner.
    fn close(&mut self, at: usize, opener: char) -> usize {
        let can_match = match count_of(opener) {
            Some(count) => self.counts[count] > 0,
            None => self.open.last().is_some_and(|(is, _)| *is == opener),
        };
        while can_match && let Some((is, open)) = self.open.pop() {
            if let Some(count) = count_of(is) {
                self.counts[count] -= 1;
            }
            if is == opener {
                self.found.push((open, at));
                break;
            }
        }
        at + 1
    }

    /// A string ends on the line on which it starts.
    fn quote(&mut self, at: usize, is: char, characters: &[EncodedCharacter]) -> usize {
        let unquoted = &mut self.unquoted[QUOTES.iter().position(|quote| *quote == is).unwrap_or(0)];
        if at < *unquoted {
            return at + 1;
        }
        let mut end = at + 1;
        while let Some(character) = characters.get(end).filter(|character| character.is != '\n') {
            if character.is == is {
                self.found.push((at, end));
                return end + 1;
            }
            end += if character.is == '\\' { 2 } else { 1 };
        }
        *unquoted = end;
        at + 1
    }
}

const QUOTES: [char; 3] = ['"', '\'', '`'];

fn count_of(opener: char) -> Option<usize> {
    ['(', '[', '{'].iter().position(|is| *is == opener)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, u32)> {
        let pairs = pairs(EncodedText::of(text.as_bytes()));
        pairs.into_iter().map(|pair| (&text[pair.open.start..pair.close.end], pair.depth)).collect()
    }

    #[test]
    fn pairs_are_found_without_a_grammar() {
        assert_eq!(found("f(a[1], {b})"), [("(a[1], {b})", 0), ("[1]", 1), ("{b}", 1)]);
        assert_eq!(found("<a href=\"x>y\">"), [("<a href=\"x>y\">", 0), ("\"x>y\"", 1)]);
        assert_eq!(found("it's 'so \\' it' is"), [("'so \\' it'", 0)]);
    }

    #[test]
    fn delimiters_without_a_partner_are_skipped() {
        assert_eq!(found(") a < b ( c ] d > e )"), [("( c ] d > e )", 0)]);
        assert_eq!(found("([)"), [("([)", 0)]);
        assert_eq!(found("say \"\nno\""), []);
    }

    #[test]
    fn deep_nesting_and_lone_delimiters_are_read_in_one_go() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(found(&deep).len(), 100_000);
        assert_eq!(found(&"(]}>".repeat(100_000)).len(), 0);
        assert_eq!(found(&"\\\"".repeat(100_000)).len(), 0);
    }
}
