//! The smallest difference between a passing and a failing input, in words.

use crate::account::{DiffMark, Exhibit};
use howcome_run::words::{count, cut, printable, thousands, width};
use howcome_run::{DifferenceFinding, DifferingPart, MarkedText};
use std::ops::Deref;

/// What `howcome input` found between two inputs. Its fields are those of the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DifferenceReport(pub(crate) DifferenceFinding);

impl Deref for DifferenceReport {
    type Target = DifferenceFinding;

    fn deref(&self) -> &DifferenceFinding {
        &self.0
    }
}

/// A longer text does not fit into the headline.
const SHORT: usize = 40;
/// A longer line is cut.
const LONGEST: usize = 2_000;

impl DifferenceReport {
    /// The answer: `` `+ 1.0` decides whether the test fails ``.
    pub(crate) fn found(&self) -> String {
        match self.in_a_word() {
            Some(word) => format!("{word} decides whether the test fails"),
            None => {
                let verb = if self.deltas == 1 { "decides" } else { "decide" };
                format!("{} {verb} whether the test fails", self.part())
            }
        }
    }

    pub(crate) fn so_far(&self) -> String {
        format!("the deciding difference is among {}", self.part())
    }

    fn part(&self) -> String {
        format!("{} of {} that differ", thousands(self.deltas), count(self.of, self.unit.as_str()))
    }

    /// The difference, if it is short enough for the headline.
    fn in_a_word(&self) -> Option<String> {
        let [place] = self.difference.as_slice() else { return None };
        let quoted = |texts: &[String]| match texts {
            [text] if width(text) <= SHORT && !text.contains('\n') => Some(format!("`{}`", printable(text))),
            _ => None,
        };
        match (place.removed.as_slice(), place.added.as_slice()) {
            ([], []) => Some(format!("One difference in {}", printable(&place.path))),
            ([], added) => quoted(added),
            (removed, []) => Some(format!("The missing {}", quoted(removed)?)),
            (removed, added) => Some(format!("{} instead of {}", quoted(added)?, quoted(removed)?)),
        }
    }

    /// Each place with the lines around it.
    pub(crate) fn exhibits(&self) -> Vec<Exhibit> {
        let exhibit = |part: &DifferingPart| Exhibit { is_answer: true, ..Exhibit::diff(shown(part)) };
        self.difference.iter().map(exhibit).collect()
    }

    /// The files of both sides, and the first passing side.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if let Some(side) = &self.passing_side {
            remarks.push(format!("The first passing side was {}.", printable(side)));
        }
        remarks.push(self.written_files());
        remarks
    }

    /// Where both sides are.
    pub(crate) fn written_files(&self) -> String {
        let (passing, failing) = (printable(&self.passing), printable(&self.failing));
        format!("The failing input is written to {failing}, the passing input to {passing}.")
    }
}

fn shown(part: &DifferingPart) -> Vec<(DiffMark, String)> {
    let path = printable(&part.path);
    if let Some(what) = &part.what {
        return vec![(DiffMark::Place, format!("{path}: {}", printable(what)))];
    }
    let Some(first) = part.line else { return bytes(part, &path) };
    let mut shown = vec![(DiffMark::Place, format!("{path}:{first}"))];
    let write = |sign: char, line: &str| cut(&format!("{sign}{}", printable_line(line)), LONGEST);
    let numbered = |from: u64| move |at: usize| Some(from + at as u64);
    let before = numbered(first - (part.before.len() as u64).min(first - 1));
    for (at, line) in part.before.iter().enumerate() {
        shown.push((DiffMark::Context(before(at)), write(' ', line)));
    }
    shown.extend(part.passing.iter().map(|line| (DiffMark::Removed(None), write('-', line))));
    for (at, line) in part.failing.iter().enumerate() {
        shown.push((DiffMark::Added(numbered(first)(at)), write('+', line)));
        shown.extend(underline(part, at, line).map(|marks| (DiffMark::Context(None), marks)));
    }
    let after = numbered(first + part.failing.len() as u64);
    for (at, line) in part.after.iter().enumerate() {
        shown.push((DiffMark::Context(after(at)), write(' ', line)));
    }
    shown
}

/// Marks under the text that only the failing side has, unless that is the whole line.
fn underline(part: &DifferingPart, number: usize, line: &str) -> Option<String> {
    let marks: Vec<&MarkedText> = part.marked.iter().filter(|marked| marked.line == number).collect();
    let is_whole = |marked: &&MarkedText| {
        let mut outside = line.chars().take(marked.start).chain(line.chars().skip(marked.end));
        outside.all(char::is_whitespace)
    };
    if marks.is_empty() || marks.iter().any(is_whole) || line.chars().count() > LONGEST {
        return None;
    }
    let mut underline = String::from(" ");
    for (at, character) in line.chars().enumerate() {
        let sign =
            if marks.iter().any(|marked| (marked.start..marked.end).contains(&at)) { '^' } else { ' ' };
        let columns = width(&printable_line(&character.to_string()));
        underline.extend(std::iter::repeat_n(sign, columns));
    }
    Some(underline.trim_end().to_owned())
}

/// A file that is not text has no lines.
fn bytes(part: &DifferingPart, path: &str) -> Vec<(DiffMark, String)> {
    let mut shown = vec![(DiffMark::Place, format!("{path}, from byte {}", thousands(part.offset)))];
    shown
        .extend(part.removed.iter().map(|bytes| (DiffMark::Removed(None), format!("-{}", printable(bytes)))));
    shown.extend(part.added.iter().map(|bytes| (DiffMark::Added(None), format!("+{}", printable(bytes)))));
    shown
}

/// Tabs as spaces, so that marks are under the right characters.
fn printable_line(line: &str) -> String {
    printable(&line.replace('\t', "    "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn difference(place: serde_json::Value) -> DifferenceReport {
        let json =
            json!({"passing": "a.pass.c", "failing": "a.c", "deltas": 2, "of": 9, "difference": [place]});
        DifferenceReport(serde_json::from_value(json).unwrap())
    }

    #[test]
    fn the_deciding_text_is_marked_in_its_line() {
        let difference = difference(json!({
            "path": "a.c", "line": 2, "added": ["+ 1.0"], "before": ["{"], "after": ["}"],
            "passing": ["\tx;"], "failing": ["\tx + 1.0;"], "marked": [{"line": 0, "start": 3, "end": 8}],
        }));
        assert_eq!(difference.found(), "`+ 1.0` decides whether the test fails");
        let lines = &difference.exhibits()[0].lines;
        assert_eq!(lines, &["a.c:2", " {", "-    x;", "+    x + 1.0;", "       ^^^^^", " }"]);
    }

    #[test]
    fn a_missing_or_replaced_text_is_named() {
        let missing = difference(json!({"path": "a", "line": 1, "removed": ["x"]}));
        assert_eq!(missing.found(), "The missing `x` decides whether the test fails");
        let instead = difference(json!({"path": "a", "line": 1, "removed": ["17"], "added": ["18"]}));
        assert_eq!(instead.found(), "`18` instead of `17` decides whether the test fails");
        let long = difference(json!({"path": "a", "line": 1, "added": ["x".repeat(90)]}));
        assert_eq!(long.found(), "2 of 9 tokens that differ decide whether the test fails");
    }
}
