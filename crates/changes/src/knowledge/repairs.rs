//! The failure resolution loop: from the complaints about a mix to mixes that might build.

use super::complaints::{Complaint, ComplaintPlaces, ComplaintSort, complaint_places, complaints};
use super::file_name::{base_name, is_header, stem};
use super::{Dependencies, Words};
use crate::deltas::change_set::ChangeSet;
use crate::deltas::item_changes::ItemChanges;
use howcome_dd::{Configuration, DeltaId};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// How many repairs are offered.
const MOST: usize = 4;
/// At most this many complaints are few.
const FEW: usize = 3;
/// How far the cause of a complaint can be from its line, in lines.
const NEAR: i64 = 3;

/// Fixes configurations that cannot be built or run.
#[derive(Clone, Copy, Debug)]
pub struct Repairs<'a> {
    changes: &'a ChangeSet,
    pub(super) words: &'a Words,
    dependencies: &'a Dependencies,
}

/// What one complaint asks for: deltas to add, or deltas to remove.
#[derive(Clone, Debug)]
pub(super) struct Remedy {
    pub(super) come: Configuration,
    pub(super) go: Configuration,
}

impl<'a> Repairs<'a> {
    /// For the deltas that the words and dependencies were read from.
    #[must_use]
    pub fn new(changes: &'a ChangeSet, words: &'a Words, dependencies: &'a Dependencies) -> Self {
        Self { changes, words, dependencies }
    }

    /// Other configurations that might build or run although this one did not, according to the output; the most probable first.
    #[must_use]
    pub fn repairs(&self, configuration: &Configuration, output: &[u8]) -> Vec<Configuration> {
        let complaints = complaints(output);
        let all: Vec<Remedy> =
            complaints.iter().map(|complaint| self.remedy(configuration, complaint)).collect();
        let roots: Vec<&Complaint> = roots(&complaints);
        let first: Vec<Remedy> =
            roots.iter().map(|complaint| self.remedy(configuration, complaint)).collect();
        let functions: Vec<Remedy> =
            roots.iter().map(|complaint| self.whole_function(configuration, complaint)).collect();
        let cheaper = |remedy: &Remedy| {
            !remedy.come.is_empty() && (remedy.go.is_empty() || self.grows_less(configuration, remedy))
        };
        let mut candidates = [
            self.apply(configuration, &first, cheaper),
            self.apply(configuration, &functions, cheaper),
            self.apply(configuration, &all, |remedy| remedy.go.is_empty()),
            self.apply(configuration, &all, |remedy| !remedy.come.is_empty()),
        ];
        // The last complaints are about functions that are half old and half new.
        if roots.len() <= FEW {
            candidates.swap(0, 1);
        }
        let mut found: Vec<Configuration> = Vec::new();
        for candidate in candidates {
            if candidate != *configuration && !found.contains(&candidate) {
                found.push(candidate);
            }
        }
        found.truncate(MOST);
        found
    }

    /// The same for deltas that are whole functions, types and declarations: those at the places of all complaints are left as they
    /// were, or all of them are changed. Names count only where there is nothing at the places.
    #[must_use]
    pub(crate) fn of_items(
        &self,
        items: &ItemChanges,
        configuration: &Configuration,
        output: &[u8],
    ) -> Vec<Configuration> {
        let outside = self.changes.all().without(configuration);
        let mut by_place = ItemPlaces { of: self, items, configuration, spans: BTreeMap::new() };
        let (mut come, mut go) = (Configuration::empty(), Configuration::empty());
        for complaint in complaint_places(output) {
            come = come.with(&by_place.first_within(&complaint, &outside));
            go = go.with(&by_place.first_within(&complaint, configuration));
        }
        let remedies: Vec<Remedy> = match come.is_empty() || go.is_empty() {
            true => {
                complaints(output).iter().map(|complaint| self.remedy(configuration, complaint)).collect()
            }
            false => Vec::new(),
        };
        let all = |of: fn(&Remedy) -> &Configuration| {
            remedies.iter().fold(Configuration::empty(), |all, remedy| all.with(of(remedy)))
        };
        if come.is_empty() {
            come = all(|remedy| &remedy.come);
        }
        if go.is_empty() {
            go = all(|remedy| &remedy.go);
        }
        let mut repairs = vec![configuration.without(&go), configuration.with(&come)];
        repairs.retain(|repair| repair != configuration);
        repairs.dedup();
        repairs
    }

    /// The same for deltas that are whole files: those that a complaint is about are left as they were, or all of them are changed.
    #[must_use]
    pub(crate) fn of_files(&self, configuration: &Configuration, output: &[u8]) -> Vec<Configuration> {
        let all = self.changes.all();
        let outside = all.without(configuration);
        let (mut come, mut go) = (Configuration::empty(), Configuration::empty());
        for place in complaint_places(output) {
            for (path, _) in &place.places {
                let file = self.in_path(&all, path);
                (come, go) = (come.with(&file.within(&outside)), go.with(&file.within(configuration)));
            }
        }
        if come.is_empty() {
            // Linkers name files without lines, and the names that they miss.
            for complaint in complaints(output) {
                let file = self.in_file(&outside, &complaint);
                let missing = || self.remedy(configuration, &complaint).come;
                come = come.with(&if file.is_empty() { missing() } else { file });
            }
        }
        let mut repairs = vec![configuration.with(&come), configuration.without(&go)];
        repairs.retain(|repair| repair != configuration);
        repairs
    }

    /// Whether it costs less to add deltas than to remove others.
    fn grows_less(&self, configuration: &Configuration, remedy: &Remedy) -> bool {
        let all = self.changes.all();
        let grown = self.dependencies.closure(&configuration.with(&remedy.come), &all);
        let shrunk = self.dependencies.pruned(&configuration.without(&remedy.go));
        grown.len() - configuration.len() <= configuration.len() - shrunk.len()
    }

    fn apply(
        &self,
        configuration: &Configuration,
        remedies: &[Remedy],
        grows: impl Fn(&Remedy) -> bool,
    ) -> Configuration {
        let (mut come, mut go) = (Configuration::empty(), Configuration::empty());
        for remedy in remedies {
            if grows(remedy) {
                come = come.with(&remedy.come);
            } else {
                go = go.with(&remedy.go);
            }
        }
        let kept = configuration.without(&go);
        let kept = if go.is_empty() { kept } else { self.dependencies.pruned(&kept) };
        if come.is_empty() {
            return kept;
        }
        // Deltas that were just removed must not come back because others need them.
        let within = self.changes.all().without(&go);
        self.dependencies.closure(&kept.with(&come), &within)
    }

    pub(super) fn remedy(&self, configuration: &Configuration, complaint: &Complaint) -> Remedy {
        let outside = self.changes.all().without(configuration);
        let place = self.at_place(configuration, complaint);
        let Some(name) = &complaint.name else {
            return match (complaint.sort, &complaint.path) {
                (ComplaintSort::NoFile, Some(path)) => self.missing_file(configuration, path),
                _ => Remedy { come: place.within(&outside), go: place.within(configuration) },
            };
        };
        let words = self.words;
        // A member, if there is one of that name; else anything.
        let member = [&b"."[..], name].concat();
        let is_member = complaint.sort == ComplaintSort::Mismatch
            && !words.adding(&member).with(&words.removing(&member)).is_empty();
        let name = if is_member { &member } else { name };
        let [adding, removing] = [words.adding(name), words.removing(name)];
        let [defining, undefining] = [words.defining(name), words.undefining(name)];
        // A name in many functions: only those near the complaint matter.
        let nearby = |deltas: Configuration| match self.in_file(&deltas, complaint) {
            near if near.is_empty() => deltas,
            near => near,
        };
        let remedy = match complaint.sort {
            ComplaintSort::Missing | ComplaintSort::NoFile => {
                let removers = undefining.without(&defining).within(configuration);
                let definers = nearby(defining.within(&outside));
                let mentions = nearby(adding.with(&removing).within(&outside));
                // Something defines it, but this file does not include that yet.
                let including = self.in_file(&words.adding(b"include").within(&outside), complaint);
                let come = [definers, including, mentions].into_iter().find(|deltas| !deltas.is_empty());
                let come = come.unwrap_or_else(Configuration::empty);
                // A name of a library: a line that includes it was removed, or is missing.
                let unknown = come.is_empty() && removers.is_empty();
                let included = |deltas: Configuration| if unknown { deltas } else { Configuration::empty() };
                let come = come.with(&included(nearby(words.adding(b"include").within(&outside))));
                let removers =
                    removers.with(&included(nearby(words.removing(b"include").within(configuration))));
                let users = adding.without(&defining).within(configuration);
                let go = if removers.is_empty() { nearby(users) } else { removers };
                Remedy { come, go }
            }
            ComplaintSort::Duplicate => {
                let come = nearby(undefining.within(&outside));
                let go = nearby(defining.within(configuration));
                Remedy { come, go }
            }
            ComplaintSort::Mismatch => {
                let mentions = nearby(adding.with(&removing).within(&outside));
                let own = nearby(adding.with(&removing).within(configuration));
                Remedy { come: mentions, go: own.with(&place.within(configuration)) }
            }
        };
        match remedy {
            // If no delta has the missing name, no delta can fix the complaint.
            Remedy { come, go }
                if come.is_empty() && go.is_empty() && complaint.sort == ComplaintSort::Mismatch =>
            {
                Remedy { come: place.within(&outside), go: place.within(configuration) }
            }
            remedy => remedy,
        }
    }

    /// What a complaint asks for, with all deltas of the functions in which it would change something.
    fn whole_function(&self, configuration: &Configuration, complaint: &Complaint) -> Remedy {
        let remedy = self.remedy(configuration, complaint);
        let place = self.in_functions(&self.at_place(configuration, complaint));
        Remedy {
            come: remedy.come.with(&place.without(configuration)),
            go: remedy.go.with(&place.within(configuration)),
        }
    }

    pub(super) fn in_functions(&self, deltas: &Configuration) -> Configuration {
        let scopes: Vec<_> =
            deltas.iter().map(|delta| self.words.deltas[delta.index()].scopes_good.clone()).collect();
        let touches =
            |scope: &std::ops::Range<u32>| scopes.iter().any(|s| s.start < scope.end && scope.start < s.end);
        let numbered = (0..).map(DeltaId).zip(&self.words.deltas);
        numbered.filter(|(_, words)| touches(&words.scopes_good)).map(|(delta, _)| delta).collect()
    }

    fn missing_file(&self, configuration: &Configuration, path: &[u8]) -> Remedy {
        let name = base_name(path);
        let [name, stem] = [name, stem(name)];
        let words = self.words;
        let either = |of: &dyn Fn(&[u8]) -> Configuration| match of(name) {
            none if none.is_empty() => of(stem),
            some => some,
        };
        let come = either(&|name| words.defining(name)).without(configuration);
        let removers = either(&|name| words.undefining(name)).within(configuration);
        let users = either(&|name| words.adding(name)).within(configuration);
        Remedy { come, go: if removers.is_empty() { users } else { removers } }
    }

    /// Those of some deltas that are in the file of a complaint.
    pub(super) fn in_file(&self, deltas: &Configuration, complaint: &Complaint) -> Configuration {
        complaint.path.as_ref().map_or_else(Configuration::empty, |path| self.in_path(deltas, path))
    }

    fn in_path(&self, deltas: &Configuration, path: &[u8]) -> Configuration {
        let in_file = |delta: &DeltaId| {
            self.changes.describe(*delta).is_some_and(|change| is_of(change.path.as_bytes(), path))
        };
        deltas.iter().filter(in_file).collect()
    }

    /// The deltas near the line of a complaint, which counts the lines of the mix.
    pub(super) fn at_place(&self, configuration: &Configuration, complaint: &Complaint) -> Configuration {
        self.within_lines(configuration, complaint, NEAR)
    }

    fn within_lines(&self, configuration: &Configuration, complaint: &Complaint, near: i64) -> Configuration {
        let place = complaint.line.map(i64::from).zip(complaint.path.as_ref());
        let Some((line, path)) = place else { return Configuration::empty() };
        let is_near = |span: &RangeInclusive<i64>| span.start() - near <= line && line <= span.end() + near;
        let spans = self.spans(configuration, path, None).into_iter();
        spans.filter(|(_, span)| is_near(span)).map(|(delta, _)| delta).collect()
    }

    /// Which lines of the mix each delta of a file holds; of an item, all of its lines.
    fn spans(
        &self,
        configuration: &Configuration,
        path: &[u8],
        items: Option<&ItemChanges>,
    ) -> Vec<(DeltaId, RangeInclusive<i64>)> {
        let mut shift = 0;
        let mut spans = Vec::new();
        for delta in self.in_path(&self.changes.all(), path).iter() {
            let Some(change) = self.changes.describe(delta) else { continue };
            let (old, new) = (i64::from(change.old_lines), i64::from(change.new_lines));
            let applied = configuration.contains(delta);
            let whole = items.and_then(|items| items.lines(delta)).map(|[good, bad]| {
                let start = i64::from(good.start) + 1 + shift;
                let lines = if applied { bad } else { good };
                start..=start + lines.len() as i64 - 1
            });
            let start = i64::from(change.old_line) + shift;
            spans.push((delta, whole.unwrap_or(start..=start + if applied { new } else { old })));
            shift += if applied { new - old } else { 0 };
        }
        spans
    }
}

/// The items of a mix at places of complaints.
struct ItemPlaces<'a, 'b> {
    of: &'a Repairs<'b>,
    items: &'a ItemChanges,
    configuration: &'a Configuration,
    /// Of each file that was printed.
    spans: BTreeMap<Vec<u8>, Vec<(DeltaId, RangeInclusive<i64>)>>,
}

impl ItemPlaces<'_, '_> {
    /// Those of some items that a complaint is about: at the line of the program, at the lines of the macros that it uses, or the
    /// macros themselves, whichever finds some first.
    fn first_within(&mut self, complaint: &ComplaintPlaces, wanted: &Configuration) -> Configuration {
        let Self { of, items, configuration, spans } = self;
        for (path, line) in &complaint.places {
            let spans =
                spans.entry(path.clone()).or_insert_with(|| of.spans(configuration, path, Some(items)));
            let here = spans.iter().filter(|(_, span)| span.contains(&i64::from(*line)));
            let here: Configuration =
                here.map(|(delta, _)| *delta).filter(|delta| wanted.contains(*delta)).collect();
            // A name after `#line` is that of the source, but what was compiled is the generated file.
            let here = here.with(&items.generated_from(base_name(path)).within(wanted));
            if !here.is_empty() {
                return here;
            }
        }
        let named =
            complaint.macros.iter().map(|name| of.words.defining(name).with(&of.words.undefining(name)));
        named.fold(Configuration::empty(), |all, named| all.with(&named)).within(wanted)
    }
}

/// Complaints that are probably not consequences of others: those about headers come first, and those with a name come before
/// those without.
fn roots(complaints: &[Complaint]) -> Vec<&Complaint> {
    let in_header = |complaint: &&Complaint| complaint.path.as_deref().is_some_and(is_header);
    let headers: Vec<&Complaint> = complaints.iter().filter(in_header).collect();
    let chosen = if headers.is_empty() { complaints.iter().collect() } else { headers };
    let has_named =
        |path: &Option<Vec<u8>>| chosen.iter().any(|other| other.path == *path && other.name.is_some());
    let keeps = |complaint: &&&Complaint| complaint.name.is_some() || !has_named(&complaint.path);
    chosen.iter().filter(keeps).copied().collect()
}

/// Whether a printed path means a file of the tree. It can be longer, with the folder of the tree, or shorter, relative to the
/// folder in which the compiler ran.
fn is_of(path: &[u8], printed: &[u8]) -> bool {
    let printed = printed.strip_prefix(b"./").unwrap_or(printed);
    let ends = |long: &[u8], short: &[u8]| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with(b"/"))
    };
    ends(path, printed) || ends(printed, path)
}
