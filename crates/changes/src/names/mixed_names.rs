//! What no compiler or interpreter accepts in a mix of two versions.

use super::call_shape::CallShape;
use super::file_names::{Declaration, FileNames, FunctionNames, Name, NameKind, Reach};
use super::file_states::{FileStates, MixedFiles};
use crate::deltas::change_set::ChangeSet;
use crate::trees::tree_path::TreePath;
use howcome_dd::Configuration;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// So many complaints say enough.
const MOST: usize = 20;

/// Checks the names of the mixes of one set of changes, and remembers what it has read.
#[derive(Debug, Default)]
pub(crate) struct MixedNames(OnceLock<Option<FileStates>>);

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameFlaw {
    Undefined(NameKind),
    DefinedTwice,
    /// A call has too many arguments, or too few.
    CalledWrongly {
        has_too_many: bool,
    },
    /// Two declarations of a function do not fit together.
    DeclaredDifferently,
}

/// A name that makes a mix useless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameComplaint {
    path: String,
    line: u32,
    name: String,
    flaw: NameFlaw,
}

impl MixedNames {
    /// What is wrong with the names of a mix.
    pub(crate) fn complaints(
        &self,
        changes: &ChangeSet,
        configuration: &Configuration,
    ) -> Vec<NameComplaint> {
        let Some(states) = self.states(changes) else { return Vec::new() };
        states.mix(changes, configuration).map_or_else(Vec::new, |mix| complaints_of(states, &mix))
    }

    /// The same of any version with parts of both, given the text of each of its files.
    pub(crate) fn complaints_of_texts(
        &self,
        changes: &ChangeSet,
        text: impl Fn(&TreePath) -> Option<Vec<u8>>,
    ) -> Vec<NameComplaint> {
        let Some(states) = self.states(changes) else { return Vec::new() };
        states.of_texts(changes, text).map_or_else(Vec::new, |mix| complaints_of(states, &mix))
    }

    fn states(&self, changes: &ChangeSet) -> Option<&FileStates> {
        self.0.get_or_init(|| FileStates::of(changes)).as_ref()
    }
}

fn complaints_of(states: &FileStates, mix: &MixedFiles) -> Vec<NameComplaint> {
    let lost = lost_names(states, mix);
    let check = NameCheck { states, mix, lost };
    let mut complaints = check.declared_differently();
    for nth in 0..mix.tables.len() {
        if complaints.len() >= MOST {
            break;
        }
        check.file(nth, &mut complaints);
    }
    complaints.truncate(MOST);
    complaints
}

/// Names that both versions of a file define and its mix does not: the one version has moved them.
fn lost_names(states: &FileStates, mix: &MixedFiles) -> HashSet<Name> {
    let mut lost = HashSet::new();
    for nth in (0..mix.tables.len()).filter(|nth| mix.is_mixed[*nth]) {
        let (Some(file), Some(mixed)) = (&states.files[nth], &mix.tables[nth]) else { continue };
        let [good, bad] = &file.versions;
        let is_lost = |name: &&Name| bad.defines(name) && !mixed.defines(name);
        lost.extend(good.defined.keys().filter(is_lost).cloned());
    }
    lost
}

struct NameCheck<'a> {
    states: &'a FileStates,
    mix: &'a MixedFiles,
    lost: HashSet<Name>,
}

impl NameCheck<'_> {
    fn table(&self, nth: usize) -> Option<&FileNames> {
        self.mix.tables[nth].as_deref()
    }

    fn file(&self, nth: usize, complaints: &mut Vec<NameComplaint>) {
        let Some(table) = self.table(nth) else { return };
        let is_mixed = self.mix.is_mixed[nth];
        for (function, names) in &table.functions {
            for (name, line) in &names.used {
                let is_worth_it = is_mixed || self.states.is_at_risk(name) || self.lost.contains(name);
                if is_worth_it && self.is_undefined(nth, (function, names), name) {
                    complaints.push(self.complaint((nth, *line), &name.1, NameFlaw::Undefined(name.0)));
                }
            }
            for ((name, arguments), line) in &names.calls {
                let name = (NameKind::Plain, Arc::clone(name));
                let is_worth_it = is_mixed || self.states.is_reshaped(&name);
                let is_own = names.defined.contains(&name);
                if is_worth_it
                    && !is_own
                    && let Some(shape) = self.called_wrongly(nth, function, (&name, *arguments))
                {
                    let flaw = NameFlaw::CalledWrongly { has_too_many: *arguments > shape.least };
                    complaints.push(self.complaint((nth, *line), &name.1, flaw));
                }
            }
            if is_mixed {
                for (name, line) in self.doubled(nth, function, names) {
                    complaints.push(self.complaint((nth, line), &name, NameFlaw::DefinedTwice));
                }
            }
        }
        if is_mixed {
            for (name, line) in self.defined_twice(nth, table) {
                complaints.push(self.complaint((nth, line), &name, NameFlaw::DefinedTwice));
            }
        }
    }

    /// Whether a function uses a name that nothing defines, and each version in which it uses that name defines it.
    fn is_undefined(&self, nth: usize, (function, names): (&Arc<[u8]>, &FunctionNames), name: &Name) -> bool {
        if names.defined.contains(name) || self.states.resolves((nth, name), |nth| self.table(nth)) {
            return false;
        }
        let is_open = self.table(nth).is_some_and(|table| table.is_open && name.0 == NameKind::OfFile);
        let mut is_used = false;
        for version in 0..2 {
            let own = self.states.version(nth, version).and_then(|table| table.functions.get(function));
            let Some(own) = own.filter(|own| own.used.contains_key(name)) else { continue };
            is_used = true;
            let of_version = |nth| self.states.version(nth, version);
            if own.defined.contains(name) {
                continue;
            }
            let can_be_elsewhere = is_open || self.states.is_defined_elsewhere(nth, name);
            if can_be_elsewhere || !self.states.resolves((nth, name), of_version) {
                return false;
            }
        }
        is_used
    }

    /// How a function can be called, if it is called in another way, which no version does.
    fn called_wrongly(
        &self,
        nth: usize,
        function: &Arc<[u8]>,
        (name, arguments): (&Name, u32),
    ) -> Option<CallShape> {
        let declared = self.states.declarations(name, |nth| self.table(nth));
        let shapes: Vec<CallShape> = declared.map(|(_, declared)| declared.shape).collect();
        let fits = |shapes: &[CallShape], arguments| shapes.iter().any(|shape| shape.takes(arguments));
        let wanted = *shapes.first().filter(|_| !fits(&shapes, arguments))?;
        let mut is_called = false;
        for version in 0..2 {
            let own = self.states.version(nth, version).and_then(|table| table.functions.get(function));
            let Some(own) = own else { continue };
            let declared = self.states.declarations(name, |nth| self.states.version(nth, version));
            let shapes: Vec<CallShape> = declared.map(|(_, declared)| declared.shape).collect();
            let mut calls = own.calls.keys().filter(|(called, _)| *called == name.1).map(|(_, count)| *count);
            is_called |= own.calls.contains_key(&(Arc::clone(&name.1), arguments));
            if calls.any(|arguments| !fits(&shapes, arguments)) {
                return None;
            }
        }
        is_called.then_some(wanted)
    }

    /// Names that a block of a function declares twice, and in no version does.
    fn doubled(&self, nth: usize, function: &Arc<[u8]>, names: &FunctionNames) -> BTreeMap<Arc<[u8]>, u32> {
        let own = |version| self.states.version(nth, version).and_then(|table| table.functions.get(function));
        let versions: Vec<&FunctionNames> = (0..2).filter_map(own).collect();
        let is_new = |name: &Arc<[u8]>| versions.iter().all(|version| !version.doubled.contains_key(name));
        let doubled = names.doubled.iter().filter(|(name, _)| !versions.is_empty() && is_new(name));
        doubled.map(|(name, line)| (Arc::clone(name), *line)).collect()
    }

    /// What a file defines more often than in any version, and can define only once.
    fn defined_twice(&self, nth: usize, table: &FileNames) -> BTreeMap<Arc<[u8]>, u32> {
        let most = |name: &Arc<[u8]>| {
            let count = |version| {
                let table = self.states.version(nth, version)?;
                table.bodies.get(name).map(Vec::len)
            };
            (0..2).filter_map(count).max().unwrap_or(0)
        };
        let twice = table.bodies.iter().filter(|(name, lines)| lines.len() > most(name).max(1));
        twice.filter_map(|(name, lines)| Some((Arc::clone(name), *lines.last()?))).collect()
    }

    /// Functions of which two declarations do not fit together, although they do in both versions.
    fn declared_differently(&self) -> Vec<NameComplaint> {
        let mut complaints = Vec::new();
        let mut names: Vec<&Name> = self.states.reshaped().collect();
        names.sort_unstable();
        for name in names {
            let version = |version| {
                misfit(self.states.declarations(name, move |nth| self.states.version(nth, version)))
            };
            if version(0).is_none()
                && version(1).is_none()
                && let Some(place) = misfit(self.states.declarations(name, |nth| self.table(nth)))
            {
                complaints.push(self.complaint(place, &name.1, NameFlaw::DeclaredDifferently));
            }
        }
        complaints
    }

    fn complaint(&self, (nth, line): (usize, u32), name: &[u8], flaw: NameFlaw) -> NameComplaint {
        let path = self.states.files[nth].as_ref().map(|file| file.path.to_string()).unwrap_or_default();
        NameComplaint { path, line, name: String::from_utf8_lossy(name).into_owned(), flaw }
    }
}

/// The file and line of the first declaration that has other parameters than one before that means the same function.
fn misfit(declarations: impl Iterator<Item = (usize, Declaration)>) -> Option<(usize, u32)> {
    let mut first = HashMap::new();
    for (nth, Declaration { shape, line, reach }) in declarations {
        let of = match reach {
            Reach::Program => None,
            Reach::File => Some(nth),
            Reach::Unknown => continue,
        };
        if shape != CallShape::ANY && *first.entry(of).or_insert(shape) != shape {
            return Some((nth, line));
        }
    }
    None
}

impl NameComplaint {
    /// The complaint as a compiler would print it.
    pub(crate) fn as_error(&self) -> String {
        let Self { path, line, name, flaw } = self;
        let says = match flaw {
            NameFlaw::Undefined(NameKind::Label) => format!("label '{name}' used but not defined"),
            NameFlaw::Undefined(NameKind::Member) => format!("no member named '{name}' in 'it'"),
            NameFlaw::Undefined(NameKind::Plain | NameKind::OfFile) => format!("'{name}' undeclared"),
            NameFlaw::DefinedTwice => format!("redefinition of '{name}'"),
            NameFlaw::CalledWrongly { has_too_many: true } => {
                format!("too many arguments to function '{name}'")
            }
            NameFlaw::CalledWrongly { has_too_many: false } => {
                format!("too few arguments to function '{name}'")
            }
            NameFlaw::DeclaredDifferently => format!("conflicting types for '{name}'"),
        };
        format!("{path}:{line}:1: error: {says}\n")
    }
}

impl fmt::Display for NameComplaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, name, flaw } = self;
        let what = match flaw {
            NameFlaw::Undefined(_) => format!("would use '{name}' without a definition"),
            NameFlaw::DefinedTwice => format!("would define '{name}' twice"),
            NameFlaw::CalledWrongly { has_too_many: true } => {
                format!("would call '{name}' with too many arguments")
            }
            NameFlaw::CalledWrongly { has_too_many: false } => {
                format!("would call '{name}' with too few arguments")
            }
            NameFlaw::DeclaredDifferently => format!("would declare '{name}' in two ways"),
        };
        write!(f, "{path} {what}: line {line}")
    }
}
