//! Applying changes to another version: three-way, by lines.

use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{Edited, EditedBody, FileChange, FileChangeKind};
use crate::deltas::hunk::LineEdit;
use crate::deltas::splice::state;
use crate::deltas::text::{Text, is_binary};
use crate::patches::conflict::{Conflict, ConflictKind};
use crate::patches::three_way::{holds, three_way};
use crate::trees::entry::{EntryKind, LoadedEntry};
use crate::trees::mix::Mix;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Applies the configuration to a version that resembles the good one.
///
/// Changes that the version has already are left alone. `moved` holds the paths of files that have moved in that version.
pub fn apply_to(
    changes: &ChangeSet,
    configuration: &Configuration,
    onto: &Tree,
    moved: &BTreeMap<TreePath, TreePath>,
) -> Result<Mix, Conflict> {
    Carrying { onto, moved, undo: false }.carry(changes, configuration)
}

/// Removes the configuration from a version that resembles the bad one.
///
/// Changes that the version no longer has are left alone. `moved` holds the paths of files that have moved in that version.
pub fn undo_from(
    changes: &ChangeSet,
    configuration: &Configuration,
    onto: &Tree,
    moved: &BTreeMap<TreePath, TreePath>,
) -> Result<Mix, Conflict> {
    Carrying { onto, moved, undo: true }.carry(changes, configuration)
}

struct Carrying<'a> {
    onto: &'a Tree,
    moved: &'a BTreeMap<TreePath, TreePath>,
    undo: bool,
}

/// A file with those of its deltas that are applied.
struct Carried<'a> {
    file: &'a FileChange,
    first: DeltaId,
    chosen: &'a Configuration,
}

impl Carried<'_> {
    fn has(&self, nth: u32) -> bool {
        self.chosen.contains(DeltaId(self.first.0 + nth))
    }

    fn conflict(&self, why: ConflictKind) -> Conflict {
        let delta = self.chosen.first_from(self.first).unwrap_or(self.first);
        Conflict { delta, others: Vec::new(), path: self.file.path.clone(), line: None, why }
    }
}

impl Carrying<'_> {
    fn carry(&self, changes: &ChangeSet, configuration: &Configuration) -> Result<Mix, Conflict> {
        let mut mix = Mix::default();
        let mut came = Vec::new();
        for (file, first) in changes.files_of(configuration) {
            let carried = Carried { file, first, chosen: configuration };
            let part = match &file.what {
                FileChangeKind::Swapped { good, bad, .. } if self.undo => self.swap(&carried, bad, good)?,
                FileChangeKind::Swapped { good, bad, .. } => self.swap(&carried, good, bad)?,
                FileChangeKind::Edited(edited) => self.edit(&carried, edited)?,
            };
            let unreadable = |error| carried.conflict(ConflictKind::Unreadable(error));
            let part = part.over(self.onto).map_err(unreadable)?;
            let is_new = |path: &TreePath| self.onto.get(path).is_none();
            let new = part.iter().filter(|(path, version)| version.is_some() && is_new(path));
            came.extend(new.map(|(path, _)| (path.clone(), carried.conflict(ConflictKind::InTheWay))));
            mix.extend(part.iter().map(|(path, version)| (path.clone(), version.cloned())));
        }
        self.check_places(&mix, came)?;
        Ok(mix)
    }

    /// No file may be added below another file, or where a directory is.
    fn check_places(&self, mix: &Mix, came: Vec<(TreePath, Conflict)>) -> Result<(), Conflict> {
        if came.is_empty() {
            return Ok(());
        }
        let gone = mix.iter().filter(|(_, version)| version.is_none());
        let mut tree = self.onto.with(&gone.map(|(path, _)| (path.clone(), None)).collect());
        for (path, conflict) in came {
            if let Some(version) = mix.get(&path).flatten() {
                tree.insert(path, version.clone().into()).map_err(|_| conflict)?;
            }
        }
        Ok(())
    }

    fn place(&self, path: &TreePath) -> TreePath {
        self.moved.get(path).unwrap_or(path).clone()
    }

    fn read(&self, carried: &Carried<'_>, path: &TreePath) -> Result<Option<LoadedEntry>, Conflict> {
        let read = self.onto.get(path).map(|entry| LoadedEntry::read(path, entry)).transpose();
        read.map_err(|error| carried.conflict(ConflictKind::Unreadable(error)))
    }

    /// Whole files: removed files must be unchanged, and the paths of added files must be free.
    fn swap(
        &self,
        carried: &Carried<'_>,
        go: &[(TreePath, LoadedEntry)],
        come: &[(TreePath, LoadedEntry)],
    ) -> Result<Mix, Conflict> {
        let mut mix = Mix::default();
        let mut lacking = false;
        for (path, version) in go {
            let place = self.place(path);
            match self.read(carried, &place)? {
                None => lacking = true,
                Some(there) if there.bytes == version.bytes && is_alike(there.kind, version.kind) => {
                    mix.extend([(place, None)]);
                }
                Some(there) if come.contains(&(path.clone(), there.clone())) => {}
                Some(_) => return Err(carried.conflict(ConflictKind::FileDiffers)),
            }
        }
        for (path, version) in come {
            let place = self.place(path);
            match self.read(carried, &place)? {
                Some(there) if there == *version => {}
                Some(_) if mix.get(&place).is_none() => return Err(carried.conflict(ConflictKind::InTheWay)),
                None if lacking => return Err(carried.conflict(ConflictKind::Missing)),
                _ => mix.extend([(place, Some(version.clone()))]),
            }
        }
        Ok(mix)
    }

    /// Changes within a file.
    fn edit(&self, carried: &Carried<'_>, edited: &Edited) -> Result<Mix, Conflict> {
        let from = state(carried.file, edited, |_| self.undo);
        let to = state(carried.file, edited, |nth| self.undo != carried.has(nth));
        let Some((from, old)) = from else {
            return to.map_or(Ok(Mix::default()), |(path, new)| self.come(carried, self.place(path), new));
        };
        let goal = to.as_ref().map(|(path, _)| self.place(path));
        // It can have moved already, as it does in these changes.
        let names = [Some(from), Some(&carried.file.path), edited.from.as_ref()];
        let mut places = names.into_iter().flatten().map(|path| self.place(path));
        let here = places.find(|place| self.onto.get(place).is_some());
        let there = here.as_ref().map(|here| self.read(carried, here)).transpose()?.flatten();
        let (here, there) = match (here, there, &to) {
            (Some(here), Some(there), _) => (here, there),
            (_, _, None) => return Ok(Mix::default()),
            _ => return Err(carried.conflict(ConflictKind::Missing)),
        };
        if !is_alike(there.kind, old.kind) {
            return Err(carried.conflict(ConflictKind::FileDiffers));
        }
        let moves = to.as_ref().is_some_and(|(path, _)| *path != from);
        let mode_changes = to.as_ref().is_some_and(|(_, new)| new.kind != old.kind);
        let goes = to.is_none();
        let new = to.map_or_else(|| LoadedEntry { kind: old.kind, bytes: [].into() }, |(_, new)| new);
        let kind = if mode_changes { new.kind } else { there.kind };
        let bytes = self.bytes(carried, edited, &old, &new, &there)?;
        let place = goal.filter(|_| moves).unwrap_or_else(|| here.clone());
        if place != here && self.onto.get(&place).is_some() {
            return Err(carried.conflict(ConflictKind::InTheWay));
        }
        let version = (!goes || !bytes.is_empty()).then_some(LoadedEntry { kind, bytes });
        Ok([(here, None), (place, version)].into_iter().collect())
    }

    /// A file with some of its lines.
    fn come(&self, carried: &Carried<'_>, place: TreePath, new: LoadedEntry) -> Result<Mix, Conflict> {
        match self.read(carried, &place)? {
            None => Ok([(place, Some(new))].into_iter().collect()),
            Some(there) if holds(&Text::new(there.bytes.clone()), &Text::new(new.bytes)) => {
                Ok(Mix::default())
            }
            Some(_) => Err(carried.conflict(ConflictKind::InTheWay)),
        }
    }

    fn bytes(
        &self,
        carried: &Carried<'_>,
        edited: &Edited,
        old: &LoadedEntry,
        new: &LoadedEntry,
        there: &LoadedEntry,
    ) -> Result<Arc<[u8]>, Conflict> {
        if there.bytes == old.bytes {
            return Ok(new.bytes.clone());
        }
        if old.bytes == new.bytes || there.bytes == new.bytes {
            return Ok(there.bytes.clone());
        }
        let EditedBody::Text { .. } = &edited.body else {
            return Err(carried.conflict(ConflictKind::FileDiffers));
        };
        if is_binary(&there.bytes) {
            return Err(carried.conflict(ConflictKind::FileDiffers));
        }
        let [old, new, there] = [old, new, there].map(|version| Text::new(version.bytes.clone()));
        let chosen = self.edits(carried, edited);
        let edits: Vec<LineEdit> = chosen.iter().map(|(_, edit)| edit.clone()).collect();
        let merged = three_way(&old, &new, &edits, &there).map_err(|misfit| Conflict {
            delta: chosen[misfit.edit].0,
            others: misfit.others.iter().map(|edit| chosen[*edit].0).collect(),
            line: Some(misfit.line),
            ..carried.conflict(misfit.why)
        })?;
        Ok(merged.into())
    }

    /// The chosen edits of a text: the lines of the side that they start from, and of the result.
    fn edits(&self, carried: &Carried<'_>, edited: &Edited) -> Vec<(DeltaId, LineEdit)> {
        let EditedBody::Text { hunks, .. } = &edited.body else { return Vec::new() };
        let mut chosen = Vec::new();
        let (mut gone, mut come) = (0, 0);
        for (nth, hunk) in (edited.before_body()..).zip(hunks).filter(|(nth, _)| carried.has(*nth)) {
            for edit in hunk.edits() {
                let (old, new) = if self.undo { (&edit.bad, &edit.good) } else { (&edit.good, &edit.bad) };
                let start = old.start - gone + come;
                let length = new.len() as u32;
                let edit = LineEdit { good: old.clone(), bad: start..start + length };
                chosen.push((DeltaId(carried.first.0 + nth), edit));
                (gone, come) = (gone + old.len() as u32, come + length);
            }
        }
        chosen
    }
}

/// Whether two entries are of the same kind, whatever their modes.
fn is_alike(one: EntryKind, other: EntryKind) -> bool {
    one == other || matches!((one, other), (EntryKind::File { .. }, EntryKind::File { .. }))
}
