//! Deltas that open what others close: a brace, a parenthesis, an `#if`.

use super::scan::{CodeLine, TokenKind, scan};
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{EditedBody, FileChangeKind};
use crate::deltas::hunk::LineEdit;
use howcome_dd::DeltaId;
use howcome_syntax::TextKind;
use std::ops::Range;

/// How many of each are open.
pub(crate) type Depth = [i32; 4];

/// Deltas further apart do not need each other, so that a miscounted brace does not join a whole file.
const LONGEST: usize = 12;

/// Runs of deltas of one file that keep it balanced together but not alone, in order.
pub(crate) fn unbalanced_runs(changes: &ChangeSet) -> Vec<Vec<DeltaId>> {
    let mut runs = Vec::new();
    for (file, first) in changes.files_of(&changes.all()) {
        let FileChangeKind::Edited(edited) = &file.what else { continue };
        let EditedBody::Text { good, bad, hunks } = &edited.body else { continue };
        let language = TextKind::of_path(file.path.as_bytes());
        if !language.has_slash_comments() {
            continue;
        }
        let (good, bad) = (scan(good.bytes(), language), scan(bad.bytes(), language));
        let first = first.0 + edited.before_body();
        let gains: Vec<Depth> = hunks.iter().map(|hunk| gain(&good, &bad, hunk.edits())).collect();
        let file_runs = runs_to_zero(&gains);
        runs.extend(file_runs.into_iter().map(|run| run.map(|nth| DeltaId(first + nth)).collect()));
    }
    runs
}

/// How many of each are open at the end of a text.
pub(crate) fn depth_at_end(text: &[u8], language: TextKind) -> Depth {
    let mut sum = Depth::default();
    for line in scan(text, language) {
        sum.iter_mut().zip(depth(&line)).for_each(|(sum, depth)| *sum += depth);
    }
    sum
}

/// Runs of several in which the sum leaves zero and comes back.
fn runs_to_zero(gains: &[Depth]) -> Vec<Range<u32>> {
    let mut runs = Vec::new();
    let mut start = 0;
    while start < gains.len() {
        let mut sum = Depth::default();
        let end = gains[start..].iter().take(LONGEST).position(|gain| {
            sum.iter_mut().zip(gain).for_each(|(sum, gain)| *sum += gain);
            sum == Depth::default()
        });
        match end {
            Some(0) | None => start += 1,
            Some(more) => {
                runs.push(start as u32..(start + more + 1) as u32);
                start += more + 1;
            }
        }
    }
    runs
}

fn gain(good: &[CodeLine<'_>], bad: &[CodeLine<'_>], edits: &[LineEdit]) -> Depth {
    let mut gain = Depth::default();
    for edit in edits {
        for (lines, range, sign) in [(good, &edit.good, -1), (bad, &edit.bad, 1)] {
            for line in &lines[range.start as usize..range.end as usize] {
                let depth = depth(line);
                gain.iter_mut().zip(depth).for_each(|(gain, depth)| *gain += sign * depth);
            }
        }
    }
    gain
}

fn depth(line: &CodeLine<'_>) -> Depth {
    let mut depth = Depth::default();
    if line.directive
        && let [hash, word, ..] = &line.tokens[..]
        && hash.what == TokenKind::Mark(b'#')
    {
        match word.what {
            TokenKind::Word(b"if" | b"ifdef" | b"ifndef") => depth[3] += 1,
            TokenKind::Word(b"endif") => depth[3] -= 1,
            _ => {}
        }
    }
    for token in &line.tokens {
        match token.what {
            TokenKind::Mark(b'{') => depth[0] += 1,
            TokenKind::Mark(b'}') => depth[0] -= 1,
            TokenKind::Mark(b'(') => depth[1] += 1,
            TokenKind::Mark(b')') => depth[1] -= 1,
            TokenKind::Mark(b'[') => depth[2] += 1,
            TokenKind::Mark(b']') => depth[2] -= 1,
            _ => {}
        }
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_where_everything_is_closed_again() {
        let brace = |count| [count, 0, 0, 0];
        let gains = [brace(0), brace(1), brace(0), brace(-1), brace(1)];
        assert_eq!(runs_to_zero(&gains), [Range { start: 1, end: 4 }]);
    }
}
