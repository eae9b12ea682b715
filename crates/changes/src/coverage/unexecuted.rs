//! The changes that only add lines which a run never executed.

use super::line_coverage::{Coverage, LineCoverage};
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{EditedBody, FileChange, FileChangeKind};
use crate::deltas::hunk::{Hunk, LineEdit};
use crate::deltas::text::Text;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The changes of lines that a run of the bad version, in the folder `root`, did not execute.
///
/// All lines that such a change adds have code that was never executed, or, next to such a line, no code at all (blank,
/// comments, single brackets). A change that only removes lines is not one of them, because removed lines cannot be executed;
/// nor is a change that moves a bracket or indents an existing line.
///
/// If a report has no executed line, the run did not write it, and there is no answer.
#[must_use]
pub fn unexecuted(changes: &ChangeSet, coverage: &Coverage, root: &Path) -> Configuration {
    if coverage.files.values().all(|lines| lines.executed.is_empty()) {
        return Configuration::empty();
    }
    let all = changes.all();
    let found = changes.files_of(&all).flat_map(|(file, first)| {
        let lines = lines_of(&file.path, coverage, root);
        lines.map_or_else(Vec::new, |lines| of_file(file, first, lines))
    });
    found.collect()
}

/// The coverage of a file: by its path in the root, or else by the only path elsewhere with the same end.
fn lines_of<'a>(path: &TreePath, coverage: &'a Coverage, root: &Path) -> Option<&'a LineCoverage> {
    let here: Vec<&[u8]> = components(root.as_os_str().as_bytes());
    let wanted: Vec<&[u8]> = path.as_bytes().split(|&byte| byte == b'/').collect();
    let mut elsewhere = Vec::new();
    for (name, lines) in &coverage.files {
        let parts = components(name);
        let inside = if name.starts_with(b"/") { parts.strip_prefix(&here[..]) } else { Some(&parts[..]) };
        if inside == Some(&wanted[..]) {
            return Some(lines);
        }
        // A file in the root is another file of the tree, even if its path has the same end.
        if inside.is_none() && parts.ends_with(&wanted) {
            elsewhere.push(lines);
        }
    }
    if elsewhere.len() == 1 { elsewhere.pop() } else { None }
}

/// The names in a path, without `.` and empty names.
fn components(path: &[u8]) -> Vec<&[u8]> {
    let mut names = Vec::new();
    for name in path.split(|&byte| byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => drop(names.pop()),
            _ => names.push(name),
        }
    }
    names
}

fn of_file(file: &FileChange, first: DeltaId, lines: &LineCoverage) -> Vec<DeltaId> {
    let FileChangeKind::Edited(edited) = &file.what else { return Vec::new() };
    let EditedBody::Text { good, bad, hunks } = &edited.body else { return Vec::new() };
    let before = edited.before_body();
    let judge = ExecutedLines { good, bad, lines, hash_comments: has_hash_comments(&file.path) };
    let found = hunks.iter().enumerate().filter(|(_, hunk)| judge.is_unexecuted(hunk));
    found.map(|(nth, _)| DeltaId(first.0 + before + nth as u32)).collect()
}

/// Whether `#` begins a comment in such a file. In other files it can be for the preprocessor.
fn has_hash_comments(path: &TreePath) -> bool {
    [&b".py"[..], b".pyi", b".rb", b".pl", b".pm", b".sh"].iter().any(|end| path.as_bytes().ends_with(end))
}

struct ExecutedLines<'a> {
    good: &'a Text,
    bad: &'a Text,
    lines: &'a LineCoverage,
    hash_comments: bool,
}

impl ExecutedLines<'_> {
    fn is_unexecuted(&self, hunk: &Hunk) -> bool {
        let edits = hunk.edits();
        let is_known = |line| self.lines.unexecuted.contains(&(line + 1));
        edits.iter().any(|edit| edit.bad.clone().any(is_known))
            && edits.iter().all(|edit| self.changes_nothing(edit))
    }

    /// Whether the lines of an edit change only code that the run never reached.
    fn changes_nothing(&self, edit: &LineEdit) -> bool {
        let removed: Vec<&[u8]> = self.good.lines(edit.good.clone()).map(<[u8]>::trim_ascii).collect();
        let added: Vec<&[u8]> = self.bad.lines(edit.bad.clone()).map(<[u8]>::trim_ascii).collect();
        let only_removes = added.is_empty() && removed.iter().any(|line| !line.is_empty());
        let is_bare = |line: &[u8]| line.iter().all(|byte| b"{}();,".contains(byte));
        let indents = removed.iter().any(|line| !is_bare(line) && added.contains(line));
        if only_removes || indents || brackets(&removed) != brackets(&added) {
            return false;
        }
        let mut in_comment = false;
        let without_effect = edit.bad.clone().zip(&added).all(|(line, text)| {
            let line = line + 1;
            let is_comment = self.is_comment(text, &mut in_comment);
            !self.lines.executed.contains(&line)
                && (self.lines.unexecuted.contains(&line) || is_comment || is_bare(text))
        });
        without_effect && !in_comment
    }

    /// Whether a line is only a comment. A block comment can begin here and end in a later line.
    fn is_comment(&self, line: &[u8], in_comment: &mut bool) -> bool {
        let begins = line.starts_with(b"/*");
        if *in_comment || begins {
            let body = if *in_comment { line } else { &line[2..] };
            let end = body.windows(2).position(|two| two == b"*/");
            *in_comment = end.is_none();
            return end.is_none_or(|end| end + 2 == body.len());
        }
        // A backslash at its end would turn the next line into a comment too.
        (line.starts_with(b"//") && !line.ends_with(b"\\")) || (self.hash_comments && line.starts_with(b"#"))
    }
}

/// How many blocks are closed that were opened before, and how many are left open.
fn brackets(lines: &[&[u8]]) -> (u32, u32) {
    let (mut closed, mut open) = (0, 0);
    for byte in lines.iter().flat_map(|line| line.iter()) {
        match byte {
            b'{' => open += 1,
            b'}' if open > 0 => open -= 1,
            b'}' => closed += 1,
            _ => {}
        }
    }
    (closed, open)
}
