//! Where the lines of a hunk are in a file.

use super::bad_patch::{BadPatch, BadPatchKind};
use super::file_patch::PatchHunk;
use crate::deltas::splice::append;
use crate::trees::tree_path::TreePath;

/// A file with all hunks applied, each as near as possible to the line that it names.
pub(super) fn fitted(path: &TreePath, bytes: &[u8], hunks: &[PatchHunk]) -> Result<Vec<u8>, BadPatch> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let mut result = Vec::with_capacity(bytes.len());
    // How far the hunk before was from its line. The next one is probably as far.
    let (mut done, mut offset) = (0, 0);
    for hunk in hunks {
        let expected = hunk.at.saturating_add_signed(offset);
        let at = nearest(&lines, done, expected, &hunk.old).ok_or_else(|| {
            let why = BadPatchKind::DoesNotFit { path: path.clone(), expected: hunk.at + 1 };
            BadPatch { line: hunk.line, why }
        })?;
        append(&mut result, &lines[done..at].concat());
        append(&mut result, &hunk.new.concat());
        done = at + hunk.old.len();
        offset = at as isize - hunk.at as isize;
    }
    append(&mut result, &lines[done..].concat());
    Ok(result)
}

/// The place of some lines that is nearest to the expected one, and not before the first line that is left.
fn nearest(lines: &[&[u8]], first: usize, expected: usize, wanted: &[Vec<u8>]) -> Option<usize> {
    let last = lines.len().checked_sub(wanted.len())?;
    if wanted.is_empty() {
        // Only its line number tells where it belongs.
        return (first..=last).contains(&expected).then_some(expected);
    }
    let fits = |&at: &usize| lines[at..].iter().zip(wanted).all(|(line, wanted)| line == wanted);
    let near = expected.clamp(first.min(last), last);
    let behind = (near..=last).find(fits);
    // Only nearer places are of interest.
    let reach = behind.map_or(first, |at| first.max(near.saturating_sub(at - near)));
    let before = (reach..near).rev().filter(|_| first <= last).find(fits);
    match (before, behind.filter(|&at| at >= first)) {
        (Some(before), Some(behind)) if expected.abs_diff(before) < expected.abs_diff(behind) => Some(before),
        (before, behind) => behind.or(before),
    }
}
