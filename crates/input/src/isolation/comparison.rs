//! Compares two texts token by token: the tokens that both have, and those that only one of them has.

use super::tokens::{TextToken, Tokenization, kind, tokens};
use super::writing_order::{KINDS, OPTIONAL, WritingOrder};
use crate::DocumentPart;
use imara_diff::{Algorithm, Diff, InternedInput};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A part of one of the two texts, or of both.
#[derive(Clone, Debug)]
pub(super) enum TextChunk {
    /// Bytes of the failing text that the passing text has, too.
    Both(Range<usize>),
    /// Bytes that only the passing text has; the delta removes them.
    Passing(Range<usize>, u32),
    /// Bytes that only the failing text has; the delta adds them.
    Failing(Range<usize>, u32),
    /// A token that replaces another one, or the same token with other blanks around it.
    Instead { passing: Range<usize>, failing: Range<usize>, delta: u32 },
}

impl TextChunk {
    /// The delta that adds, removes or replaces it.
    pub(super) fn delta(&self) -> Option<u32> {
        match self {
            TextChunk::Both(_) => None,
            TextChunk::Passing(_, delta)
            | TextChunk::Failing(_, delta)
            | TextChunk::Instead { delta, .. } => Some(*delta),
        }
    }
}

/// The result of comparing two texts.
pub(super) struct TextComparison {
    pub(super) chunks: Vec<TextChunk>,
    /// How many deltas there are.
    pub(super) deltas: u32,
    /// The kinds and places of the seams at which the deltas can be cut.
    pub(super) seams: Vec<(usize, u32)>,
}

/// One side of a comparison.
struct TokenizedSide<'a> {
    bytes: &'a [u8],
    tokens: Vec<TextToken>,
    growth: WritingOrder,
}

impl<'a> TokenizedSide<'a> {
    fn of(part: &'a DocumentPart, kind: Tokenization) -> Self {
        let tokens = tokens(part, kind);
        let growth = WritingOrder::of(&tokens, part.bytes(), kind, part.tree());
        Self { bytes: part.bytes(), tokens, growth }
    }

    fn text(&self, token: usize) -> &'a [u8] {
        &self.bytes[self.tokens[token].text.clone()]
    }

    fn whole(&self, token: usize) -> &'a [u8] {
        &self.bytes[self.tokens[token].bytes.clone()]
    }

    /// The tokens of each line.
    fn lines(&self) -> Vec<Range<usize>> {
        self.lines_of(0..self.tokens.len())
    }

    /// The lines of some of the tokens.
    fn lines_of(&self, tokens: Range<usize>) -> Vec<Range<usize>> {
        let ends_line = |token: &TextToken| self.bytes[token.text.end..token.bytes.end].contains(&b'\n');
        let mut lines = Vec::new();
        let mut start = tokens.start;
        for at in tokens.clone() {
            if ends_line(&self.tokens[at]) || at + 1 == tokens.end {
                lines.push(start..at + 1);
                start = at + 1;
            }
        }
        lines
    }

    fn line(&self, line: &Range<usize>) -> &'a [u8] {
        match (self.tokens.get(line.start), line.end.checked_sub(1).and_then(|last| self.tokens.get(last))) {
            (Some(first), Some(last)) if !line.is_empty() => &self.bytes[first.bytes.start..last.bytes.end],
            _ => b"",
        }
    }
}

/// Tokens of the passing side, and the tokens that replace them on the failing side.
type TokenHunk = (Range<usize>, Range<usize>);

/// Compares two texts.
pub(super) fn compare(passing: &DocumentPart, failing: &DocumentPart) -> TextComparison {
    let kind = kind([Some(passing), Some(failing)]);
    let sides = [TokenizedSide::of(passing, kind), TokenizedSide::of(failing, kind)];
    let [before, after] = &sides;
    let is_in_place = kind == Tokenization::Bytes && before.tokens.len() == after.tokens.len();
    let hunks = match is_in_place {
        true => in_place(before, after),
        false => {
            let hunks = renamed(before, after, hunks(before, after));
            let lines = hunks.into_iter().flat_map(|hunk| line_by_line(before, after, hunk));
            renamed(before, after, lines.collect())
        }
    };
    let mut units = DeltaNumbering::new(before, after);
    let mut at = (0, 0);
    for (number, hunk) in hunks.iter().enumerate() {
        units.common(at.0..hunk.0.start, at.1..hunk.1.start);
        units.hunk(number, hunk);
        at = (hunk.0.end, hunk.1.end);
    }
    units.common(at.0..before.tokens.len(), at.1..after.tokens.len());
    units.numbered()
}

/// Binary data of the same length is compared byte by byte.
fn in_place(before: &TokenizedSide<'_>, after: &TokenizedSide<'_>) -> Vec<TokenHunk> {
    let differ = |at: &usize| before.bytes[*at] != after.bytes[*at];
    (0..before.bytes.len()).filter(differ).map(|at| (at..at + 1, at..at + 1)).collect()
}

/// Compares lines first, so that tokens of a line stay together; then the tokens of the lines that differ.
fn hunks(before: &TokenizedSide<'_>, after: &TokenizedSide<'_>) -> Vec<TokenHunk> {
    let (old, new) = (before.lines(), after.lines());
    let tokens_of = |lines: &[Range<usize>], range: Range<u32>, all: usize| {
        let start = lines.get(range.start as usize).map_or(all, |line| line.start);
        start..lines[..range.end as usize].last().map_or(start, |line| line.end).max(start)
    };
    let mut input = InternedInput::default();
    input.update_before(old.iter().map(|line| before.line(line)));
    input.update_after(new.iter().map(|line| after.line(line)));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let mut hunks = Vec::new();
    let mut words = InternedInput::default();
    for lines in diff.hunks() {
        let old = tokens_of(&old, lines.before, before.tokens.len());
        let new = tokens_of(&new, lines.after, after.tokens.len());
        words.clear();
        words.update_before(old.clone().map(|token| before.text(token)));
        words.update_after(new.clone().map(|token| after.text(token)));
        let mut diff = Diff::compute(Algorithm::Histogram, &words);
        diff.postprocess_no_heuristic(&words);
        for hunk in diff.hunks() {
            let shifted = |range: Range<u32>, by: usize| range.start as usize + by..range.end as usize + by;
            let hunk = (shifted(hunk.before, old.start), shifted(hunk.after, new.start));
            hunks.push(hunk);
        }
    }
    hunks
}

/// Splits a hunk so that each line that replaces another one is a hunk of its own.
fn line_by_line(
    before: &TokenizedSide<'_>,
    after: &TokenizedSide<'_>,
    (old, new): TokenHunk,
) -> Vec<TokenHunk> {
    if old.is_empty() || new.is_empty() {
        return vec![(old, new)];
    }
    let (old_lines, new_lines) = (before.lines_of(old.clone()), after.lines_of(new.clone()));
    let pairs = old_lines.len().min(new_lines.len());
    let rest = (old_lines[pairs - 1].end..old.end, new_lines[pairs - 1].end..new.end);
    let mut hunks: Vec<TokenHunk> = old_lines.into_iter().zip(new_lines).collect();
    if !rest.0.is_empty() || !rest.1.is_empty() {
        hunks.push(rest);
    }
    hunks
}

/// The same hunks, with renamed words split off at their ends if the same renaming occurs elsewhere.
fn renamed(before: &TokenizedSide<'_>, after: &TokenizedSide<'_>, hunks: Vec<TokenHunk>) -> Vec<TokenHunk> {
    let pair = |old: usize, new: usize| (before.text(old), after.text(new));
    let mut known = HashSet::new();
    for (old, new) in hunks.iter().filter(|(old, new)| old.len() == new.len()) {
        let pairs = old.clone().zip(new.clone()).map(|(old, new)| pair(old, new));
        known.extend(pairs.filter(|(old, new)| is_word(old) && is_word(new)));
    }
    let mut refined = Vec::with_capacity(hunks.len());
    for (mut old, mut new) in hunks {
        let mut tail = Vec::new();
        while old.len() != new.len() && !old.is_empty() && !new.is_empty() {
            if known.contains(&pair(old.start, new.start)) {
                refined.push((old.start..old.start + 1, new.start..new.start + 1));
                (old.start, new.start) = (old.start + 1, new.start + 1);
            } else if known.contains(&pair(old.end - 1, new.end - 1)) {
                (old.end, new.end) = (old.end - 1, new.end - 1);
                tail.push((old.end..old.end + 1, new.end..new.end + 1));
            } else {
                break;
            }
        }
        refined.push((old, new));
        refined.extend(tail.into_iter().rev());
    }
    refined
}

fn is_word(text: &[u8]) -> bool {
    text.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80)
}

/// A word of the passing side, and the word that replaces it.
type Renaming<'a> = (&'a [u8], &'a [u8]);

/// The chunks, and what the order of their deltas depends on.
struct DeltaNumbering<'a> {
    before: &'a TokenizedSide<'a>,
    after: &'a TokenizedSide<'a>,
    chunks: Vec<TextChunk>,
    /// The deltas, with their times and their chunks.
    order: Vec<OrderedDelta>,
    /// When tokens of the passing side are first removed, by the time at which the passing side writes them.
    taken_away: HashMap<u32, u32>,
    /// The hunk and the time of each first renaming: a name changes everywhere at once.
    renamed: HashMap<Renaming<'a>, (usize, u32)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct OrderedDelta {
    time: u32,
    hunk: usize,
    /// Removed tokens come before added ones.
    comes: bool,
    within: u32,
    chunk: usize,
    kind: usize,
}

impl<'a> DeltaNumbering<'a> {
    fn new(before: &'a TokenizedSide<'a>, after: &'a TokenizedSide<'a>) -> Self {
        Self {
            before,
            after,
            chunks: Vec::new(),
            order: Vec::new(),
            taken_away: HashMap::new(),
            renamed: HashMap::new(),
        }
    }

    fn common(&mut self, old: Range<usize>, new: Range<usize>) {
        for (old, new) in old.zip(new) {
            let bytes = self.after.tokens[new].bytes.clone();
            if self.before.whole(old) == self.after.whole(new) {
                match self.chunks.last_mut() {
                    Some(TextChunk::Both(range)) if range.end == bytes.start => range.end = bytes.end,
                    _ => self.chunks.push(TextChunk::Both(bytes)),
                }
                continue;
            }
            let passing = self.before.tokens[old].bytes.clone();
            let (time, _) = self.after.growth.time(new);
            let unit = OrderedDelta {
                time,
                hunk: 0,
                comes: false,
                within: 0,
                chunk: self.chunks.len(),
                kind: OPTIONAL,
            };
            self.order.push(unit);
            self.chunks.push(TextChunk::Instead { passing, failing: bytes, delta: 0 });
        }
    }

    fn hunk(&mut self, number: usize, (old, new): &TokenHunk) {
        let written = |token: usize| self.after.growth.time(token).0;
        let first = new.clone().map(written).min();
        let is_mixed = !old.is_empty() && first.is_some();
        // Tokens that are only removed are removed when the token after them is written.
        let place = first.or_else(|| (new.start < self.after.tokens.len()).then(|| written(new.start)));
        let riskier = |kind: usize| if is_mixed { (kind + 1).min(KINDS - 1) } else { kind };
        let hunk = number + 1;
        // A text with both tokens, or with neither of them, would not make sense.
        if old.len() == new.len() {
            for (old, new) in old.clone().zip(new.clone()) {
                let (time, kind) = self.after.growth.time(new);
                let texts = (self.before.text(old), self.after.text(new));
                let (mut hunk, mut time) = (number + 1, time);
                if is_word(texts.0) && is_word(texts.1) {
                    (hunk, time) = *self.renamed.entry(texts).or_insert((hunk, time));
                }
                let (kind, chunk) = (kind.min(OPTIONAL), self.chunks.len());
                self.order.push(OrderedDelta { time, hunk, comes: false, within: time, chunk, kind });
                let passing = self.before.tokens[old].bytes.clone();
                let failing = self.after.tokens[new].bytes.clone();
                self.chunks.push(TextChunk::Instead { passing, failing, delta: 0 });
            }
            return;
        }
        for token in old.clone() {
            let (was_written, kind) = self.before.growth.time(token);
            let place = place.unwrap_or(u32::MAX);
            let time = match is_mixed {
                true => place,
                false => *self.taken_away.entry(was_written).or_insert(place),
            };
            let within = u32::MAX - was_written;
            let chunk = self.chunks.len();
            self.order.push(OrderedDelta { time, hunk, comes: false, within, chunk, kind: riskier(kind) });
            self.chunks.push(TextChunk::Passing(self.before.tokens[token].bytes.clone(), 0));
        }
        for token in new.clone() {
            let (written, kind) = self.after.growth.time(token);
            let time = if is_mixed { first.unwrap_or(written) } else { written };
            let chunk = self.chunks.len();
            let hunk = if is_mixed { hunk } else { 0 };
            self.order.push(OrderedDelta {
                time,
                hunk,
                comes: true,
                within: written,
                chunk,
                kind: riskier(kind),
            });
            self.chunks.push(TextChunk::Failing(self.after.tokens[token].bytes.clone(), 0));
        }
    }

    fn numbered(mut self) -> TextComparison {
        self.order.sort_unstable();
        let mut seams = Vec::new();
        let mut previous: Option<OrderedDelta> = None;
        for (number, unit) in (0..).zip(&self.order) {
            let begins = previous.is_none_or(|previous| {
                (previous.time, previous.hunk, previous.comes, previous.within)
                    != (unit.time, unit.hunk, unit.comes, unit.within)
            });
            if begins {
                let is_exchange = previous.is_some_and(|previous| {
                    (previous.time, previous.hunk) == (unit.time, unit.hunk) && previous.comes != unit.comes
                });
                let begins_hunk = previous.is_none_or(|previous| previous.time != unit.time);
                let kind = match () {
                    () if is_exchange => KINDS - 1,
                    // A replacement can come first.
                    () if begins_hunk && unit.hunk > 0 => unit.kind.min(OPTIONAL),
                    () => unit.kind,
                };
                seams.push((kind, number));
            }
            previous = Some(*unit);
            match &mut self.chunks[unit.chunk] {
                TextChunk::Both(_) => {}
                TextChunk::Passing(_, delta)
                | TextChunk::Failing(_, delta)
                | TextChunk::Instead { delta, .. } => {
                    *delta = number;
                }
            }
        }
        TextComparison { chunks: self.chunks, deltas: self.order.len() as u32, seams }
    }
}
