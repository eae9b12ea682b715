//! The good version in the names of the bad version.
//!
//! If a commit renames something everywhere, no part of it can be left out, because the rest no longer builds. But the lines that changed
//! can be renamed in the good version, too. What then still differs are the changes that mean something.

use super::line_matches::{ChangedFile, changed_files};
use super::line_names::renamed_in;
use super::line_parts::{LinePart, LineVersions};
use super::renamings::Renamings;
use super::single_edit::placed;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::splice::append;
use crate::trees::entry::LoadedEntry;
use crate::trees::mix::Mix;
use crate::trees::tree_path::TreePath;
use std::ops::Range;

/// What differs from the good version if the lines that changed get the names of the bad version, and its line breaks. The same changes
/// are given as lines that replace others, and as blocks of lines.
pub(crate) fn in_new_names(lines: &ChangeSet, blocks: &ChangeSet) -> Mix {
    let files = changed_files(lines);
    let pairs = || files.iter().flat_map(replaced_lines);
    let names = |known: &Renamings| {
        let renamed = pairs().flat_map(|(one, other)| renamed_in(one, other, known)).collect::<Vec<_>>();
        Renamings::counted(renamed.into_iter())
    };
    // Names that are known tell which others belong together.
    let renamings = names(&names(&Renamings::default()));
    changed_files(blocks).iter().filter_map(|file| renamed_file(file, &renamings)).collect()
}

/// Each line that another line replaces, and that line.
fn replaced_lines<'a>(file: &ChangedFile<'a>) -> Vec<(&'a [u8], &'a [u8])> {
    let is_pair = |good: &Range<u32>, bad: &Range<u32>| good.len() == 1 && bad.len() == 1;
    let spans = file.deltas.iter().map(|(_, span)| (span.good.clone(), span.bad.clone()));
    let (good, bad) = (file.good, file.bad);
    spans
        .filter(|(one, other)| is_pair(one, other))
        .map(|(one, other)| (good.run(one).trim_ascii(), bad.run(other).trim_ascii()))
        .collect()
}

fn renamed_file(file: &ChangedFile<'_>, renamings: &Renamings) -> Option<(TreePath, Option<LoadedEntry>)> {
    let path = file.good_path?;
    let mut bytes = Vec::new();
    let mut line = 0;
    for (_, span) in &file.deltas {
        append(&mut bytes, file.good.run(line..span.good.start));
        let [old, new] = [file.good.run(span.good.clone()), file.bad.run(span.bad.clone())];
        append(&mut bytes, &renamed_block(old, new, renamings));
        line = span.good.end;
    }
    append(&mut bytes, file.good.run(line..file.good.len()));
    let is_changed = bytes != file.good.bytes()[..];
    is_changed.then(|| (path.clone(), Some(LoadedEntry { kind: file.good_entry.kind, bytes: bytes.into() })))
}

/// Some lines in the new names. Of the lines that replace them, only those parts are undone that are not just renamed.
fn renamed_block(old: &[u8], new: &[u8], renamings: &Renamings) -> Vec<u8> {
    let has_both = !old.trim_ascii().is_empty() && !new.trim_ascii().is_empty();
    let versions = LineVersions::of_blocks(old.trim_ascii(), new.trim_ascii(), renamings);
    let Some(versions) = versions.filter(|_| has_both) else { return renamings.new_line(old) };
    let is_renamed =
        |part: &LinePart| versions.renaming(part).is_some_and(|(from, to)| renamings.replaces(from, to));
    let edited = versions.units(is_renamed).concat();
    let undone: usize = edited.iter().map(|part| part.good.len().max(part.bad.len())).sum();
    // Lines that have little in common do not replace each other.
    match 2 * undone > versions.good.len().max(versions.bad.len()) {
        true => renamings.new_line(old),
        false => placed(&versions.undone(&edited, renamings), new),
    }
}
