//! The smallest difference between a passing and a failing input, as a finding records it and as it is worded.

use crate::account::exhibit::{Exhibit, Mark};
use howcome_run::words::{count, cut, printable, thousands};
use serde::Deserialize;

/// What `howcome input` finds between two inputs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct InputDifference {
    /// Where both sides are kept.
    passing: String,
    failing: String,
    difference: Vec<Place>,
    /// How many deltas decide,
    #[serde(default)]
    pub(crate) deltas: u64,
    /// of how many,
    #[serde(default)]
    of: u64,
    /// and what one of them is.
    #[serde(default = "token")]
    unit: String,
    /// What the passing side was at first.
    passing_side: Option<String>,
}

fn token() -> String {
    "token".to_owned()
}

/// Lines that differ, or a whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct Place {
    path: String,
    line: Option<u64>,
    offset: u64,
    removed: Vec<String>,
    added: Vec<String>,
    before: Vec<String>,
    passing: Vec<String>,
    failing: Vec<String>,
    marked: Vec<Marked>,
    after: Vec<String>,
    what: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct Marked {
    line: usize,
    start: usize,
    end: usize,
}

/// A longer text does not fit into a sentence.
const SHORT: usize = 40;
/// Nobody reads more of a line.
const LONGEST: usize = 2_000;

impl InputDifference {
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
        format!("what decides is among {}", self.part())
    }

    fn part(&self) -> String {
        format!("{} of {} that differ", thousands(self.deltas), count(self.of, &self.unit))
    }

    /// What differs, if it is short enough to be said.
    fn in_a_word(&self) -> Option<String> {
        let [place] = self.difference.as_slice() else { return None };
        let quoted = |texts: &[String]| match texts {
            [text] if text.chars().count() <= SHORT && !text.contains('\n') => {
                Some(format!("`{}`", printable(text)))
            }
            _ => None,
        };
        match (place.removed.as_slice(), place.added.as_slice()) {
            ([], []) => Some(format!("One thing about {}", printable(&place.path))),
            ([], added) => quoted(added),
            (removed, []) => Some(format!("That {} is missing", quoted(removed)?)),
            (removed, added) => Some(format!("{} instead of {}", quoted(added)?, quoted(removed)?)),
        }
    }

    /// Each place with the lines around it.
    pub(crate) fn exhibits(&self) -> Vec<Exhibit> {
        let exhibit = |place: &Place| Exhibit { is_answer: true, ..Exhibit::diff(place.shown()) };
        self.difference.iter().map(exhibit).collect()
    }

    /// Where both sides are, and what the passing one came from.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if let Some(side) = &self.passing_side {
            remarks.push(format!("The passing side was {} at first.", printable(side)));
        }
        let (passing, failing) = (printable(&self.passing), printable(&self.failing));
        remarks.push(format!("What fails is written to {failing}, what passes without it to {passing}."));
        remarks
    }
}

impl Place {
    fn shown(&self) -> Vec<(Mark, String)> {
        let path = printable(&self.path);
        if let Some(what) = &self.what {
            return vec![(Mark::Place, format!("{path}: {}", printable(what)))];
        }
        let Some(first) = self.line else { return self.bytes(&path) };
        let mut shown = vec![(Mark::Place, format!("{path}:{first}"))];
        let write = |sign: char, line: &str| cut(&format!("{sign}{}", printable_line(line)), LONGEST);
        let numbered = |from: u64| move |at: usize| Some(from + at as u64);
        let before = numbered(first - (self.before.len() as u64).min(first - 1));
        for (at, line) in self.before.iter().enumerate() {
            shown.push((Mark::Context(before(at)), write(' ', line)));
        }
        shown.extend(self.passing.iter().map(|line| (Mark::Removed(None), write('-', line))));
        for (at, line) in self.failing.iter().enumerate() {
            shown.push((Mark::Added(numbered(first)(at)), write('+', line)));
            shown.extend(self.underline(at, line).map(|marks| (Mark::Context(None), marks)));
        }
        let after = numbered(first + self.failing.len() as u64);
        for (at, line) in self.after.iter().enumerate() {
            shown.push((Mark::Context(after(at)), write(' ', line)));
        }
        shown
    }

    /// Marks under what is only there on the failing side, unless that is the whole line.
    fn underline(&self, number: usize, line: &str) -> Option<String> {
        let marks: Vec<&Marked> = self.marked.iter().filter(|marked| marked.line == number).collect();
        let is_whole = |marked: &&Marked| {
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
            let width = printable_line(&character.to_string()).chars().count();
            underline.extend(std::iter::repeat_n(sign, width));
        }
        Some(underline.trim_end().to_owned())
    }

    /// What is no text has no lines.
    fn bytes(&self, path: &str) -> Vec<(Mark, String)> {
        let mut shown = vec![(Mark::Place, format!("{path}, from byte {}", thousands(self.offset)))];
        shown
            .extend(self.removed.iter().map(|bytes| (Mark::Removed(None), format!("-{}", printable(bytes)))));
        shown.extend(self.added.iter().map(|bytes| (Mark::Added(None), format!("+{}", printable(bytes)))));
        shown
    }
}

/// Tabs as blanks, so that marks stand where they belong.
fn printable_line(line: &str) -> String {
    printable(&line.replace('\t', "    "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn difference(place: serde_json::Value) -> InputDifference {
        let json =
            json!({"passing": "a.pass.c", "failing": "a.c", "deltas": 2, "of": 9, "difference": [place]});
        InputDifference::deserialize(json).unwrap()
    }

    #[test]
    fn what_decides_is_marked_in_its_line() {
        let difference = difference(json!({
            "path": "a.c", "line": 2, "added": ["+ 1.0"], "before": ["{"], "after": ["}"],
            "passing": ["\tx;"], "failing": ["\tx + 1.0;"], "marked": [{"line": 0, "start": 3, "end": 8}],
        }));
        assert_eq!(difference.found(), "`+ 1.0` decides whether the test fails");
        let lines = &difference.exhibits()[0].lines;
        assert_eq!(lines, &["a.c:2", " {", "-    x;", "+    x + 1.0;", "       ^^^^^", " }"]);
    }

    #[test]
    fn what_is_missing_or_stands_instead_is_said_so() {
        let missing = difference(json!({"path": "a", "line": 1, "removed": ["x"]}));
        assert_eq!(missing.found(), "That `x` is missing decides whether the test fails");
        let instead = difference(json!({"path": "a", "line": 1, "removed": ["17"], "added": ["18"]}));
        assert_eq!(instead.found(), "`18` instead of `17` decides whether the test fails");
        let long = difference(json!({"path": "a", "line": 1, "added": ["x".repeat(90)]}));
        assert_eq!(long.found(), "2 of 9 tokens that differ decide whether the test fails");
    }
}
