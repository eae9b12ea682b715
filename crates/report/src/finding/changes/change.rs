//! One change in words: its place, and the lines that it removes and adds.

use crate::account::DiffMark;
use howcome_run::FoundChange;
use howcome_run::words::{cut, printable};
use std::collections::BTreeMap;

/// Nobody reads a longer line; the patch has the whole of it.
pub(super) const LONGEST: usize = 2_000;

/// How a change is shown and called.
pub(crate) trait ChangeWords {
    /// Whether it changes lines of a file, and not the file as a whole.
    fn is_of_lines(&self) -> bool;

    /// Its first and its last line in the bad version.
    fn lines(&self) -> Option<(u64, u64)>;

    /// `src/a.c:10`
    fn place(&self) -> String;

    /// In words: `src/a.c:10: 1 line removed, 1 added`, `run.sh: made executable`.
    fn described(&self) -> String;

    /// How many lines it changes, as people count them.
    fn size(&self) -> u64;

    /// Its place, and the lines that it removes and adds. Only the first line of each side has a number: there can be
    /// unchanged lines between the others.
    fn shown(&self) -> Vec<(DiffMark, String)>;
}

impl ChangeWords for FoundChange {
    fn is_of_lines(&self) -> bool {
        let has_lines = !(self.removed.is_empty() && self.added.is_empty());
        has_lines && self.what.as_ref().is_none_or(|what| says_only_where(self, what))
    }

    fn lines(&self) -> Option<(u64, u64)> {
        let first = self.new_line.filter(|_| self.is_of_lines())?.max(1);
        Some((first, first.saturating_add((self.added.len() as u64).saturating_sub(1))))
    }

    fn place(&self) -> String {
        match self.lines() {
            Some((line, _)) => format!("{}:{line}", printable(&self.path)),
            None => printable(&self.path),
        }
    }

    fn described(&self) -> String {
        self.what.as_ref().map_or_else(|| self.place(), |what| printable(what))
    }

    fn size(&self) -> u64 {
        self.removed.len().max(self.added.len()) as u64
    }

    fn shown(&self) -> Vec<(DiffMark, String)> {
        let place = if self.is_of_lines() { self.place() } else { self.described() };
        let mut shown = vec![(DiffMark::Place, place)];
        let [removed, added] =
            [&self.removed, &self.added].map(|lines| lines.iter().map(String::as_str).collect::<Vec<_>>());
        let write = way_of_writing(&removed, &added);
        let has_ends = both_sides(self).any(|line| line.ends_with('\n'));
        for (sign, lines, from) in [('-', &self.removed, self.old_line), ('+', &self.added, self.new_line)] {
            for (i, line) in lines.iter().enumerate() {
                let number = from.filter(|_| i == 0);
                let mark = if sign == '-' { DiffMark::Removed(number) } else { DiffMark::Added(number) };
                shown.push((mark, cut(&format!("{sign}{}", write(line)), LONGEST)));
                if has_ends && !line.ends_with('\n') {
                    shown.push((DiffMark::Context(None), "\\ no newline at the end of the file".to_owned()));
                }
            }
        }
        shown
    }
}

/// Changes, with those joined that follow each other without a line between them.
pub(crate) fn joined<'a>(changes: impl IntoIterator<Item = &'a FoundChange>) -> Vec<FoundChange> {
    let mut joined: Vec<FoundChange> = Vec::new();
    for change in changes {
        match joined.last_mut() {
            Some(last) if is_followed_by(last, change) => {
                last.removed.extend_from_slice(&change.removed);
                last.added.extend_from_slice(&change.added);
            }
            _ => joined.push(change.clone()),
        }
    }
    joined
}

/// Whether another change begins where this one ends, so that they are read as one.
fn is_followed_by(change: &FoundChange, next: &FoundChange) -> bool {
    let end =
        |line: Option<u64>, lines: &[String]| line.and_then(|line| line.checked_add(lines.len() as u64));
    change.is_of_lines()
        && next.is_of_lines()
        && change.path == next.path
        && change.commit == next.commit
        && change.old_line.is_some()
        && change.new_line.is_some()
        && end(change.old_line, &change.removed) == next.old_line
        && end(change.new_line, &change.added) == next.new_line
}

/// A description such as `src/a.c:10: 1 line removed` adds nothing to the lines themselves.
fn says_only_where(change: &FoundChange, what: &str) -> bool {
    let rest = what.strip_prefix(change.path.as_str()).and_then(|rest| rest.strip_prefix(':'));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn both_sides(change: &FoundChange) -> impl Iterator<Item = &String> {
    change.removed.iter().chain(&change.added)
}

/// Tabs and carriage returns are shown only if they make the difference.
pub(super) fn way_of_writing(removed: &[&str], added: &[&str]) -> impl Fn(&str) -> String + use<> {
    let returns_everywhere = removed.iter().chain(added).all(|line| without_newline(line).ends_with('\r'));
    let bare = move |line: &str| {
        let line = without_newline(line);
        if returns_everywhere { line.trim_end_matches('\r').to_owned() } else { line.to_owned() }
    };
    let indented = |line: &str| line.replace('\t', "    ");
    let removed: BTreeMap<String, &str> = removed.iter().map(|line| (indented(&bare(line)), *line)).collect();
    let look_alike = added
        .iter()
        .any(|line| removed.get(&indented(&bare(line))).is_some_and(|other| bare(other) != bare(line)));
    move |line| match look_alike {
        true => printable(&bare(line)),
        false => printable(&indented(&bare(line))),
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
        let change: FoundChange = serde_json::from_value(change).unwrap();
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
