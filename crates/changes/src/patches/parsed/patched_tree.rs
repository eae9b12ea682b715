//! The tree that a patch makes of another one.

use super::bad_patch::{BadPatch, BadPatchKind};
use super::file_patch::{FilePatch, PatchHunk};
use super::fit::fitted;
use super::names::{components_before, without};
use super::parse::parse;
use crate::trees::entry::{EntryKind, LoadedEntry};
use crate::trees::mix::Mix;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The tree that a patch makes of the good one.
///
/// It reads unified diffs as `diff -ru`, `git diff` and `git format-patch` write them, also several in a row. Lines can have
/// moved, but they must be the same. It finds out whether names have a prefix such as `a/`.
pub fn apply_patch(good: &Tree, patch: &[u8]) -> Result<Tree, BadPatch> {
    let files = parse(patch)?;
    let components = components_before(&files, good);
    let mut tree = good.clone();
    for part in files.chunk_by(|one, next| one.part == next.part) {
        let mut made = Made::new(&tree, components);
        for file in part {
            made.make(file)?;
        }
        tree = made.finish()?;
    }
    Ok(tree)
}

/// A tree while a patch is applied to it.
struct Made<'a> {
    base: &'a Tree,
    components: usize,
    /// What differs from the base, and the line of the patch that says so.
    files: BTreeMap<TreePath, (Option<LoadedEntry>, usize)>,
    /// Paths of removed files.
    left: BTreeSet<TreePath>,
    /// Paths of added files.
    come: Vec<(TreePath, usize)>,
}

impl<'a> Made<'a> {
    fn new(base: &'a Tree, components: usize) -> Self {
        Self { base, components, files: BTreeMap::new(), left: BTreeSet::new(), come: Vec::new() }
    }

    fn make(&mut self, file: &FilePatch) -> Result<(), BadPatch> {
        let bad = |why| BadPatch { line: file.line, why };
        let (from, to) = self.paths(file)?;
        let path = to.as_ref().or(from.as_ref()).ok_or_else(|| bad(BadPatchKind::NoName))?;
        let source = match (&from, &file.moved) {
            _ if file.comes => None,
            (None, _) => None,
            // Files are moved and copied as they were before the patch.
            (Some(from), Some(_)) => self.in_base(from, file.line)?,
            (Some(from), None) => self.now(from, file.line)?,
        };
        let adds_to_nothing = file.moved.is_none() && file.hunks.iter().any(PatchHunk::is_of_nothing);
        let old = match source {
            Some(old) => old,
            None if from.is_none() || file.comes || adds_to_nothing => {
                LoadedEntry { kind: file.kind.unwrap_or(EntryKind::PLAIN), bytes: [].into() }
            }
            None => return Err(bad(BadPatchKind::Missing(from.as_ref().unwrap_or(path).clone()))),
        };
        let is_new = file.comes || (file.moved.is_some() && from.as_ref() != Some(path));
        if is_new && self.files.get(path).is_some_and(|(version, _)| version.is_some()) {
            return Err(bad(BadPatchKind::Exists(path.clone())));
        }
        let kind = file.kind.unwrap_or(old.kind);
        let bytes = from_body(kind, fitted(path, &body(&old), &file.hunks)?);
        let goes = to.is_none() || (file.goes && bytes.is_empty());
        if goes && !bytes.is_empty() {
            return Err(bad(BadPatchKind::NotEmptied(path.clone())));
        }
        if let (Some(from), Some(moved)) = (&from, &file.moved)
            && !moved.is_copy
        {
            self.files.entry(from.clone()).or_insert((None, file.line));
            self.left.insert(from.clone());
        }
        if goes {
            self.left.insert(path.clone());
        } else if is_new {
            self.come.push((path.clone(), file.line));
        }
        let version = (!goes).then_some(LoadedEntry { kind, bytes: bytes.into() });
        self.files.insert(path.clone(), (version, file.line));
        Ok(())
    }

    /// The old and the new path in the tree; `None` on the side where the file does not exist.
    fn paths(&self, file: &FilePatch) -> Result<(Option<TreePath>, Option<TreePath>), BadPatch> {
        let path = |name: &[u8], components: usize| {
            // A name with fewer components is taken as it is.
            let name = without(name, components).unwrap_or(name);
            TreePath::new(name).map_err(|error| BadPatch { line: file.line, why: error.into() })
        };
        if let Some(moved) = &file.moved {
            let components = self.components.saturating_sub(1);
            return Ok((Some(path(&moved.from, components)?), Some(path(&moved.to, components)?)));
        }
        let side =
            |name: &Option<Vec<u8>>| name.as_deref().map(|name| path(name, self.components)).transpose();
        let (old, new) = (side(&file.old)?, side(&file.new)?);
        // Two names for one file: take the one that exists. The other is often a backup copy.
        match (old, new) {
            (Some(old), Some(new)) if self.base.get(&new).is_some() || self.base.get(&old).is_none() => {
                Ok((Some(new.clone()), Some(new)))
            }
            (Some(old), Some(_)) => Ok((Some(old.clone()), Some(old))),
            sides => Ok(sides),
        }
    }

    fn in_base(&self, path: &TreePath, line: usize) -> Result<Option<LoadedEntry>, BadPatch> {
        let read = self.base.get(path).map(|entry| LoadedEntry::read(path, entry)).transpose();
        read.map_err(|error| BadPatch { line, why: error.into() })
    }

    /// The entry at a path after everything that was applied before.
    fn now(&self, path: &TreePath, line: usize) -> Result<Option<LoadedEntry>, BadPatch> {
        match self.files.get(path) {
            Some((version, _)) => Ok(version.clone()),
            None => self.in_base(path, line),
        }
    }

    fn finish(self) -> Result<Tree, BadPatch> {
        // A file can replace another one even if the patch removes that file only later.
        let is_taken = |path: &TreePath| self.base.get(path).is_some() && !self.left.contains(path);
        if let Some((path, line)) = self.come.into_iter().find(|(path, _)| is_taken(path)) {
            return Err(BadPatch { line, why: BadPatchKind::Exists(path) });
        }
        let gone: Mix = self.files.keys().map(|path| (path.clone(), None)).collect();
        let mut tree = self.base.with(&gone);
        for (path, (version, line)) in self.files {
            if let Some(version) = version {
                tree.insert(path, version.into()).map_err(|error| BadPatch { line, why: error.into() })?;
            }
        }
        Ok(tree)
    }
}

/// The content as a patch shows it.
fn body(version: &LoadedEntry) -> Arc<[u8]> {
    match version.kind {
        EntryKind::Submodule if !version.bytes.is_empty() => {
            [SUBMODULE, &version.bytes[..], b"\n"].concat().into()
        }
        _ => version.bytes.clone(),
    }
}

fn from_body(kind: EntryKind, body: Vec<u8>) -> Vec<u8> {
    match kind {
        EntryKind::Submodule => {
            body.strip_prefix(SUBMODULE).map_or_else(Vec::new, |id| id.trim_ascii().to_vec())
        }
        _ => body,
    }
}

const SUBMODULE: &[u8] = b"Subproject commit ";
