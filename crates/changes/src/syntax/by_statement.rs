//! Changed lines that are parts of the same statement, or of the same element of a list: a search that cuts between them tears nothing
//! apart.

use super::functions::language_of;
use super::mixed_syntax::LARGEST_TO_CHECK;
use super::shape_reader::{LineOwner, line_owners};
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{EditedBody, FileChange, FileChangeKind};
use crate::deltas::hunk::LineEdit;
use crate::deltas::text::Text;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};
use std::collections::{BTreeMap, BTreeSet};

/// The lines of each statement, or element of a list, that is written in several lines. A line that both versions have belongs where the
/// bad version has it.
#[must_use]
pub(crate) fn by_statement(lines: &ChangeSet) -> Vec<Configuration> {
    lines.files_of(&lines.all()).flat_map(|(file, first)| of_file(file, first)).collect()
}

fn of_file(file: &FileChange, first: DeltaId) -> Vec<Configuration> {
    let FileChangeKind::Edited(edited) = &file.what else { return Vec::new() };
    let EditedBody::Text { good, bad, hunks } = &edited.body else { return Vec::new() };
    let deltas = (first.0 + edited.before_body()..).zip(hunks.iter().map(|hunk| hunk.span()));
    let (gone, come): (Vec<_>, Vec<_>) = deltas.partition(|(_, edit)| edit.bad.is_empty());
    let of = |text: &Text, changed: &[(u32, LineEdit)], side: fn(&LineEdit) -> u32| {
        let changed: BTreeMap<u32, u32> = changed.iter().map(|(delta, edit)| (side(edit), *delta)).collect();
        WrittenStatements::of(&file.path, text).map_or_else(Vec::new, |written| written.groups(&changed))
    };
    let come = of(bad, &come, |edit| edit.bad.start);
    come.into_iter().chain(of(good, &gone, |edit| edit.good.start)).collect()
}

/// The statements of one version of a file.
struct WrittenStatements<'a> {
    owners: Vec<LineOwner>,
    text: &'a Text,
}

impl<'a> WrittenStatements<'a> {
    fn of(path: &TreePath, text: &'a Text) -> Option<Self> {
        let bytes = text.bytes();
        let language = language_of(path, bytes).filter(|_| bytes.len() <= LARGEST_TO_CHECK)?;
        Some(Self { owners: line_owners(language, bytes)?, text })
    }

    /// The changes of lines, those of a statement together.
    fn groups(&self, changed: &BTreeMap<u32, u32>) -> Vec<Configuration> {
        let mut groups: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        let mut element = None;
        for (line, delta) in changed {
            let start = self.simple_statement(*line).map(|(start, end)| {
                if changed.contains_key(&start) {
                    return start;
                }
                let (first, last) = element
                    .filter(|(_, last)| line <= last)
                    .unwrap_or_else(|| (*line, self.end_of_element(*line, end)));
                element = Some((first, last));
                first
            });
            groups.entry(start.unwrap_or(*line)).or_default().insert(*delta);
        }
        let several = groups.into_values().filter(|group| group.len() > 1);
        several.map(|group| group.into_iter().map(DeltaId).collect()).collect()
    }

    /// The first and the last line of the statement that a line belongs to, if there are no other statements in it.
    fn simple_statement(&self, line: u32) -> Option<(u32, u32)> {
        let own = self.owners.get(line as usize)?;
        let start = if own.is_start { line } else { own.owner? };
        let end = self.owners.get(start as usize)?.end;
        let is_simple = (start + 1..=end)
            .all(|inner| self.owners.get(inner as usize).is_none_or(|inner| !inner.is_start));
        (is_simple && line <= end).then_some((start, end))
    }

    /// The last line of the element of a list that begins in a line: where all of its brackets are closed.
    fn end_of_element(&self, line: u32, end: u32) -> u32 {
        let mut depth = 0_i32;
        for (number, text) in (line..=end).zip(self.text.lines(line..end + 1)) {
            depth += open_brackets(text);
            if depth <= 0 {
                return number;
            }
        }
        line
    }
}

/// How many brackets are opened in a line and not closed. Those in quotes do not count.
fn open_brackets(line: &[u8]) -> i32 {
    let (mut depth, mut quote, mut is_escaped) = (0, None, false);
    for byte in line {
        match (quote, byte) {
            _ if is_escaped => is_escaped = false,
            (Some(_), b'\\') => is_escaped = true,
            (Some(open), byte) if open == *byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(*byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth -= 1,
            (None, _) => {}
        }
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::tree::Tree;

    fn groups(name: &str, good: &str, bad: &str) -> String {
        let [good, bad] = [good, bad].map(|text| Tree::of_texts(&[(name, text)]));
        let lines = ChangeSet::by_lines(&good, &bad).unwrap();
        let groups = by_statement(&lines);
        groups.iter().map(ToString::to_string).collect::<Vec<String>>().join(" ")
    }

    #[test]
    fn the_lines_of_a_call_belong_together_and_those_of_a_block_do_not() {
        let good = "void f(void) {\n  g();\n}\n";
        let bad = "void f(void) {\n  h(1,\n    2,\n    3);\n  if (a) {\n    b();\n    c();\n  }\n  g();\n}\n";
        assert_eq!(groups("a.c", good, bad), "1-3");
        assert_eq!(groups("a.c", bad, good), "1-3");
    }

    #[test]
    fn the_lines_of_a_tuple_belong_together() {
        let good = "rules = [\n    ('a', 1),\n]\n";
        let bad = "rules = [\n    ('(',\n     2),\n    ('c',\n     [3,\n      4]),\n    ('a', 1),\n]\n";
        assert_eq!(groups("a.py", good, bad), "1-2 3-5");
    }

    #[test]
    fn files_in_unknown_languages_have_no_statements() {
        assert_eq!(groups("a.txt", "x\n", "f(1,\n2)\nx\n"), "");
    }
}
