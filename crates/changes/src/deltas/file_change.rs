//! What became of one path: a change of a whole file, or changes within it.

use crate::deltas::generated::is_generated;
use crate::deltas::hunk::{CONTEXT, Hunk, edits, hunks};
use crate::deltas::item_hunks::item_hunks;
use crate::deltas::lines::{single_lines, unpaired_lines};
use crate::deltas::text::{Text, is_binary};
use crate::trees::entry::{EntryKind, LoadedEntry};
use crate::trees::tree_path::TreePath;

/// How small the deltas of a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grain {
    /// Whole files.
    Files,
    /// Whole functions, types, macros and declarations; hunks where the language is not known.
    Items,
    /// Changed lines that are near each other; a generated file is one of these.
    Hunks,
    /// Changed lines without an unchanged one between them.
    Blocks,
    Lines,
    UnpairedLines,
}

impl Grain {
    /// Whether the lines of a file that only one version has are deltas.
    fn has_lines(self) -> bool {
        matches!(self, Grain::Lines | Grain::UnpairedLines)
    }
}

/// The deltas of one path, or of several that only change together.
#[derive(Clone, Debug)]
pub(crate) struct FileChange {
    /// The path that decides its order: of several paths the one that people would look at.
    pub(crate) path: TreePath,
    pub(crate) what: FileChangeKind,
}

#[derive(Clone, Debug)]
pub(crate) enum FileChangeKind {
    /// One delta: some files are removed, others added.
    Swapped { how: How, good: Vec<(TreePath, LoadedEntry)>, bad: Vec<(TreePath, LoadedEntry)> },
    /// The same kind of entry on both sides: deltas for its place, for its mode, and those of its content, in this order.
    Edited(Edited),
}

/// The ways in which whole files change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Added,
    Removed,
    KindChanged,
    /// A directory replaces a file, or the other way round. Both cannot exist, so it is one delta.
    Replaced,
}

#[derive(Clone, Debug)]
pub(crate) struct Edited {
    /// Its path in the good version, if it moved.
    pub(crate) from: Option<TreePath>,
    pub(crate) sides: EditedSides,
    /// If the file does not exist, no bytes at all.
    pub(crate) good: LoadedEntry,
    pub(crate) bad: LoadedEntry,
    pub(crate) body: EditedBody,
}

/// The versions that have an edited file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditedSides {
    Both,
    /// It is removed if all of its lines are.
    OnlyGood,
    /// It exists if any of its lines does.
    OnlyBad,
}

#[derive(Clone, Debug)]
pub(crate) enum EditedBody {
    /// No byte changed.
    Same,
    /// One delta: a binary file, the target of a symbolic link, the commit of a submodule.
    Whole,
    /// One delta for each hunk, or for each line.
    Text { good: Text, bad: Text, hunks: Vec<Hunk> },
}

/// What the nth delta of an edited file changes.
pub(crate) enum EditedPart {
    Place,
    Mode,
    EditedBody(usize),
}

impl FileChange {
    /// The change of a path that is in both trees.
    pub(crate) fn of_path(path: TreePath, good: LoadedEntry, bad: LoadedEntry, grain: Grain) -> Self {
        let same_kind = match (good.kind, bad.kind) {
            (EntryKind::File { .. }, EntryKind::File { .. }) => true,
            (good, bad) => good == bad,
        };
        let what = if same_kind {
            FileChangeKind::Edited(Edited::new(&path, None, good, bad, grain))
        } else {
            let [good, bad] = [good, bad].map(|version| vec![(path.clone(), version)]);
            FileChangeKind::Swapped { how: How::KindChanged, good, bad }
        };
        Self { path, what }
    }

    /// A file that moved, both versions of the same kind.
    pub(crate) fn moved(
        from: TreePath,
        good: LoadedEntry,
        to: TreePath,
        bad: LoadedEntry,
        grain: Grain,
    ) -> Self {
        let edited = Edited::new(&to, Some(from), good, bad, grain);
        Self { path: to, what: FileChangeKind::Edited(edited) }
    }

    /// A file that is on one side only.
    pub(crate) fn whole(how: How, path: TreePath, version: LoadedEntry, grain: Grain) -> Self {
        let is_text = matches!(version.kind, EntryKind::File { .. }) && !is_binary(&version.bytes);
        let nothing = LoadedEntry { kind: version.kind, bytes: [].into() };
        let what = match how {
            How::Added if is_text && grain.has_lines() && !version.bytes.is_empty() => {
                let edited = Edited::new(&path, None, nothing, version, grain);
                FileChangeKind::Edited(Edited { sides: EditedSides::OnlyBad, ..edited })
            }
            How::Removed if is_text && grain.has_lines() && !version.bytes.is_empty() => {
                let edited = Edited::new(&path, None, version, nothing, grain);
                FileChangeKind::Edited(Edited { sides: EditedSides::OnlyGood, ..edited })
            }
            How::Removed => {
                FileChangeKind::Swapped { how, good: vec![(path.clone(), version)], bad: Vec::new() }
            }
            _ => FileChangeKind::Swapped { how, good: Vec::new(), bad: vec![(path.clone(), version)] },
        };
        Self { path, what }
    }

    /// How many deltas it is.
    pub(crate) fn deltas(&self) -> u32 {
        self.groups().iter().sum()
    }

    /// How many deltas each of its hunks is; its place, its mode and its content as a whole count like hunks.
    pub(crate) fn groups(&self) -> Vec<u32> {
        let FileChangeKind::Edited(edited) = &self.what else { return vec![1] };
        let mut groups = vec![1; edited.before_body() as usize];
        match &edited.body {
            EditedBody::Same => {}
            EditedBody::Whole => groups.push(1),
            EditedBody::Text { hunks, .. } => {
                let is_near =
                    |one: &Hunk, next: &Hunk| next.span().good.start - one.span().good.end < CONTEXT;
                groups.extend(hunks.chunk_by(is_near).map(|lines| lines.len() as u32));
            }
        }
        groups
    }
}

impl Edited {
    fn new(
        path: &TreePath,
        from: Option<TreePath>,
        good: LoadedEntry,
        bad: LoadedEntry,
        grain: Grain,
    ) -> Self {
        let body = body(path, &good, &bad, grain);
        Self { from, sides: EditedSides::Both, good, bad, body }
    }

    pub(crate) fn part(&self, nth: u32) -> EditedPart {
        match (&self.from, nth) {
            (Some(_), 0) => EditedPart::Place,
            _ if nth < self.before_body() => EditedPart::Mode,
            _ => EditedPart::EditedBody((nth - self.before_body()) as usize),
        }
    }

    /// How many deltas it has besides those of its content.
    pub(crate) fn before_body(&self) -> u32 {
        u32::from(self.from.is_some()) + u32::from(self.good.kind != self.bad.kind)
    }
}

fn body(path: &TreePath, good: &LoadedEntry, bad: &LoadedEntry, grain: Grain) -> EditedBody {
    if good.bytes == bad.bytes {
        return EditedBody::Same;
    }
    let is_text =
        matches!(good.kind, EntryKind::File { .. }) && !is_binary(&good.bytes) && !is_binary(&bad.bytes);
    if !is_text {
        return EditedBody::Whole;
    }
    let [good, bad] = [good, bad].map(|version| Text::new(version.bytes.clone()));
    let hunks = match grain {
        Grain::Files => Hunk::of(edits(&good, &bad)).into_iter().collect(),
        Grain::Items | Grain::Hunks if is_generated(good.bytes()) && is_generated(bad.bytes()) => {
            Hunk::of(edits(&good, &bad)).into_iter().collect()
        }
        Grain::Items => {
            let items = item_hunks(path, &good, &bad);
            items
                .map_or_else(|| hunks(&good, &bad), |items| items.into_iter().map(|item| item.hunk).collect())
        }
        Grain::Hunks => hunks(&good, &bad),
        Grain::Blocks => edits(&good, &bad).into_iter().map(Hunk::from).collect(),
        Grain::Lines => single_lines(&good, &bad),
        Grain::UnpairedLines => unpaired_lines(&good, &bad),
    };
    EditedBody::Text { good, bad, hunks }
}
