//! The tables of the files of a set of changes, in either version and in a mix.

use super::call_shape::CallShape;
use super::file_names::{Declaration, FileNames, Name, NameKind};
use super::reading::names_of;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{Edited, EditedBody, FileChange, FileChangeKind};
use crate::deltas::splice::state;
use crate::syntax::language_of;
use crate::trees::entry::LoadedEntry;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};
use howcome_run::Content;
use howcome_syntax::Language;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// To read the names of more text takes longer than it saves.
const MOST_BYTES: usize = 8_000_000;

/// The names of the two versions of all files that changed.
#[derive(Debug)]
pub(super) struct FileStates {
    /// In the order of the set of changes. `None` if the names of the file are not known.
    pub(super) files: Vec<Option<StatesOfFile>>,
    /// Which files define a name in either version.
    defining: HashMap<Name, Vec<usize>>,
    /// Names that a file defines in only one of the versions.
    at_risk: HashSet<Name>,
    /// Functions that take other arguments in one version than in the other.
    reshaped: HashSet<Name>,
    /// Names that a version uses although no file that changed defines them there. With the number of the file if only that file sees them.
    elsewhere: HashSet<(Option<usize>, Name)>,
    mixes: Mutex<MixedTables>,
}

/// The tables of mixes of a file, by the number of the file and the text.
type MixedTables = HashMap<(usize, Content), Option<Arc<FileNames>>>;

/// The names of the two versions of a file.
#[derive(Debug)]
pub(super) struct StatesOfFile {
    pub(super) path: TreePath,
    language: Language,
    /// The good version, then the bad one.
    pub(super) versions: [Arc<FileNames>; 2],
}

/// The names of a mix.
pub(super) struct MixedFiles {
    /// In the order of the set of changes.
    pub(super) tables: Vec<Option<Arc<FileNames>>>,
    /// Whether each file is in part from either version.
    pub(super) is_mixed: Vec<bool>,
}

impl FileStates {
    /// `None` if there is too much text.
    pub(super) fn of(changes: &ChangeSet) -> Option<Self> {
        let mut bytes_left = MOST_BYTES;
        let mut files = Vec::new();
        for file in &changes.files {
            let versions = versions(file);
            let size = versions.iter().flatten().map(|entry| entry.bytes.len()).sum();
            let states = StatesOfFile::of(file, versions);
            if states.is_some() {
                bytes_left = bytes_left.checked_sub(size)?;
            }
            files.push(states);
        }
        let mut states = Self {
            files,
            defining: HashMap::new(),
            at_risk: HashSet::new(),
            reshaped: HashSet::new(),
            elsewhere: HashSet::new(),
            mixes: Mutex::default(),
        };
        states.index();
        Some(states)
    }

    fn index(&mut self) {
        for (nth, file) in self.files.iter().enumerate() {
            let Some(StatesOfFile { versions: [good, bad], .. }) = file else { continue };
            for (name, other) in
                good.defined.keys().map(|name| (name, bad)).chain(bad.defined.keys().map(|name| (name, good)))
            {
                let defining = self.defining.entry(name.clone()).or_default();
                if defining.last() != Some(&nth) {
                    defining.push(nth);
                }
                if !other.defines(name) {
                    self.at_risk.insert(name.clone());
                }
            }
        }
        let shapes = |name: &Name, version: usize| {
            let mut shapes: Vec<_> = self.declarations(name, |nth| self.version(nth, version)).collect();
            shapes.sort_unstable_by_key(|(_, declared)| (declared.shape.least, declared.shape.most));
            shapes.iter().map(|(_, declared)| declared.shape).collect::<Vec<CallShape>>()
        };
        let is_plain = |name: &&Name| name.0 == NameKind::Plain;
        let names = self.defining.keys().filter(is_plain);
        self.reshaped = names.filter(|name| shapes(name, 0) != shapes(name, 1)).cloned().collect();
        self.elsewhere = (0..2).flat_map(|version| self.defined_elsewhere(version)).collect();
    }

    /// The names that a version uses although no file that changed defines them.
    fn defined_elsewhere(&self, version: usize) -> HashSet<(Option<usize>, Name)> {
        let mut elsewhere = HashSet::new();
        for nth in 0..self.files.len() {
            let functions = self.version(nth, version).into_iter().flat_map(|table| table.functions.values());
            for (function, name) in
                functions.flat_map(|names| names.used.keys().map(move |name| (names, name)))
            {
                if name.0 != NameKind::Label
                    && self.defining.contains_key(name)
                    && !function.defined.contains(name)
                    && !self.resolves((nth, name), |nth| self.version(nth, version))
                {
                    elsewhere.insert((only_of(nth, name), name.clone()));
                }
            }
        }
        elsewhere
    }

    /// Whether a version uses a name without a definition in the files that changed, so that a mix can do so, too.
    pub(super) fn is_defined_elsewhere(&self, nth: usize, name: &Name) -> bool {
        self.elsewhere.contains(&(only_of(nth, name), name.clone()))
    }

    /// Whether a file that is whole can use a name that a mix lacks.
    pub(super) fn is_at_risk(&self, name: &Name) -> bool {
        self.at_risk.contains(name)
    }

    pub(super) fn is_reshaped(&self, name: &Name) -> bool {
        self.reshaped.contains(name)
    }

    /// The functions that take other arguments in one version than in the other.
    pub(super) fn reshaped(&self) -> impl Iterator<Item = &Name> {
        self.reshaped.iter()
    }

    /// The table of a file in one of the versions.
    pub(super) fn version(&self, nth: usize, version: usize) -> Option<&FileNames> {
        self.files[nth].as_ref().map(|file| &*file.versions[version])
    }

    /// Whether a file sees the definition of a name, if the files are these.
    pub(super) fn resolves<'a>(
        &self,
        (nth, name): (usize, &Name),
        table: impl Fn(usize) -> Option<&'a FileNames>,
    ) -> bool {
        let defines = |nth: usize| table(nth).is_some_and(|table| table.defines(name));
        match name.0 {
            NameKind::Label => false,
            NameKind::OfFile => defines(nth),
            NameKind::Plain | NameKind::Member => {
                self.defining.get(name).is_some_and(|files| files.iter().any(|nth| defines(*nth)))
            }
        }
    }

    /// The declarations of a name, each with the number of its file, if the files are these.
    pub(super) fn declarations<'a>(
        &self,
        name: &Name,
        table: impl Fn(usize) -> Option<&'a FileNames>,
    ) -> impl Iterator<Item = (usize, Declaration)> {
        let files = self.defining.get(name).cloned().unwrap_or_default().into_iter();
        let of_file = move |nth: usize| {
            let declared = table(nth).and_then(|table| table.defined.get(name)).cloned().unwrap_or_default();
            declared.into_iter().map(move |declared| (nth, declared))
        };
        files.flat_map(of_file)
    }

    /// The files of a mix. `None` if one of them has more errors than in both versions: then its names are not all there.
    pub(super) fn mix(&self, changes: &ChangeSet, configuration: &Configuration) -> Option<MixedFiles> {
        let mut tables = Vec::with_capacity(self.files.len());
        let mut is_mixed = vec![false; self.files.len()];
        for (nth, states) in self.files.iter().enumerate() {
            let Some(states) = states else {
                tables.push(None);
                continue;
            };
            let (file, first) = (&changes.files[nth], changes.firsts[nth]);
            let applies = |of_file: u32| configuration.contains(DeltaId(first + of_file));
            let side = match &file.what {
                FileChangeKind::Swapped { .. } => Some(applies(0)),
                FileChangeKind::Edited(edited) => whole_side(edited, applies),
            };
            tables.push(Some(match (side, &file.what) {
                (Some(is_bad), _) => Arc::clone(&states.versions[usize::from(is_bad)]),
                (None, FileChangeKind::Swapped { .. }) => return None,
                (None, FileChangeKind::Edited(edited)) => {
                    is_mixed[nth] = true;
                    let (_, mixed) = state(file, edited, applies)?;
                    self.mixed(nth, states, &mixed.bytes)?
                }
            }));
        }
        Some(MixedFiles { tables, is_mixed })
    }

    /// The files of any other version, given the text of each file that it has. `None` as above.
    pub(super) fn of_texts(
        &self,
        changes: &ChangeSet,
        text: impl Fn(&TreePath) -> Option<Vec<u8>>,
    ) -> Option<MixedFiles> {
        let mut tables = Vec::with_capacity(self.files.len());
        let mut is_mixed = vec![false; self.files.len()];
        for (nth, states) in self.files.iter().enumerate() {
            let Some(states) = states else {
                tables.push(None);
                continue;
            };
            let bytes = text(&states.path);
            let sides = versions(&changes.files[nth]);
            let is_same =
                |side: &Option<&LoadedEntry>| side.map(|entry| &entry.bytes[..]) == bytes.as_deref();
            tables.push(Some(match sides.iter().position(is_same) {
                Some(side) => Arc::clone(&states.versions[side]),
                None => {
                    is_mixed[nth] = true;
                    self.mixed(nth, states, &bytes.unwrap_or_default())?
                }
            }));
        }
        Some(MixedFiles { tables, is_mixed })
    }

    fn mixed(&self, nth: usize, states: &StatesOfFile, bytes: &[u8]) -> Option<Arc<FileNames>> {
        let mut mixes = self.mixes.lock().unwrap_or_else(PoisonError::into_inner);
        let table = mixes.entry((nth, Content::of([bytes]))).or_insert_with(|| {
            let most = states.versions.iter().map(|version| version.errors).max().unwrap_or(0);
            names_of(states.language, bytes).filter(|names| names.errors <= most).map(Arc::new)
        });
        table.clone()
    }
}

impl StatesOfFile {
    fn of(file: &FileChange, versions: [Option<&LoadedEntry>; 2]) -> Option<Self> {
        let mut languages = versions.iter().flatten().map(|entry| language_of(&file.path, &entry.bytes));
        let language = languages.next()??;
        if languages.any(|other| other != Some(language)) {
            return None;
        }
        let table = |entry: Option<&LoadedEntry>| match entry {
            Some(entry) => names_of(language, &entry.bytes).map(Arc::new),
            None => Some(Arc::default()),
        };
        let [good, bad] = versions.map(table);
        Some(Self { path: file.path.clone(), language, versions: [good?, bad?] })
    }
}

/// The number of the file that sees a name, if only one does.
fn only_of(nth: usize, name: &Name) -> Option<usize> {
    (name.0 == NameKind::OfFile).then_some(nth)
}

/// The text of a file in both versions.
fn versions(file: &FileChange) -> [Option<&LoadedEntry>; 2] {
    match &file.what {
        FileChangeKind::Swapped { good, bad, .. } => {
            let only = |side: &'_ Vec<(TreePath, LoadedEntry)>| side.len() == 1;
            [good, bad].map(|side| side.first().filter(|_| only(side)).map(|(_, entry)| entry))
        }
        FileChangeKind::Edited(edited) => [Some(&edited.good), Some(&edited.bad)],
    }
}

/// Whether the text of a file is that of the bad version, if it is that of one version.
fn whole_side(edited: &Edited, applies: impl Fn(u32) -> bool) -> Option<bool> {
    let before = edited.before_body();
    match &edited.body {
        EditedBody::Same => Some(false),
        EditedBody::Whole => Some(applies(before)),
        EditedBody::Text { hunks, .. } => {
            let mut applied = (0..hunks.len() as u32).map(|hunk| applies(before + hunk));
            let first = applied.next().unwrap_or(false);
            applied.all(|other| other == first).then_some(first)
        }
    }
}
