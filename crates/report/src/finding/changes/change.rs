//! One change of a finding: where it is, and what it does to the lines.

use crate::account::exhibit::Mark;
use crate::lenient::{lenient, lenient_list};
use howcome_run::words::{cut, printable};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Lines that went and lines that came, or something else that happened to a file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Change {
    /// Without it there is no change to speak of.
    pub(crate) path: String,
    /// In the good version.
    #[serde(default, deserialize_with = "lenient")]
    old_line: Option<u64>,
    /// In the bad version; where lines only went, the one that they went before.
    #[serde(default, deserialize_with = "lenient")]
    new_line: Option<u64>,
    #[serde(default, deserialize_with = "lenient_list")]
    pub(crate) removed: Vec<String>,
    #[serde(default, deserialize_with = "lenient_list")]
    pub(crate) added: Vec<String>,
    #[serde(default, deserialize_with = "lenient")]
    what: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) commit: Option<String>,
}

/// Nobody reads a longer line; the patch has the whole of it.
const LONGEST: usize = 2_000;

impl Change {
    /// Whether it changes some lines of a file, not the file as a whole.
    pub(crate) fn is_of_lines(&self) -> bool {
        let has_lines = !(self.removed.is_empty() && self.added.is_empty());
        has_lines && self.what.as_ref().is_none_or(|what| self.says_only_where(what))
    }

    /// A description such as `src/a.c:10: 1 line removed` adds nothing to the lines themselves.
    fn says_only_where(&self, what: &str) -> bool {
        let rest = what.strip_prefix(self.path.as_str()).and_then(|rest| rest.strip_prefix(':'));
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    }

    /// The first line of it in the bad version, and the last.
    pub(crate) fn lines(&self) -> Option<(u64, u64)> {
        let first = self.new_line.filter(|_| self.is_of_lines())?.max(1);
        Some((first, first.saturating_add((self.added.len() as u64).saturating_sub(1))))
    }

    /// `src/a.c:10`
    pub(crate) fn place(&self) -> String {
        match self.lines() {
            Some((line, _)) => format!("{}:{line}", printable(&self.path)),
            None => printable(&self.path),
        }
    }

    /// In words: `src/a.c:10: 1 line removed, 1 added`, `run.sh: made executable`.
    pub(crate) fn described(&self) -> String {
        self.what.as_ref().map_or_else(|| self.place(), |what| printable(what))
    }

    /// How many lines one would say that it changes.
    pub(crate) fn size(&self) -> u64 {
        self.removed.len().max(self.added.len()) as u64
    }

    /// Whether another one begins right where this one ends, so that they are read as one.
    pub(crate) fn is_followed_by(&self, next: &Change) -> bool {
        let end =
            |line: Option<u64>, lines: &[String]| line.and_then(|line| line.checked_add(lines.len() as u64));
        self.is_of_lines()
            && next.is_of_lines()
            && self.path == next.path
            && self.commit == next.commit
            && self.old_line.is_some()
            && self.new_line.is_some()
            && end(self.old_line, &self.removed) == next.old_line
            && end(self.new_line, &self.added) == next.new_line
    }

    /// Takes up the one that follows.
    pub(crate) fn append(&mut self, next: &Change) {
        self.removed.extend_from_slice(&next.removed);
        self.added.extend_from_slice(&next.added);
    }

    /// Where it is, what went, what came. Only the first line of each side has a number: there may be unchanged lines
    /// between the others.
    pub(crate) fn shown(&self) -> Vec<(Mark, String)> {
        let place = if self.is_of_lines() { self.place() } else { self.described() };
        let mut shown = vec![(Mark::Place, place)];
        let write = self.way_of_writing();
        let has_ends = self.both_sides().any(|line| line.ends_with('\n'));
        for (sign, lines, from) in [('-', &self.removed, self.old_line), ('+', &self.added, self.new_line)] {
            for (i, line) in lines.iter().enumerate() {
                let number = from.filter(|_| i == 0);
                let mark = if sign == '-' { Mark::Removed(number) } else { Mark::Added(number) };
                shown.push((mark, cut(&format!("{sign}{}", write(line)), LONGEST)));
                if has_ends && !line.ends_with('\n') {
                    shown.push((Mark::Context(None), "\\ no newline at the end of the file".to_owned()));
                }
            }
        }
        shown
    }

    fn both_sides(&self) -> impl Iterator<Item = &String> {
        self.removed.iter().chain(&self.added)
    }

    /// Tabs and returns are shown as such only where they make the difference.
    fn way_of_writing(&self) -> impl Fn(&str) -> String + use<> {
        let returns_everywhere = self.both_sides().all(|line| without_newline(line).ends_with('\r'));
        let bare = move |line: &str| {
            let line = without_newline(line);
            if returns_everywhere { line.trim_end_matches('\r').to_owned() } else { line.to_owned() }
        };
        let indented = |line: &str| line.replace('\t', "    ");
        let removed: BTreeMap<String, &String> =
            self.removed.iter().map(|line| (indented(&bare(line)), line)).collect();
        let look_alike = self
            .added
            .iter()
            .any(|line| removed.get(&indented(&bare(line))).is_some_and(|other| bare(other) != bare(line)));
        move |line| match look_alike {
            true => printable(&bare(line)),
            false => printable(&indented(&bare(line))),
        }
    }
}

fn without_newline(line: &str) -> &str {
    line.strip_suffix('\n').unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn shown(change: Value) -> Vec<String> {
        let change = Change::deserialize(change).unwrap();
        change.shown().into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn a_tab_that_became_spaces_can_be_seen() {
        let change =
            json!({"path": "Makefile", "new_line": 3, "removed": ["\tcc a.c"], "added": ["    cc a.c"]});
        assert_eq!(shown(change), ["Makefile:3", "-\\tcc a.c", "+    cc a.c"]);
        let other =
            json!({"path": "Makefile", "new_line": 3, "removed": ["\tcc a.c"], "added": ["\tcc b.c"]});
        assert_eq!(shown(other), ["Makefile:3", "-    cc a.c", "+    cc b.c"]);
    }

    #[test]
    fn the_end_of_a_line_is_shown_only_where_it_differs() {
        let alike = json!({"path": "a", "removed": ["x\r\n"], "added": ["y\r\n"]});
        assert_eq!(shown(alike), ["a", "-x", "+y"]);
        let converted = json!({"path": "a", "removed": ["x\r\n"], "added": ["x\n"]});
        assert_eq!(shown(converted), ["a", "-x\\r", "+x"]);
        let last = json!({"path": "a", "removed": ["x\n"], "added": ["x"]});
        assert_eq!(shown(last), ["a", "-x", "+x", "\\ no newline at the end of the file"]);
    }

    #[test]
    fn what_happens_to_a_whole_file_is_said_in_words() {
        assert_eq!(
            shown(json!({"path": "run.sh", "new_line": 1, "what": "run.sh: made executable"})),
            ["run.sh: made executable"]
        );
        let added = json!({"path": "a", "new_line": 1, "added": ["x"], "what": "a: file added"});
        assert_eq!(shown(added), ["a: file added", "+x"]);
    }
}
