//! The finest changes of a text: single lines, and pairs of a line and the line that replaces it.

use crate::deltas::hunk::{Hunk, LineEdit, edits};
use crate::deltas::text::Text;
use std::cmp::Ordering;

/// Edits with more possible pairs of lines than this are not searched for lines that belong together.
const MOST_PAIRS: usize = 200 * 200;

/// How many tokens of a line are compared at most. Longer lines are rarely written by people.
const MOST_TOKENS: usize = 200;

/// How alike two lines must be, of [`ALIKE`], to be versions of the same line.
const ENOUGH: u32 = 400;

/// What two lines with the same tokens score.
const ALIKE: u32 = 1000;

/// The changes between two versions, each of one line or a pair, in order.
pub(crate) fn single_lines(good: &Text, bad: &Text) -> Vec<Hunk> {
    edits(good, bad).iter().flat_map(|edit| split(good, bad, edit)).map(Hunk::from).collect()
}

/// The changes between two versions, each of one line that is removed or added, in order.
pub(crate) fn unpaired_lines(good: &Text, bad: &Text) -> Vec<Hunk> {
    let removed = |edit: &LineEdit| {
        let at = edit.bad.start;
        edit.good.clone().map(move |line| LineEdit { good: line..line + 1, bad: at..at })
    };
    let added = |edit: &LineEdit| {
        let at = edit.good.end;
        edit.bad.clone().map(move |line| LineEdit { good: at..at, bad: line..line + 1 })
    };
    edits(good, bad).iter().flat_map(|edit| removed(edit).chain(added(edit))).map(Hunk::from).collect()
}

/// Splits an edit into pairs of lines in order, with the removed lines between them before the added ones.
fn split(good: &Text, bad: &Text, edit: &LineEdit) -> Vec<LineEdit> {
    let mut parts = Vec::new();
    let (mut old, mut new) = (edit.good.start, edit.bad.start);
    let end = (edit.good.len(), edit.bad.len());
    for (nth_good, nth_bad) in pairs(good, bad, edit).into_iter().chain([end]) {
        let (to_old, to_new) = (edit.good.start + nth_good as u32, edit.bad.start + nth_bad as u32);
        parts.extend((old..to_old).map(|line| LineEdit { good: line..line + 1, bad: new..new }));
        parts.extend((new..to_new).map(|line| LineEdit { good: to_old..to_old, bad: line..line + 1 }));
        let pair = LineEdit { good: to_old..to_old + 1, bad: to_new..to_new + 1 };
        // An edit is not always as small as possible, so a line can be paired with itself.
        if (nth_good, nth_bad) != end && good.run(pair.good.clone()) != bad.run(pair.bad.clone()) {
            parts.push(pair);
        }
        (old, new) = (to_old + 1, to_new + 1);
    }
    parts
}

/// Which lines of an edit are versions of the same line, in order, counted within the edit.
fn pairs(good: &Text, bad: &Text, edit: &LineEdit) -> Vec<(usize, usize)> {
    let (height, width) = (edit.good.len(), edit.bad.len());
    if height == width {
        return (0..height).map(|nth| (nth, nth)).collect();
    }
    if height * width > MOST_PAIRS || height == 0 || width == 0 {
        return Vec::new();
    }
    let old: Vec<_> = good.lines(edit.good.clone()).map(tokens).collect();
    let new: Vec<_> = bad.lines(edit.bad.clone()).map(tokens).collect();
    best_alignment(height, width, |one, other| similarity(&old[one], &new[other]))
}

/// The pairs in order with the highest total score; of several, those that begin first.
fn best_alignment(height: usize, width: usize, score: impl Fn(usize, usize) -> u32) -> Vec<(usize, usize)> {
    let scores: Vec<u32> = (0..height * width)
        .map(|at| score(at / width, at % width))
        .map(|s| if s < ENOUGH { 0 } else { s })
        .collect();
    // best[i][j]: the highest score of the lines from i and from j on.
    let mut best = vec![vec![0_u32; width + 1]; height + 1];
    for one in (0..height).rev() {
        for other in (0..width).rev() {
            let paired = scores[one * width + other] + best[one + 1][other + 1];
            best[one][other] = paired.max(best[one + 1][other]).max(best[one][other + 1]);
        }
    }
    let (mut one, mut other, mut pairs) = (0, 0, Vec::new());
    while one < height && other < width {
        let here = scores[one * width + other];
        if here > 0 && best[one][other] == here + best[one + 1][other + 1] {
            pairs.push((one, other));
            (one, other) = (one + 1, other + 1);
        } else if best[one][other] == best[one][other + 1] {
            other += 1;
        } else {
            one += 1;
        }
    }
    pairs
}

/// Words, numbers and single marks, in the order of their bytes; white space does not count.
fn tokens(line: &[u8]) -> Vec<&[u8]> {
    let runs = line.chunk_by(|&one, &next| is_word(one) && is_word(next));
    let mut tokens: Vec<_> = runs.filter(|run| !run[0].is_ascii_whitespace()).take(MOST_TOKENS).collect();
    tokens.sort_unstable();
    tokens
}

/// How alike two lines are, of [`ALIKE`].
pub(crate) fn similarity_of(one: &[u8], other: &[u8]) -> u32 {
    similarity(&tokens(one), &tokens(other))
}

/// The share of tokens that two lines have in common, of [`ALIKE`]. Most lines have some brackets in common, so without a
/// common word they count half.
fn similarity(one: &[&[u8]], other: &[&[u8]]) -> u32 {
    let (mut at, mut at_other, mut common, mut words) = (0, 0, 0, 0);
    while at < one.len() && at_other < other.len() {
        match one[at].cmp(other[at_other]) {
            Ordering::Less => at += 1,
            Ordering::Greater => at_other += 1,
            Ordering::Equal => {
                words += u32::from(is_word(one[at][0]));
                (at, at_other, common) = (at + 1, at_other + 1, common + 1);
            }
        }
    }
    let has_words = |tokens: &[&[u8]]| tokens.iter().any(|token| is_word(token[0]));
    match one.len() + other.len() {
        0 => ALIKE,
        both if words == 0 && (has_words(one) || has_words(other)) => common * ALIKE / both as u32,
        both => 2 * common * ALIKE / both as u32,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each delta as its removed and its added lines.
    fn deltas(good: &str, bad: &str) -> Vec<String> {
        let text = |text: &str| Text::new(text.as_bytes().into());
        let (good, bad) = (text(good), text(bad));
        let shown = |hunk: &Hunk| {
            let span = hunk.span();
            let lines = [good.run(span.good), b">", bad.run(span.bad)].concat();
            String::from_utf8(lines).unwrap().replace('\n', "")
        };
        single_lines(&good, &bad).iter().map(shown).collect()
    }

    #[test]
    fn as_many_lines_as_before_are_pairs() {
        assert_eq!(deltas("a\nb\n", "x\ny\n"), ["a>x", "b>y"]);
        assert_eq!(deltas("a\nk\nb\n", "x\nk\ny\n"), ["a>x", "b>y"]);
    }

    #[test]
    fn a_line_is_paired_with_its_later_version_and_not_with_the_first_at_hand() {
        let good = "int x = f(a);\n";
        let bad = "/* why */\nint x = f(a, b);\n";
        assert_eq!(deltas(good, bad), [">/* why */", "int x = f(a);>int x = f(a, b);"]);
        assert_eq!(deltas(bad, good), ["/* why */>", "int x = f(a, b);>int x = f(a);"]);
    }

    #[test]
    fn lines_with_nothing_in_common_are_no_pairs() {
        assert_eq!(deltas("one two\n", "three\nfour five\n"), ["one two>", ">three", ">four five"]);
    }

    #[test]
    fn lines_that_share_only_some_brackets_are_no_pairs() {
        assert_eq!(deltas("reset(l);\n", "if (!s)\nabort();\n"), ["reset(l);>", ">if (!s)", ">abort();"]);
        assert_eq!(deltas("}\n", "},\nf()\n"), ["}>},", ">f()"]);
        assert_eq!(deltas(".b();\n", ".c()\n.d();\n"), [">.c()", ".b();>.d();"]);
    }

    #[test]
    fn a_huge_edit_is_not_searched_for_pairs() {
        let good: String = (0..300).map(|nth| format!("a {nth}\n")).collect();
        let bad: String = (0..301).map(|nth| format!("b {nth}\n")).collect();
        assert_eq!(deltas(&good, &bad).len(), 601);
    }
}
