//! A configuration as a patch for `git apply`.
//!
//! Binary files are written like texts, as `git diff --text` does: git's own format for them depends on the kind of hash that a
//! repository uses, and `git apply` accepts any bytes.

use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{Edited, EditedBody, FileChangeKind};
use crate::deltas::splice::state;
use crate::patches::unified::{PatchLine, settled, write_unified};
use crate::trees::entry::{EntryKind, LoadedEntry};
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};

/// The patch with which `git apply` makes the configuration from the good version.
#[must_use]
pub fn patch_of_good(changes: &ChangeSet, configuration: &Configuration) -> Vec<u8> {
    patch(changes, &Configuration::empty(), &configuration.within(&changes.all()))
}

/// The patch with which `git apply -R` removes the configuration from the bad version.
#[must_use]
pub fn patch_of_bad(changes: &ChangeSet, configuration: &Configuration) -> Vec<u8> {
    let all = changes.all();
    patch(changes, &all.without(configuration), &all)
}

/// The patch from one configuration to a larger one.
fn patch(changes: &ChangeSet, from: &Configuration, to: &Configuration) -> Vec<u8> {
    let mut out = Vec::new();
    for (file, first) in changes.files_of(&to.without(from)) {
        match &file.what {
            FileChangeKind::Swapped { good, bad, .. } => {
                good.iter()
                    .for_each(|(path, version)| write_file(&mut out, Some((path, version)), None, None));
                bad.iter()
                    .for_each(|(path, version)| write_file(&mut out, None, Some((path, version)), None));
            }
            FileChangeKind::Edited(edited) => {
                let was = |nth| from.contains(DeltaId(first.0 + nth));
                let is = |nth| to.contains(DeltaId(first.0 + nth));
                let (old, new) = (state(file, edited, was), state(file, edited, is));
                let ended = ended_lines(edited);
                let lines = lines_of_text(edited, was, is).map(|lines| settled(lines, &ended));
                let [old, new] =
                    [&old, &new].map(|side| side.as_ref().map(|(path, version)| (*path, version)));
                write_file(&mut out, old, new, lines);
            }
        }
    }
    out
}

/// One file, before and after. Without `lines`, all old lines are removed and all new lines added.
fn write_file(
    out: &mut Vec<u8>,
    old: Option<(&TreePath, &LoadedEntry)>,
    new: Option<(&TreePath, &LoadedEntry)>,
    lines: Option<Vec<PatchLine<'_>>>,
) {
    // Edits can cancel each other out, and git rejects a patch that changes nothing.
    if old == new {
        return;
    }
    let [from, to] = [old.or(new), new.or(old)].map(|side| side.map(|(path, _)| path));
    let (Some(from), Some(to)) = (from, to) else { return };
    write_parts(out, &[b"diff --git ", &quoted("a/", from), b" ", &quoted("b/", to)]);
    write_header(out, old, new);
    if old.is_some_and(|(_, old)| new.is_some_and(|(_, new)| old.bytes == new.bytes)) {
        return;
    }
    let [old_body, new_body] =
        [old, new].map(|side| side.map_or(Vec::new(), |(_, version)| body_of(version)));
    let all =
        || lines_of(&old_body).map(PatchLine::Gone).chain(lines_of(&new_body).map(PatchLine::Come)).collect();
    let lines = lines.unwrap_or_else(all);
    // An empty file that is added or removed has no body.
    if !lines.is_empty() {
        let [from, to] = [(old, "a/"), (new, "b/")]
            .map(|(side, prefix)| side.map_or(b"/dev/null".to_vec(), |(path, _)| quoted(prefix, path)));
        write_parts(out, &[b"--- ", &from]);
        write_parts(out, &[b"+++ ", &to]);
        write_unified(out, &lines);
    }
}

/// What happens to a file besides its content.
fn write_header(
    out: &mut Vec<u8>,
    old: Option<(&TreePath, &LoadedEntry)>,
    new: Option<(&TreePath, &LoadedEntry)>,
) {
    match (old, new) {
        (Some((_, old)), None) => {
            let mode = old.kind.git_mode().as_bytes();
            // Some versions of git, such as 2.47, make a plain file of it on `apply -R` unless the mode is given twice.
            if old.kind != EntryKind::PLAIN {
                write_parts(out, &[b"new mode ", mode]);
            }
            write_parts(out, &[b"deleted file mode ", mode]);
        }
        (None, Some((_, new))) => write_parts(out, &[b"new file mode ", new.kind.git_mode().as_bytes()]),
        (Some((from, old)), Some((to, new))) => {
            if old.kind != new.kind {
                write_parts(out, &[b"old mode ", old.kind.git_mode().as_bytes()]);
                write_parts(out, &[b"new mode ", new.kind.git_mode().as_bytes()]);
            }
            if from != to {
                if old.bytes == new.bytes {
                    write_parts(out, &[b"similarity index 100%"]);
                }
                write_parts(out, &[b"rename from ", &quoted("", from)]);
                write_parts(out, &[b"rename to ", &quoted("", to)]);
            }
            if old.kind == EntryKind::Submodule && old.bytes != new.bytes {
                let mode = new.kind.git_mode().as_bytes();
                write_parts(out, &[b"index ", &old.bytes, b"..", &new.bytes, b" ", mode]);
            }
        }
        (None, None) => {}
    }
}

/// All lines of a text, kept, removed or added; `None` if it is not text, or does not change.
fn lines_of_text(
    edited: &Edited,
    was: impl Fn(u32) -> bool,
    is: impl Fn(u32) -> bool,
) -> Option<Vec<PatchLine<'_>>> {
    let EditedBody::Text { good, bad, hunks } = &edited.body else { return None };
    let mut lines = Vec::new();
    let mut at = 0;
    for (nth, hunk) in (edited.before_body()..).zip(hunks) {
        let span = hunk.span();
        match (was(nth), is(nth)) {
            (false, false) => {}
            (true, _) => {
                lines.extend(good.lines(at..span.good.start).map(PatchLine::Kept));
                lines.extend(bad.lines(span.bad).map(PatchLine::Kept));
                at = span.good.end;
            }
            (false, true) => {
                for edit in hunk.edits() {
                    lines.extend(good.lines(at..edit.good.start).map(PatchLine::Kept));
                    lines.extend(good.lines(edit.good.clone()).map(PatchLine::Gone));
                    lines.extend(bad.lines(edit.bad.clone()).map(PatchLine::Come));
                    at = edit.good.end;
                }
            }
        }
    }
    lines.extend(good.lines(at..good.len()).map(PatchLine::Kept));
    Some(lines)
}

/// The last lines of both sides, each with a newline, even if the file has none.
fn ended_lines(edited: &Edited) -> [Vec<u8>; 2] {
    let last = |version: &LoadedEntry| lines_of(&version.bytes).last().unwrap_or_default().to_vec();
    [&edited.good, &edited.bad].map(|version| [last(version), b"\n".to_vec()].concat())
}

/// The content as git shows it.
fn body_of(version: &LoadedEntry) -> Vec<u8> {
    match version.kind {
        EntryKind::Submodule => [b"Subproject commit ", &version.bytes[..], b"\n"].concat(),
        _ => version.bytes.to_vec(),
    }
}

fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n')
}

fn write_parts(out: &mut Vec<u8>, parts: &[&[u8]]) {
    out.extend(parts.concat());
    out.push(b'\n');
}

/// A name as git writes it: in quotes if it contains anything that could be misread.
fn quoted(prefix: &str, path: &TreePath) -> Vec<u8> {
    let is_plain = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
    let mut name = prefix.as_bytes().to_vec();
    if path.as_bytes().iter().all(is_plain) {
        name.extend_from_slice(path.as_bytes());
        return name;
    }
    name.insert(0, b'"');
    for byte in path.as_bytes() {
        match byte {
            b'"' | b'\\' => name.extend([b'\\', *byte]),
            b' '..=b'~' => name.push(*byte),
            _ => name.extend(format!("\\{byte:03o}").bytes()),
        }
    }
    name.push(b'"');
    name
}
