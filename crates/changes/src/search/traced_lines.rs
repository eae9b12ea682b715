//! Whether the lines of an answer are still in a later version, wherever they moved to and however they were formatted.

use super::cause_part::CausePart;
use crate::candidates::candidate::Candidate;
use crate::deltas::text::is_binary;
use crate::trees::tree_path::TreePath;
use std::collections::BTreeSet;

/// Lines that make the difference between two versions.
pub(super) struct TracedLines {
    lines: Vec<TracedLine>,
    paths: BTreeSet<TreePath>,
}

struct TracedLine {
    /// The line without white space.
    text: Vec<u8>,
    is_added: bool,
    /// How often the version before has it.
    before: usize,
}

/// Shorter lines, such as braces, are everywhere.
const SHORTEST: usize = 6;

/// At most this many lines are traced. Each is looked for in all files of its kind, in many versions.
const MOST_LINES: usize = 100;

/// If a version has more files of a kind, only files with the same path are read.
const MOST_FILES: usize = 500;

impl TracedLines {
    /// The lines of some parts that tell a version with them from one without them. `None` if there is no such line.
    pub(super) fn of(parts: &[CausePart], low: &Candidate, high: &Candidate) -> Option<Self> {
        let described = parts.iter().filter(|part| !part.is_needed_only).flat_map(|part| {
            let changes = part.chosen.iter().filter_map(|delta| part.changes.describe(delta));
            changes.collect::<Vec<_>>()
        });
        let (mut texts, mut paths) = (BTreeSet::new(), BTreeSet::new());
        for change in described {
            let added = change.added.iter().map(|line| (true, line));
            let lines = added.chain(change.removed.iter().map(|line| (false, line)));
            texts.extend(lines.map(|(is_added, line)| (is_added, without_space(line))));
            paths.insert(change.path.clone());
        }
        let mut texts: Vec<(bool, Vec<u8>)> =
            texts.into_iter().filter(|(_, text)| text.len() >= SHORTEST).collect();
        // Of very many, such as those of a generated table, the longest lines tell the most.
        texts.sort_by_key(|(is_added, text)| (!is_added, std::cmp::Reverse(text.len())));
        texts.truncate(MOST_LINES);
        let mut traced = Self { lines: Vec::new(), paths };
        let [before, after] = [low, high].map(|version| traced.texts_of(version));
        let line = |(is_added, text): (bool, Vec<u8>)| {
            let (before, after) = (count(&before, &text), count(&after, &text));
            let tells = if is_added { after > before } else { after < before };
            tells.then_some(TracedLine { text, is_added, before })
        };
        traced.lines = texts.into_iter().filter_map(line).collect();
        // Lines that are replaced need not come back when the lines that replaced them go.
        if traced.lines.iter().any(|line| line.is_added) {
            traced.lines.retain(|line| line.is_added);
        }
        (!traced.lines.is_empty()).then_some(traced)
    }

    /// Whether nothing of them is left in a version: all lines that were added are gone, or all that were removed are back.
    pub(super) fn are_gone_from(&self, version: &Candidate) -> bool {
        let texts = self.texts_of(version);
        self.lines.iter().all(|line| {
            let now = count(&texts, &line.text);
            if line.is_added { now <= line.before } else { now >= line.before }
        })
    }

    /// The texts in which the lines can be, without white space.
    fn texts_of(&self, version: &Candidate) -> Vec<Vec<u8>> {
        let endings: BTreeSet<&[u8]> = self.paths.iter().map(ending).collect();
        let files = version.files();
        let mut read: Vec<_> = files.iter().filter(|(path, _)| endings.contains(ending(path))).collect();
        if read.len() > MOST_FILES {
            read.retain(|(path, _)| self.paths.contains(*path));
        }
        let texts = read.into_iter().filter_map(|(_, at)| at.bytes().ok());
        texts.filter(|bytes| !is_binary(bytes)).map(|bytes| without_space(&bytes)).collect()
    }
}

/// `.c` of `src/main.c`; the whole name if it has no ending.
fn ending(path: &TreePath) -> &[u8] {
    let name = path.as_bytes().rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    name.iter().rposition(|byte| *byte == b'.').map_or(name, |dot| &name[dot..])
}

fn without_space(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

fn count(texts: &[Vec<u8>], line: &[u8]) -> usize {
    let Some(first) = line.first() else { return 0 };
    let starts = |text: &[u8]| {
        // Most places differ in the first byte.
        let starts = text.iter().enumerate().filter(|(_, byte)| *byte == first).map(|(at, _)| at);
        starts.filter(|at| text[*at..].starts_with(line)).count()
    };
    texts.iter().map(|text| starts(text)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::candidate::Base;
    use crate::deltas::change_set::ChangeSet;
    use crate::trees::entry::{EntryKind, LoadedEntry};
    use crate::trees::tree::Tree;
    use std::sync::Arc;

    fn version(files: &[(&str, &str)]) -> Candidate {
        let mut tree = Tree::empty();
        for (path, text) in files {
            let entry = LoadedEntry { kind: EntryKind::PLAIN, bytes: text.as_bytes().into() };
            tree.insert(TreePath::new(path.as_bytes()).unwrap(), entry.into()).unwrap();
        }
        Candidate::of(Base::new(tree, format!("{files:?}").as_bytes()))
    }

    fn traced(low: &Candidate, high: &Candidate) -> TracedLines {
        let changes = Arc::new(ChangeSet::between(&low.tree(), &high.tree()).unwrap());
        let chosen = changes.all();
        let part = CausePart { changes, chosen, commit: None, is_needed_only: false, forms: None };
        TracedLines::of(&[part], low, high).unwrap()
    }

    #[test]
    fn lines_that_were_added_are_found_wherever_they_went() {
        let low = version(&[("a.c", "int a;\n")]);
        let high = version(&[("a.c", "int a;\nint new_one = f(1, 2);\n")]);
        let lines = traced(&low, &high);
        assert!(!lines.are_gone_from(&high));
        assert!(
            !lines.are_gone_from(&version(&[("a.c", "int a;\n  int new_one =\n      f(1,2);\n")])),
            "reformatted"
        );
        assert!(!lines.are_gone_from(&version(&[("b.c", "int new_one = f(1, 2);\n")])), "moved");
        assert!(lines.are_gone_from(&low));
        assert!(lines.are_gone_from(&version(&[("a.c", "int a;\nint other;\n")])));
    }

    #[test]
    fn lines_that_were_removed_are_gone_when_they_are_back() {
        let low = version(&[("a.c", "check(first);\ncheck(second);\n")]);
        let high = version(&[("a.c", "check(first);\n")]);
        let lines = traced(&low, &high);
        assert!(!lines.are_gone_from(&high));
        assert!(lines.are_gone_from(&version(&[("a.c", "check(first);\nmore();\ncheck(second);\n")])));
    }

    #[test]
    fn a_replaced_line_is_there_as_long_as_the_new_one_is() {
        let low = version(&[("a.c", "limit = before;\n")]);
        let high = version(&[("a.c", "limit = behind;\n")]);
        let lines = traced(&low, &high);
        assert!(
            !lines.are_gone_from(&version(&[("a.c", "limit = behind;\n"), ("b.c", "limit = before;\n")]))
        );
        assert!(lines.are_gone_from(&version(&[("a.c", "limit = another;\n")])));
    }
}
