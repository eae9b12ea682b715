//! A configuration as a patch for `git apply`.
//!
//! Binary files are written like texts, as `git diff --text` does: git's own format for them depends on the sort of
//! hash that a repository uses, and bytes are bytes to `git apply`.

use crate::file_change::{Body, FileChange, How, What};
use crate::splice::edited;
use crate::unified::{Line, write_unified};
use crate::{ChangeSet, Kind, TreePath, Version};
use howcome_dd::{Configuration, DeltaId};

/// What `git apply` makes the configuration of the good version with.
#[must_use]
pub fn patch_of_good(changes: &ChangeSet, configuration: &Configuration) -> Vec<u8> {
    patch(changes, &Configuration::empty(), &configuration.within(&changes.all()))
}

/// What `git apply -R` takes the configuration from the bad version with.
#[must_use]
pub fn patch_of_bad(changes: &ChangeSet, configuration: &Configuration) -> Vec<u8> {
    let all = changes.all();
    patch(changes, &all.without(configuration), &all)
}

/// From one configuration to one that holds it.
fn patch(changes: &ChangeSet, from: &Configuration, to: &Configuration) -> Vec<u8> {
    let mut out = Vec::new();
    for (file, first) in changes.files_of(&to.without(from)) {
        match &file.what {
            What::Swapped { how, good, bad } => write_swapped(&mut out, *how, good, bad),
            What::Edited { .. } => {
                let was = |nth| from.contains(DeltaId(first.0 + nth));
                let is = |nth| to.contains(DeltaId(first.0 + nth));
                write_edited(&mut out, file, was, is);
            }
        }
    }
    out
}

fn write_swapped(out: &mut Vec<u8>, how: How, good: &[(TreePath, Version)], bad: &[(TreePath, Version)]) {
    if let (How::Renamed, [(from, _)], [(to, _)]) = (how, good, bad) {
        write_head(out, from, to);
        out.extend_from_slice(b"similarity index 100%\n");
        write_parts(out, &[b"rename from ", &quoted("", from)]);
        write_parts(out, &[b"rename to ", &quoted("", to)]);
        return;
    }
    for (path, version) in good {
        write_head(out, path, path);
        let mode = version.kind.git_mode().as_bytes();
        // Some versions of git, 2.47 for one, make a plain file of it on `apply -R` unless they are told twice.
        if version.kind != Kind::PLAIN {
            write_parts(out, &[b"new mode ", mode]);
        }
        write_parts(out, &[b"deleted file mode ", mode]);
        let body = body_of(version);
        let lines: Vec<_> = lines_of(&body).map(Line::Gone).collect();
        write_body(out, &quoted("a/", path), b"/dev/null", &lines);
    }
    for (path, version) in bad {
        write_head(out, path, path);
        write_parts(out, &[b"new file mode ", version.kind.git_mode().as_bytes()]);
        let body = body_of(version);
        let lines: Vec<_> = lines_of(&body).map(Line::Come).collect();
        write_body(out, b"/dev/null", &quoted("b/", path), &lines);
    }
}

fn write_edited(out: &mut Vec<u8>, file: &FileChange, was: impl Fn(u32) -> bool, is: impl Fn(u32) -> bool) {
    let (Some(old), Some(new)) = (edited(file, &was), edited(file, &is)) else { return };
    // Edits can cancel each other out, and a patch that changes nothing is refused.
    if old == new {
        return;
    }
    let path = &file.path;
    write_head(out, path, path);
    if old.kind != new.kind {
        write_parts(out, &[b"old mode ", old.kind.git_mode().as_bytes()]);
        write_parts(out, &[b"new mode ", new.kind.git_mode().as_bytes()]);
    }
    if old.kind == Kind::Submodule {
        let mode = new.kind.git_mode().as_bytes();
        write_parts(out, &[b"index ", &old.bytes, b"..", &new.bytes, b" ", mode]);
    }
    if old.bytes == new.bytes {
        return;
    }
    let (old_body, new_body) = (body_of(&old), body_of(&new));
    let lines = match lines_of_hunks(file, was, is) {
        Some(lines) => lines,
        None => lines_of(&old_body).map(Line::Gone).chain(lines_of(&new_body).map(Line::Come)).collect(),
    };
    write_body(out, &quoted("a/", path), &quoted("b/", path), &lines);
}

/// All lines of a text, with what becomes of them; `None` if it does not change hunk by hunk.
fn lines_of_hunks(
    file: &FileChange,
    was: impl Fn(u32) -> bool,
    is: impl Fn(u32) -> bool,
) -> Option<Vec<Line<'_>>> {
    let What::Edited { good: Version { kind, .. }, bad: other, body } = &file.what else { return None };
    let Body::Hunks { good, bad, hunks } = body else { return None };
    let mut lines = Vec::new();
    let mut at = 0;
    for (nth, hunk) in (u32::from(*kind != other.kind)..).zip(hunks) {
        let span = hunk.span();
        match (was(nth), is(nth)) {
            (false, false) => {}
            (true, _) => {
                lines.extend(good.lines(at..span.good.start).map(Line::Kept));
                lines.extend(bad.lines(span.bad).map(Line::Kept));
                at = span.good.end;
            }
            (false, true) => {
                for edit in hunk.edits() {
                    lines.extend(good.lines(at..edit.good.start).map(Line::Kept));
                    lines.extend(good.lines(edit.good.clone()).map(Line::Gone));
                    lines.extend(bad.lines(edit.bad.clone()).map(Line::Come));
                    at = edit.good.end;
                }
            }
        }
    }
    lines.extend(good.lines(at..good.len()).map(Line::Kept));
    Some(lines)
}

/// What git shows as the content.
fn body_of(version: &Version) -> Vec<u8> {
    match version.kind {
        Kind::Submodule => [b"Subproject commit ", &version.bytes[..], b"\n"].concat(),
        _ => version.bytes.to_vec(),
    }
}

fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n')
}

fn write_head(out: &mut Vec<u8>, from: &TreePath, to: &TreePath) {
    write_parts(out, &[b"diff --git ", &quoted("a/", from), b" ", &quoted("b/", to)]);
}

/// An empty file that comes or goes has no body.
fn write_body(out: &mut Vec<u8>, from: &[u8], to: &[u8], lines: &[Line<'_>]) {
    if !lines.is_empty() {
        write_parts(out, &[b"--- ", from]);
        write_parts(out, &[b"+++ ", to]);
        write_unified(out, lines);
    }
}

fn write_parts(out: &mut Vec<u8>, parts: &[&[u8]]) {
    out.extend(parts.concat());
    out.push(b'\n');
}

/// A name as git writes it: in quotes where it holds anything that could be misread.
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
