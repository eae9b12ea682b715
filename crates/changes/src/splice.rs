//! Writing out any subset of the changes: no patch is applied, so none can fail to apply.

use crate::file_change::{Body, FileChange, What};
use crate::hunk::Hunk;
use crate::text::Text;
use crate::{ChangeSet, Mix, Version};
use howcome_dd::{Configuration, DeltaId};
use std::sync::Arc;

/// Applies a configuration to the good version: nothing gives the good version, all deltas give the bad one.
#[must_use]
pub fn mix(changes: &ChangeSet, configuration: &Configuration) -> Mix {
    let mut mix = Mix::default();
    for (file, first) in changes.files_of(configuration) {
        match &file.what {
            What::Swapped { good, bad, .. } => {
                mix.extend(good.iter().map(|(path, _)| (path.clone(), None)));
                mix.extend(bad.iter().map(|(path, version)| (path.clone(), Some(version.clone()))));
            }
            What::Edited { good, .. } => {
                let version = edited(file, |nth| configuration.contains(DeltaId(first.0 + nth)));
                // Edits can cancel each other out, as a line that is taken from one place and put to another.
                if let Some(version) = version.filter(|version| version != good) {
                    mix.extend([(file.path.clone(), Some(version))]);
                }
            }
        }
    }
    mix
}

/// An edited file with some of its deltas, counted within the file.
pub(crate) fn edited(file: &FileChange, applies: impl Fn(u32) -> bool) -> Option<Version> {
    let What::Edited { good, bad, body } = &file.what else { return None };
    let mode_changes = good.kind != bad.kind;
    let kind = if mode_changes && applies(0) { bad.kind } else { good.kind };
    let of_body = u32::from(mode_changes);
    let bytes = match body {
        Body::Same => good.bytes.clone(),
        Body::Whole if applies(of_body) => bad.bytes.clone(),
        Body::Whole => good.bytes.clone(),
        Body::Hunks { good, bad, hunks } => {
            let chosen = |nth: &usize| applies(of_body + *nth as u32);
            let chosen: Vec<&Hunk> = (0..hunks.len()).filter(chosen).map(|nth| &hunks[nth]).collect();
            match chosen.len() {
                0 => good.bytes().clone(),
                all if all == hunks.len() => bad.bytes().clone(),
                _ => splice(good, bad, &chosen),
            }
        }
    };
    Some(Version { kind, bytes })
}

fn splice(good: &Text, bad: &Text, chosen: &[&Hunk]) -> Arc<[u8]> {
    let mut bytes = Vec::with_capacity(good.bytes().len().max(bad.bytes().len()));
    let mut line = 0;
    for span in chosen.iter().map(|hunk| hunk.span()) {
        bytes.extend_from_slice(good.run(line..span.good.start));
        bytes.extend_from_slice(bad.run(span.bad));
        line = span.good.end;
    }
    bytes.extend_from_slice(good.run(line..good.len()));
    bytes.into()
}
