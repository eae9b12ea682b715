//! Writing out any subset of the changes: no patch is applied, so none can fail to apply.

use crate::file_change::{Body, FileChange, What};
use crate::hunk::Hunk;
use crate::text::Text;
use crate::{ChangeSet, TreePath, Version};
use howcome_dd::{Configuration, DeltaId};
use howcome_run::Content;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What differs from the good version when some of the deltas are applied to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mix {
    files: BTreeMap<TreePath, Option<Version>>,
}

impl Mix {
    /// The paths that differ, in order: what is there, or `None` where there is nothing any more.
    ///
    /// Files that go should go first: a directory may come in the place of one.
    pub fn iter(&self) -> impl Iterator<Item = (&TreePath, Option<&Version>)> {
        self.files.iter().map(|(path, version)| (path, version.as_ref()))
    }

    /// What is at a path: `None` if it is as in the good version.
    #[must_use]
    pub fn get(&self, path: &TreePath) -> Option<Option<&Version>> {
        self.files.get(path).map(Option::as_ref)
    }

    /// How many paths differ.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// What identifies it among all mixes with the same good version.
    #[must_use]
    pub fn content(&self) -> Content {
        // Lengths and modes stand before the bytes, so that no two mixes are the same bytes in a row.
        let heads: Vec<_> = self.iter().map(|(path, version)| head(path, version)).collect();
        let bodies = self.iter().map(|(_, version)| version.map_or(&[][..], |version| &version.bytes));
        Content::of(heads.iter().zip(bodies).flat_map(|(head, body)| [&head[..], body]))
    }
}

fn head(path: &TreePath, version: Option<&Version>) -> Vec<u8> {
    let (mode, length) = version.map_or(("-", 0), |version| (version.kind.git_mode(), version.bytes.len()));
    [path.as_bytes(), b"\0", mode.as_bytes(), b"\0", length.to_string().as_bytes(), b"\0"].concat()
}

/// Applies a configuration to the good version: nothing gives the good version, all deltas give the bad one.
#[must_use]
pub fn mix(changes: &ChangeSet, configuration: &Configuration) -> Mix {
    let mut files = BTreeMap::new();
    for (file, first) in changes.files_of(configuration) {
        match &file.what {
            What::Swapped { good, bad, .. } => {
                files.extend(good.iter().map(|(path, _)| (path.clone(), None)));
                files.extend(bad.iter().map(|(path, version)| (path.clone(), Some(version.clone()))));
            }
            What::Edited { good, .. } => {
                let version = edited(file, |nth| configuration.contains(DeltaId(first.0 + nth)));
                // Edits can cancel each other out, as a line that is taken from one place and put to another.
                if let Some(version) = version.filter(|version| version != good) {
                    files.insert(file.path.clone(), Some(version));
                }
            }
        }
    }
    Mix { files }
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
