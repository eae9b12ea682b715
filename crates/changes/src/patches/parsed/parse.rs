//! Reading unified diffs, among whatever mails and programs write around them.

use super::bad_patch::{BadPatch, BadPatchKind};
use super::file_patch::{FilePatch, PatchHunk};
use super::names::{git_names, header_name};
use crate::patches::quoted::unquoted;
use crate::trees::entry::EntryKind;

/// All files of a patch, in order.
pub(super) fn parse(patch: &[u8]) -> Result<Vec<FilePatch>, BadPatch> {
    let lines: Vec<&[u8]> = patch.split_inclusive(|&byte| byte == b'\n').collect();
    let mut reader = PatchLines { lines, at: 0 };
    let (mut files, mut part) = (Vec::new(), 0);
    while let Some(line) = reader.line() {
        if let Some(names) = line.strip_prefix(b"diff --git ") {
            files.push(FilePatch { part, ..reader.git_file(names)? });
        } else if reader.is_header() {
            let mut file = FilePatch { line: reader.at + 1, part, ..FilePatch::default() };
            reader.header(&mut file)?;
            files.push(file);
        } else {
            reader.refuse_others(line)?;
            // As in a mailbox, or in a log.
            part += usize::from(line.starts_with(b"From ") || line.starts_with(b"commit "));
            reader.at += 1;
        }
    }
    if files.is_empty() { Err(reader.bad(BadPatchKind::NoChanges)) } else { Ok(files) }
}

struct PatchLines<'a> {
    lines: Vec<&'a [u8]>,
    at: usize,
}

impl<'a> PatchLines<'a> {
    /// The current line, without its line end.
    fn line(&self) -> Option<&'a [u8]> {
        self.lines.get(self.at).map(|line| bare(line))
    }

    fn bad(&self, why: BadPatchKind) -> BadPatch {
        BadPatch { line: (self.at + 1).min(self.lines.len().max(1)), why }
    }

    fn is_header(&self) -> bool {
        let next = |count: usize, mark: &[u8]| {
            self.lines.get(self.at + count).is_some_and(|line| line.starts_with(mark))
        };
        next(0, b"--- ") && next(1, b"+++ ") && next(2, b"@@ -")
    }

    fn refuse_others(&self, line: &[u8]) -> Result<(), BadPatch> {
        let is_binary = line.starts_with(b"GIT binary patch")
            || (line.starts_with(b"Binary files ") && line.ends_with(b" differ"));
        if is_binary {
            return Err(self.bad(BadPatchKind::Binary));
        }
        if line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ") {
            return Err(self.bad(BadPatchKind::OtherFormat("the combined diff of a merge")));
        }
        if line == b"***************" {
            return Err(self.bad(BadPatchKind::OtherFormat("a context diff")));
        }
        Ok(())
    }

    /// The header that git writes for a file, and its hunks.
    fn git_file(&mut self, names: &[u8]) -> Result<FilePatch, BadPatch> {
        let (old, new) = git_names(names).map_or((None, None), |(old, new)| (Some(old), Some(new)));
        let mut file = FilePatch { line: self.at + 1, old, new, ..FilePatch::default() };
        self.at += 1;
        while let Some(line) = self.line() {
            let value = |key: &str| line.strip_prefix(key.as_bytes());
            if let Some(mode) = value("new file mode ") {
                (file.comes, file.kind) = (true, Some(self.mode(mode)?));
            } else if value("deleted file mode ").is_some() {
                file.goes = true;
            } else if let Some(mode) = value("new mode ") {
                file.kind = Some(self.mode(mode)?);
            } else if let Some(name) = value("rename from ").or(value("copy from ")) {
                let moved = file.moved.get_or_insert_default();
                (moved.from, moved.is_copy) = (unquoted(name), line.starts_with(b"copy"));
            } else if let Some(name) = value("rename to ").or(value("copy to ")) {
                file.moved.get_or_insert_default().to = unquoted(name);
            } else if !["old mode ", "similarity index ", "dissimilarity index ", "index "]
                .iter()
                .any(|key| value(key).is_some())
            {
                break;
            }
            self.at += 1;
        }
        if let Some(line) = self.line() {
            self.refuse_others(line)?;
        }
        if self.is_header() {
            self.header(&mut file)?;
        }
        let is_named = file.moved.as_ref().map_or(file.old.is_some() || file.new.is_some(), |moved| {
            !moved.from.is_empty() && !moved.to.is_empty()
        });
        if is_named { Ok(file) } else { Err(BadPatch { line: file.line, why: BadPatchKind::NoName }) }
    }

    fn mode(&self, mode: &[u8]) -> Result<EntryKind, BadPatch> {
        match mode {
            b"120000" => Ok(EntryKind::Symlink),
            b"160000" => Ok(EntryKind::Submodule),
            [b'1', b'0', b'0', owner @ b'0'..=b'7', ..] => Ok(EntryKind::File { executable: owner & 1 == 1 }),
            _ => Err(self.bad(BadPatchKind::BadMode)),
        }
    }

    /// The two names and all hunks.
    fn header(&mut self, file: &mut FilePatch) -> Result<(), BadPatch> {
        let mut dated = [false; 2];
        for (mark, side) in [(b"--- ", 0), (b"+++ ", 1)] {
            let name = self.line().and_then(|line| line.strip_prefix(mark)).unwrap_or_default();
            let (name, is_oldest) = header_name(name);
            dated[side] = is_oldest;
            *if side == 0 { &mut file.old } else { &mut file.new } = name;
            self.at += 1;
        }
        while self.line().is_some_and(|line| line.starts_with(b"@@ -")) {
            let hunk = self.hunk()?;
            file.hunks.push(hunk);
        }
        // If all files have the oldest date, as in some archives, the date says nothing.
        let is_telling = dated[0] != dated[1];
        let all_come = file.hunks.iter().all(|hunk| hunk.old.is_empty());
        let all_go = file.hunks.iter().all(|hunk| hunk.new.is_empty());
        file.comes |= file.old.is_none() || (is_telling && dated[0] && all_come);
        file.goes |= file.new.is_none() || (is_telling && dated[1] && all_go);
        Ok(())
    }

    fn hunk(&mut self) -> Result<PatchHunk, BadPatch> {
        let head = self.line().and_then(ranges).ok_or_else(|| self.bad(BadPatchKind::BadHead))?;
        let ((first, mut old_left), (_, mut new_left)) = head;
        // If no line is removed, the line before is named.
        let at = if old_left == 0 { first } else { first.saturating_sub(1) };
        let mut hunk = PatchHunk { line: self.at + 1, at, old: Vec::new(), new: Vec::new() };
        self.at += 1;
        while old_left > 0 || new_left > 0 {
            let Some(line) = self.lines.get(self.at) else { return Err(self.bad(BadPatchKind::CutOff)) };
            // Some programs remove the blank from empty lines.
            let (mark, rest) = match line {
                [b'\n', ..] | [b'\r', b'\n'] => (b' ', *line),
                [mark, rest @ ..] => (*mark, rest),
                [] => (b' ', *line),
            };
            let (is_old, is_new) = match mark {
                b' ' => (true, true),
                b'-' => (true, false),
                b'+' => (false, true),
                _ => return Err(self.bad(BadPatchKind::CutOff)),
            };
            if (is_old && old_left == 0) || (is_new && new_left == 0) {
                return Err(self.bad(BadPatchKind::CutOff));
            }
            self.at += 1;
            let is_last = self.lines.get(self.at).is_some_and(|next| next.starts_with(b"\\ "));
            self.at += usize::from(is_last);
            let rest = if is_last { rest.strip_suffix(b"\n").unwrap_or(rest) } else { rest };
            if is_old {
                hunk.old.push(rest.to_vec());
                old_left -= 1;
            }
            if is_new {
                hunk.new.push(rest.to_vec());
                new_left -= 1;
            }
        }
        Ok(hunk)
    }
}

/// A line without its line end.
fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// `@@ -1,2 +3,4 @@`; a count of 1 can be left out.
fn ranges(head: &[u8]) -> Option<((usize, usize), (usize, usize))> {
    let head = std::str::from_utf8(head.get(..head.windows(3).position(|part| part == b" @@")?)?).ok()?;
    let (old, new) = head.strip_prefix("@@ -")?.split_once(" +")?;
    let range = |range: &str| {
        let (first, count) = range.split_once(',').unwrap_or((range, "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    Some((range(old)?, range(new)?))
}
