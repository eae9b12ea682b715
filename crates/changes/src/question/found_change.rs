//! A change as it is recorded: its place, its lines as text, and the hunk around it.

use crate::deltas::change::{ChangeKind, DescribedChange};
use crate::versions::revision_id::RevisionId;
use howcome_run::{FoundChange, HunkLine};

/// A change as the finding holds it.
pub(super) fn found_change(
    change: &DescribedChange<'_>,
    commit: Option<&RevisionId>,
    hunk: Vec<HunkLine>,
) -> FoundChange {
    let mut ends = change.removed.iter().chain(&change.added).map(|line| line.ends_with(b"\n"));
    let first = ends.next();
    let ends_differ = change.what == ChangeKind::Lines && ends.any(|end| Some(end) != first);
    let lines = |lines: &[&[u8]]| -> Vec<String> {
        // Line ends are shown if they differ.
        let without_end = |line: &[u8]| readable(line.strip_suffix(b"\n").unwrap_or(line));
        lines.iter().map(|line| if ends_differ { readable(line) } else { without_end(line) }).collect()
    };
    let path = readable(change.path.as_bytes());
    FoundChange {
        old_line: Some(change.old_line.into()),
        new_line: Some(change.new_line.into()),
        removed: lines(&change.removed),
        added: lines(&change.added),
        what: Some(change.to_string().replace(&change.path.to_string(), &path)),
        commit: commit.map(|id| id.to_string()),
        hunk: if change.what == ChangeKind::Lines { hunk } else { Vec::new() },
        path,
    }
}

/// Bytes as text. Bytes that are not text are shown as `\xff`, so that different bytes look different.
pub(super) fn readable(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        chunk.invalid().iter().for_each(|byte| text += &format!("\\x{byte:02x}"));
    }
    text
}
