//! The files that any subset of the changes makes. No patch is applied, so none can fail to apply.

use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{Edited, EditedBody, EditedSides, FileChange, FileChangeKind};
use crate::deltas::hunk::Hunk;
use crate::deltas::text::Text;
use crate::trees::entry::LoadedEntry;
use crate::trees::mix::Mix;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};
use howcome_run::{Content, Subject};
use std::sync::Arc;

/// Applies a configuration to the good version: nothing gives the good version, all deltas give the bad one.
#[must_use]
pub fn mix(changes: &ChangeSet, configuration: &Configuration) -> Mix {
    let mut mix = Mix::default();
    for (file, first) in changes.files_of(configuration) {
        match &file.what {
            FileChangeKind::Swapped { good, bad, .. } => {
                mix.extend(good.iter().map(|(path, _)| (path.clone(), None)));
                mix.extend(bad.iter().map(|(path, version)| (path.clone(), Some(version.clone()))));
            }
            FileChangeKind::Edited(edited) => {
                let was = state(file, edited, |_| false);
                let is = state(file, edited, |nth| configuration.contains(DeltaId(first.0 + nth)));
                // Edits can cancel each other out, such as a line that is moved.
                if is != was {
                    mix.extend(was.map(|(path, _)| (path.clone(), None)));
                    mix.extend(is.map(|(path, version)| (path.clone(), Some(version))));
                }
            }
        }
    }
    mix
}

impl Subject for ChangeSet {
    fn deltas(&self) -> u32 {
        self.len()
    }

    fn describe(&self, delta: DeltaId) -> String {
        ChangeSet::describe(self, delta)
            .map_or_else(|| format!("change {delta}"), |change| change.to_string())
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        Some(mix(self, configuration).content())
    }
}

/// The path and the entry of an edited file with some of its deltas, counted within the file. `None` if the file does not exist.
pub(crate) fn state<'a>(
    file: &'a FileChange,
    edited: &'a Edited,
    applies: impl Fn(u32) -> bool,
) -> Option<(&'a TreePath, LoadedEntry)> {
    let is_there = match edited.sides {
        EditedSides::Both => true,
        EditedSides::OnlyGood => !(0..file.deltas()).all(&applies),
        EditedSides::OnlyBad => (0..file.deltas()).any(&applies),
    };
    let path = edited.from.as_ref().filter(|_| !applies(0)).unwrap_or(&file.path);
    is_there.then(|| (path, version(edited, applies)))
}

fn version(edited: &Edited, applies: impl Fn(u32) -> bool) -> LoadedEntry {
    let Edited { good, bad, body, .. } = edited;
    let before_body = edited.before_body();
    // If the mode changes, that is the last delta before the deltas of the body.
    let mode_changed = good.kind != bad.kind && applies(before_body - 1);
    let kind = if mode_changed { bad.kind } else { good.kind };
    let bytes = match body {
        EditedBody::Same => good.bytes.clone(),
        EditedBody::Whole if applies(before_body) => bad.bytes.clone(),
        EditedBody::Whole => good.bytes.clone(),
        EditedBody::Text { good, bad, hunks } => {
            let chosen = |nth: &usize| applies(before_body + *nth as u32);
            let chosen: Vec<&Hunk> = (0..hunks.len()).filter(chosen).map(|nth| &hunks[nth]).collect();
            match chosen.len() {
                0 => good.bytes().clone(),
                all if all == hunks.len() => bad.bytes().clone(),
                _ => splice(good, bad, &chosen),
            }
        }
    };
    LoadedEntry { kind, bytes }
}

fn splice(good: &Text, bad: &Text, chosen: &[&Hunk]) -> Arc<[u8]> {
    let mut bytes = Vec::with_capacity(good.bytes().len().max(bad.bytes().len()));
    let mut line = 0;
    for span in chosen.iter().map(|hunk| hunk.span()) {
        append(&mut bytes, good.run(line..span.good.start));
        append(&mut bytes, bad.run(span.bad));
        line = span.good.end;
    }
    append(&mut bytes, good.run(line..good.len()));
    bytes.into()
}

/// Adds lines. A last line without a newline gets one if more lines follow.
pub(crate) fn append(bytes: &mut Vec<u8>, lines: &[u8]) {
    if !lines.is_empty() && !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(lines);
}
