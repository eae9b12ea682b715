//! Removed and added lines as a unified diff writes them.

use std::ops::Range;

/// How many unchanged lines `git diff` shows around a change.
const SHOWN: usize = 3;

/// A line that is kept, removed, or added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatchLine<'a> {
    Kept(&'a [u8]),
    Gone(&'a [u8]),
    Come(&'a [u8]),
}

/// Puts lines into the order in which they are written: removed lines before the added lines that replace them, and a
/// newline for a last line, as in `ended`, on each side on which it is not the last one.
pub(crate) fn settled<'a>(lines: Vec<PatchLine<'a>>, ended: &'a [Vec<u8>]) -> Vec<PatchLine<'a>> {
    let last_old = lines.iter().rposition(|line| !matches!(line, PatchLine::Come(_)));
    let last_new = lines.iter().rposition(|line| !matches!(line, PatchLine::Gone(_)));
    let with_end = |bytes: &'a [u8], is_last: bool| {
        let other = ended.iter().find(|ended| ended.strip_suffix(b"\n") == Some(bytes));
        if is_last || bytes.ends_with(b"\n") { bytes } else { other.map_or(bytes, Vec::as_slice) }
    };
    let (mut settled, mut come) = (Vec::with_capacity(lines.len()), Vec::new());
    for (at, line) in lines.into_iter().enumerate() {
        let forms = |bytes| [last_old, last_new].map(|last| with_end(bytes, last == Some(at)));
        match line {
            PatchLine::Gone(bytes) => settled.push(PatchLine::Gone(forms(bytes)[0])),
            PatchLine::Come(bytes) => come.push(PatchLine::Come(forms(bytes)[1])),
            PatchLine::Kept(bytes) => {
                let [old, new] = forms(bytes);
                if old == new {
                    settled.append(&mut come);
                    settled.push(PatchLine::Kept(old));
                } else {
                    settled.push(PatchLine::Gone(old));
                    come.push(PatchLine::Come(new));
                }
            }
        }
    }
    settled.append(&mut come);
    settled
}

/// Writes the parts of a file around its changes.
pub(crate) fn write_unified(out: &mut Vec<u8>, lines: &[PatchLine<'_>]) {
    let (mut old, mut new, mut done) = (0, 0, 0);
    for part in parts(lines) {
        for line in &lines[done..part.start] {
            count(line, &mut old, &mut new);
        }
        let (old_before, new_before) = (old, new);
        for line in &lines[part.clone()] {
            count(line, &mut old, &mut new);
        }
        let (old_range, new_range) = (range(old_before, old), range(new_before, new));
        out.extend_from_slice(format!("@@ -{old_range} +{new_range} @@\n").as_bytes());
        for line in &lines[part.clone()] {
            write_line(out, line);
        }
        done = part.end;
    }
}

/// The changes with the unchanged lines around them. Changes whose surroundings touch are one part.
fn parts(lines: &[PatchLine<'_>]) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let changed = lines.iter().enumerate().filter(|(_, line)| !matches!(line, PatchLine::Kept(_)));
    for (at, _) in changed {
        let (start, end) = (at.saturating_sub(SHOWN), (at + 1 + SHOWN).min(lines.len()));
        match parts.last_mut() {
            Some(part) if start <= part.end => part.end = end,
            _ => parts.push(start..end),
        }
    }
    parts
}

fn count(line: &PatchLine<'_>, old: &mut usize, new: &mut usize) {
    *old += usize::from(!matches!(line, PatchLine::Come(_)));
    *new += usize::from(!matches!(line, PatchLine::Gone(_)));
}

/// Lines count from 1. If there are no lines, the line before them is named.
fn range(before: usize, after: usize) -> String {
    match after - before {
        0 => format!("{before},0"),
        count => format!("{},{count}", before + 1),
    }
}

fn write_line(out: &mut Vec<u8>, line: &PatchLine<'_>) {
    let (mark, bytes) = match line {
        PatchLine::Kept(bytes) => (b' ', bytes),
        PatchLine::Gone(bytes) => (b'-', bytes),
        PatchLine::Come(bytes) => (b'+', bytes),
    };
    out.push(mark);
    out.extend_from_slice(bytes);
    if !bytes.ends_with(b"\n") {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unified(lines: &[PatchLine<'_>]) -> String {
        let mut out = Vec::new();
        write_unified(&mut out, lines);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn changes_far_apart_are_parts_of_their_own() {
        let kept = [PatchLine::Kept(b".\n"); 7];
        let lines = [&[PatchLine::Gone(b"a\n")], &kept[..], &[PatchLine::Come(b"b\n")]].concat();
        assert_eq!(unified(&lines), "@@ -1,4 +1,3 @@\n-a\n .\n .\n .\n@@ -6,3 +5,4 @@\n .\n .\n .\n+b\n");
        let near = [&[PatchLine::Gone(b"a\n")], &kept[..6], &[PatchLine::Come(b"b\n")]].concat();
        assert_eq!(unified(&near).matches("@@ -").count(), 1);
    }

    #[test]
    fn a_missing_last_newline_is_said() {
        let lines = [PatchLine::Gone(b"a"), PatchLine::Come(b"a\n")];
        assert_eq!(unified(&lines), "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
    }

    #[test]
    fn a_file_that_was_empty_has_no_line_to_begin_with() {
        assert_eq!(unified(&[PatchLine::Come(b"a\n")]), "@@ -0,0 +1,1 @@\n+a\n");
    }
}
