//! The names in each delta: grouping and dependencies by identifiers (Zeller 1999, section 6).

use super::file_name::{base_name, stem};
use super::reading::CodeReading;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{EditedBody, FileChange, FileChangeKind};
use crate::deltas::hunk::LineEdit;
use crate::deltas::text::is_binary;
use howcome_dd::{Configuration, DeltaId};
use howcome_syntax::TextKind;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// A name by its number: names are counted as they are first seen.
pub(crate) type NameId = u32;

/// A name, and the mark and name of a member that is accessed.
pub(crate) type Member = (NameId, Vec<u8>);

/// Which names the deltas mention, define and remove, in code but not in comments and strings.
///
/// Definitions are guessed from the shape of lines, without a parser, so conclusions from them are probable, not certain.
#[derive(Clone, Debug, Default)]
pub struct Words {
    names: Vec<Vec<u8>>,
    ids: HashMap<Vec<u8>, NameId>,
    pub(crate) deltas: Vec<DeltaWords>,
    in_good: Vec<bool>,
    in_bad: Vec<bool>,
    /// Scopes with the names in them, on either side.
    scopes_good: HashSet<(u32, NameId)>,
    scopes_bad: HashSet<(u32, NameId)>,
    /// Files with the names in them, on either side.
    files_good: HashSet<(u32, NameId)>,
    files_bad: HashSet<(u32, NameId)>,
    file_count: u32,
    members_good: HashSet<Member>,
    members_bad: HashSet<Member>,
}

/// The names of one delta, each list in order and without repetition.
#[derive(Clone, Debug)]
pub(crate) struct DeltaWords {
    pub(crate) language: TextKind,
    /// The number of its file among those that change.
    pub(crate) file: u32,
    pub(crate) added: BTreeSet<NameId>,
    pub(crate) removed: BTreeSet<NameId>,
    /// Names in added lines that are not for the preprocessor.
    pub(crate) added_in_code: BTreeSet<NameId>,
    /// The names that the added lines define, and whether they can be used from anywhere.
    pub(crate) defined: BTreeMap<NameId, bool>,
    /// The names that the removed lines define.
    pub(crate) undefined: BTreeMap<NameId, bool>,
    /// Calls and heads of functions that touch the lines: how many arguments, and which.
    pub(crate) calls_added: BTreeSet<(NameId, u32, Vec<u8>)>,
    pub(crate) calls_removed: BTreeSet<(NameId, u32, Vec<u8>)>,
    /// The types of what the lines define.
    pub(crate) types_added: BTreeSet<(NameId, Vec<u8>, usize)>,
    pub(crate) types_removed: BTreeSet<(NameId, Vec<u8>, usize)>,
    /// Members that lines access: `.p` of `top`.
    pub(crate) members_added: BTreeSet<Member>,
    pub(crate) members_removed: BTreeSet<Member>,
    pub(crate) scopes_good: Range<u32>,
    pub(crate) scopes_bad: Range<u32>,
    /// It is a whole file that is added or removed.
    pub(crate) whole_file: bool,
}

impl Words {
    /// Reads all deltas and the files that they change.
    #[must_use]
    pub fn of(changes: &ChangeSet) -> Self {
        let mut words = Self::default();
        let (mut good_scopes, mut bad_scopes) = (0, 0);
        for (file, _) in changes.files_of(&changes.all()) {
            words.read(file, &mut good_scopes, &mut bad_scopes);
        }
        words
    }

    /// Names in the added lines of a delta.
    pub fn added(&self, delta: DeltaId) -> impl Iterator<Item = &[u8]> {
        self.deltas.get(delta.index()).into_iter().flat_map(|words| self.spell(&words.added))
    }

    /// Names in the removed lines of a delta.
    pub fn removed(&self, delta: DeltaId) -> impl Iterator<Item = &[u8]> {
        self.deltas.get(delta.index()).into_iter().flat_map(|words| self.spell(&words.removed))
    }

    /// Names that a delta seems to define, and did not define before.
    pub fn introduces(&self, delta: DeltaId) -> impl Iterator<Item = &[u8]> {
        let words = self.deltas.get(delta.index()).into_iter();
        let names =
            words.flat_map(|words| words.defined.keys().filter(|id| !words.undefined.contains_key(id)));
        self.spell(names)
    }

    /// Names whose definitions a delta seems to remove.
    pub fn removes(&self, delta: DeltaId) -> impl Iterator<Item = &[u8]> {
        let words = self.deltas.get(delta.index()).into_iter();
        let names =
            words.flat_map(|words| words.undefined.keys().filter(|id| !words.defined.contains_key(id)));
        self.spell(names)
    }

    /// Whether a name is in added lines but nowhere in the good versions of the files that change.
    #[must_use]
    pub fn is_new(&self, name: &[u8]) -> bool {
        self.ids.get(name).is_some_and(|&id| self.is_new_id(id))
    }

    /// Whether a name is in removed lines but nowhere in the bad versions of the files that change.
    #[must_use]
    pub fn is_gone(&self, name: &[u8]) -> bool {
        self.ids.get(name).is_some_and(|&id| self.is_gone_id(id))
    }

    /// The deltas whose added lines mention a name.
    #[must_use]
    pub fn adding(&self, name: &[u8]) -> Configuration {
        self.holding(name, |words, id| words.added.contains(&id))
    }

    /// The deltas whose removed lines mention a name.
    #[must_use]
    pub fn removing(&self, name: &[u8]) -> Configuration {
        self.holding(name, |words, id| words.removed.contains(&id))
    }

    /// The deltas whose added lines seem to define a name.
    #[must_use]
    pub fn defining(&self, name: &[u8]) -> Configuration {
        self.holding(name, |words, id| words.defined.contains_key(&id))
    }

    /// The deltas whose removed lines seem to define a name.
    #[must_use]
    pub fn undefining(&self, name: &[u8]) -> Configuration {
        self.holding(name, |words, id| words.undefined.contains_key(&id))
    }

    pub(crate) fn name_count(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn is_new_id(&self, id: NameId) -> bool {
        self.in_bad[id as usize] && !self.in_good[id as usize]
    }

    pub(crate) fn is_gone_id(&self, id: NameId) -> bool {
        self.in_good[id as usize] && !self.in_bad[id as usize]
    }

    pub(crate) fn in_scope_of_good(&self, scope: u32, id: NameId) -> bool {
        self.scopes_good.contains(&(scope, id))
    }

    pub(crate) fn in_scope_of_bad(&self, scope: u32, id: NameId) -> bool {
        self.scopes_bad.contains(&(scope, id))
    }

    pub(crate) fn in_file_of_good(&self, file: u32, id: NameId) -> bool {
        self.files_good.contains(&(file, id))
    }

    pub(crate) fn in_file_of_bad(&self, file: u32, id: NameId) -> bool {
        self.files_bad.contains(&(file, id))
    }

    /// The deltas that include something which their lines did not include before, each with its file.
    pub(crate) fn including(&self) -> Vec<(u32, u32)> {
        let Some(include) = self.ids.get(&b"include"[..]) else { return Vec::new() };
        let includes = |words: &DeltaWords| {
            let is_file = |id: &&NameId| {
                self.names[**id as usize].contains(&b'.') && !self.names[**id as usize].starts_with(b".")
            };
            words.added.contains(include) && words.added.difference(&words.removed).any(|id| is_file(&id))
        };
        let numbered = (0..).zip(&self.deltas);
        numbered.filter(|(_, words)| includes(words)).map(|(delta, words)| (delta, words.file)).collect()
    }

    pub(crate) fn is_new_member(&self, member: &Member) -> bool {
        self.members_bad.contains(member) && !self.members_good.contains(member)
    }

    pub(crate) fn is_gone_member(&self, member: &Member) -> bool {
        self.members_good.contains(member) && !self.members_bad.contains(member)
    }

    fn holding(&self, name: &[u8], holds: impl Fn(&DeltaWords, NameId) -> bool) -> Configuration {
        let Some(&id) = self.ids.get(name) else { return Configuration::empty() };
        let numbered = (0..).zip(&self.deltas);
        numbered.filter(|(_, words)| holds(words, id)).map(|(delta, _)| DeltaId(delta)).collect()
    }

    fn spell<'a>(&'a self, ids: impl IntoIterator<Item = &'a NameId>) -> impl Iterator<Item = &'a [u8]> {
        ids.into_iter().map(|&id| &self.names[id as usize][..])
    }

    fn id(&mut self, name: &[u8]) -> NameId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = self.names.len() as NameId;
        self.names.push(name.to_vec());
        self.ids.insert(name.to_vec(), id);
        self.in_good.push(false);
        self.in_bad.push(false);
        id
    }

    fn read(&mut self, file: &FileChange, good_scopes: &mut u32, bad_scopes: &mut u32) {
        let language = TextKind::of_path(file.path.as_bytes());
        let sides = ReadingState { language, file: self.file_count, good_scopes, bad_scopes };
        self.file_count += 1;
        match &file.what {
            FileChangeKind::Swapped { good, bad, .. } => {
                let mut words = sides.none();
                words.whole_file = true;
                for (path, version) in good {
                    self.name_file(path.as_bytes(), &mut words.undefined);
                    words.removed.extend(words.undefined.keys());
                    if !is_binary(&version.bytes) {
                        let language = TextKind::of_path(path.as_bytes());
                        sides.read_good(self, &CodeReading::of(&version.bytes, language), None, &mut words);
                    }
                }
                for (path, version) in bad {
                    self.name_file(path.as_bytes(), &mut words.defined);
                    words.added.extend(words.defined.keys());
                    if !is_binary(&version.bytes) {
                        let language = TextKind::of_path(path.as_bytes());
                        sides.read_bad(self, &CodeReading::of(&version.bytes, language), None, &mut words);
                    }
                }
                for (ids, is_in) in [(&words.removed, &mut self.in_good), (&words.added, &mut self.in_bad)] {
                    ids.iter().for_each(|&id| is_in[id as usize] = true);
                }
                self.deltas.push(words);
            }
            FileChangeKind::Edited(edited) => {
                let before = edited.before_body();
                if let Some(from) = &edited.from {
                    let mut words = sides.none();
                    words.whole_file = true;
                    self.name_file(from.as_bytes(), &mut words.undefined);
                    words.removed.extend(words.undefined.keys());
                    self.name_file(file.path.as_bytes(), &mut words.defined);
                    words.added.extend(words.defined.keys());
                    self.deltas.push(words);
                }
                let others = before - u32::from(edited.from.is_some());
                self.deltas.extend((0..others).map(|_| sides.none()));
                match &edited.body {
                    EditedBody::Same => {}
                    EditedBody::Whole => self.deltas.push(sides.none()),
                    EditedBody::Text { good, bad, hunks } => {
                        let good = CodeReading::of(good.bytes(), language);
                        let bad = CodeReading::of(bad.bytes(), language);
                        let mut each: Vec<_> = hunks.iter().map(|_| sides.none()).collect();
                        for (hunk, words) in hunks.iter().zip(&mut each) {
                            sides.read_good(self, &good, Some(hunk.edits()), words);
                            sides.read_bad(self, &bad, Some(hunk.edits()), words);
                        }
                        self.deltas.extend(each);
                        self.occurrences(&good, *sides.good_scopes, true);
                        self.occurrences(&bad, *sides.bad_scopes, false);
                        *sides.good_scopes += good.scope_count();
                        *sides.bad_scopes += bad.scope_count();
                    }
                }
            }
        }
    }

    /// Members have names of their own: a variable of the same name is something different.
    fn member_id(&mut self, name: &[u8]) -> NameId {
        self.id(&[&b"."[..], name].concat())
    }

    /// The names in some lines, including those of members.
    fn names(&mut self, reading: &CodeReading<'_>, lines: Range<u32>) -> BTreeSet<NameId> {
        let mut names: BTreeSet<NameId> = reading.words(lines.clone()).map(|name| self.id(name)).collect();
        names.extend(reading.taken_members(lines.clone()).into_iter().map(|name| self.member_id(name)));
        names.extend(reading.defined_members(lines).into_iter().map(|name| self.member_id(name)));
        names
    }

    fn members(&mut self, reading: &CodeReading<'_>, lines: Range<u32>) -> Vec<Member> {
        reading.members(lines).into_iter().map(|(word, member)| (self.id(word), member)).collect()
    }

    /// Files are included by their names, or by these without an extension.
    fn name_file(&mut self, path: &[u8], into: &mut BTreeMap<NameId, bool>) {
        let name = base_name(path);
        for name in [name, stem(name)] {
            into.insert(self.id(name), true);
        }
    }

    fn occurrences(&mut self, reading: &CodeReading<'_>, first_scope: u32, is_good: bool) {
        let members = self.members(reading, 0..reading.lines.len() as u32);
        if is_good { &mut self.members_good } else { &mut self.members_bad }.extend(members);
        for line in 0..reading.lines.len() {
            let scope = first_scope + reading.scope_of(line);
            for id in self.names(reading, line as u32..line as u32 + 1) {
                let (is_in, scopes, files) = match is_good {
                    true => (&mut self.in_good, &mut self.scopes_good, &mut self.files_good),
                    false => (&mut self.in_bad, &mut self.scopes_bad, &mut self.files_bad),
                };
                is_in[id as usize] = true;
                scopes.insert((scope, id));
                files.insert((self.file_count - 1, id));
            }
        }
    }
}

/// The state of reading the two versions of a file.
struct ReadingState<'s> {
    language: TextKind,
    file: u32,
    good_scopes: &'s mut u32,
    bad_scopes: &'s mut u32,
}

impl ReadingState<'_> {
    fn none(&self) -> DeltaWords {
        DeltaWords {
            language: self.language,
            file: self.file,
            added: BTreeSet::new(),
            removed: BTreeSet::new(),
            added_in_code: BTreeSet::new(),
            defined: BTreeMap::new(),
            undefined: BTreeMap::new(),
            calls_added: BTreeSet::new(),
            calls_removed: BTreeSet::new(),
            types_added: BTreeSet::new(),
            types_removed: BTreeSet::new(),
            members_added: BTreeSet::new(),
            members_removed: BTreeSet::new(),
            scopes_good: 0..0,
            scopes_bad: 0..0,
            whole_file: false,
        }
    }

    /// Reads removed lines; without edits the whole file is removed.
    fn read_good(
        &self,
        words: &mut Words,
        good: &CodeReading<'_>,
        edits: Option<&[LineEdit]>,
        into: &mut DeltaWords,
    ) {
        let parts = parts(good, edits, |edit| edit.good.clone());
        for part in &parts {
            into.removed.extend(words.names(good, part.clone()));
            into.members_removed.extend(words.members(good, part.clone()));
            for definition in good.definitions(part.clone()) {
                let id = words.id(definition.name);
                *into.undefined.entry(id).or_default() |= definition.global;
                into.types_removed.insert((id, definition.of.0.to_vec(), definition.of.1));
            }
            for member in good.defined_members(part.clone()) {
                into.undefined.insert(words.member_id(member), true);
            }
        }
        for call in good.calls.iter().filter(|call| parts.iter().any(|part| touches(part, &call.lines))) {
            into.calls_removed.insert((words.id(call.name), call.arguments, call.text.clone()));
        }
        if let Some([first, .., last] | [first @ last]) = edits {
            let scopes = good.scopes(first.good.start..last.good.end);
            into.scopes_good = scopes.start + *self.good_scopes..scopes.end + *self.good_scopes;
        }
    }

    fn read_bad(
        &self,
        words: &mut Words,
        bad: &CodeReading<'_>,
        edits: Option<&[LineEdit]>,
        into: &mut DeltaWords,
    ) {
        let parts = parts(bad, edits, |edit| edit.bad.clone());
        for part in &parts {
            into.added.extend(words.names(bad, part.clone()));
            into.members_added.extend(words.members(bad, part.clone()));
            into.added_in_code.extend(bad.words_of_code(part.clone()).map(|name| words.id(name)));
            for definition in bad.definitions(part.clone()) {
                let id = words.id(definition.name);
                *into.defined.entry(id).or_default() |= definition.global;
                into.types_added.insert((id, definition.of.0.to_vec(), definition.of.1));
            }
            for member in bad.defined_members(part.clone()) {
                into.defined.insert(words.member_id(member), true);
            }
        }
        for call in bad.calls.iter().filter(|call| parts.iter().any(|part| touches(part, &call.lines))) {
            into.calls_added.insert((words.id(call.name), call.arguments, call.text.clone()));
        }
        if let Some([first, .., last] | [first @ last]) = edits {
            let scopes = bad.scopes(first.bad.start..last.bad.end);
            into.scopes_bad = scopes.start + *self.bad_scopes..scopes.end + *self.bad_scopes;
        }
    }
}

fn parts(
    reading: &CodeReading<'_>,
    edits: Option<&[LineEdit]>,
    lines: impl Fn(&LineEdit) -> Range<u32>,
) -> Vec<Range<u32>> {
    match edits {
        Some(edits) => edits.iter().map(lines).collect(),
        None => std::iter::once(0..reading.lines.len() as u32).collect(),
    }
}

fn touches(part: &Range<u32>, lines: &Range<u32>) -> bool {
    part.start < lines.end && lines.start < part.end
}
