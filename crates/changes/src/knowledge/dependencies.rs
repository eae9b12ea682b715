//! Which deltas need which others, by the names in them.

use super::balance::unbalanced_runs;
use super::words::{DeltaWords, Member, NameId, Words};
use crate::deltas::change::ChangeKind;
use crate::deltas::change_set::ChangeSet;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId, Relation};
use howcome_syntax::TextKind;
use std::collections::{BTreeMap, BTreeSet};

/// Names that more deltas define are probably names of variables, and no delta needs all of their definitions.
const FEW: usize = 6;

/// Requirements between deltas. Most of them are right; none is proved.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    requires: Vec<BTreeSet<u32>>,
}

impl Dependencies {
    /// Finds them by the names in the deltas.
    #[must_use]
    pub fn of(changes: &ChangeSet, words: &Words) -> Self {
        let mut dependencies = Self { requires: vec![BTreeSet::new(); changes.len() as usize] };
        let index = NameIndex::of(words);
        let including = words.including();
        for id in 0..words.name_count() as NameId {
            dependencies.new_names(words, &index, id);
            dependencies.gone_names(words, &index, id);
            dependencies.local_names(words, &index, id);
            dependencies.moved_definitions(words, &index, id);
            dependencies.moved_between_files(words, &index, &including, id);
            dependencies.moved_within(words, &index, id);
            dependencies.changed_heads(words, &index, id);
            dependencies.changed_types(words, &index, id);
        }
        for run in unbalanced_runs(changes) {
            dependencies.ring(&run.iter().map(|delta| delta.0).collect());
        }
        dependencies
    }

    /// Also joins all deltas of each generated file: no mix of two generated versions makes sense.
    #[must_use]
    pub fn with_generated_files(mut self, changes: &ChangeSet, with_sources: bool) -> Self {
        generated(changes, with_sources).iter().for_each(|file| self.ring(file));
        self
    }

    /// The deltas that one needs directly.
    #[must_use]
    pub fn requires(&self, delta: DeltaId) -> Vec<DeltaId> {
        self.requires.get(delta.index()).into_iter().flatten().map(|&delta| DeltaId(delta)).collect()
    }

    /// The configuration with everything that it needs, as far as the other configuration has it.
    #[must_use]
    pub fn closure(&self, configuration: &Configuration, within: &Configuration) -> Configuration {
        let mut reached: BTreeSet<u32> = configuration.iter().map(|delta| delta.0).collect();
        let mut open: Vec<u32> = reached.iter().copied().collect();
        while let Some(delta) = open.pop() {
            for &needed in self.requires.get(delta as usize).into_iter().flatten() {
                if within.contains(DeltaId(needed)) && reached.insert(needed) {
                    open.push(needed);
                }
            }
        }
        reached.into_iter().map(DeltaId).collect()
    }

    /// The configuration without the deltas that need something which it does not have.
    #[must_use]
    pub fn pruned(&self, configuration: &Configuration) -> Configuration {
        let mut kept: BTreeSet<u32> = configuration.iter().map(|delta| delta.0).collect();
        loop {
            let lacks = |delta: &u32| {
                self.requires.get(*delta as usize).is_some_and(|needed| !needed.is_subset(&kept))
            };
            let lacking: Vec<u32> = kept.iter().copied().filter(lacks).collect();
            if lacking.is_empty() {
                return kept.into_iter().map(DeltaId).collect();
            }
            lacking.iter().for_each(|delta| {
                kept.remove(delta);
            });
        }
    }

    /// All requirements, for a search that adds what mixes need.
    #[must_use]
    pub fn relations(&self) -> Vec<Relation> {
        let needs = |(delta, others): (u32, &BTreeSet<u32>)| {
            others
                .iter()
                .map(move |other| Relation::Needs(DeltaId(delta), DeltaId(*other)))
                .collect::<Vec<_>>()
        };
        (0..).zip(&self.requires).flat_map(needs).collect()
    }

    pub(crate) fn of_delta(&self, delta: u32) -> &BTreeSet<u32> {
        &self.requires[delta as usize]
    }

    fn need(&mut self, delta: u32, needed: u32) {
        if delta != needed {
            self.requires[delta as usize].insert(needed);
        }
    }

    /// Deltas that need each other.
    fn ring(&mut self, deltas: &BTreeSet<u32>) {
        let next = deltas.iter().skip(1).chain(deltas.first());
        for (&delta, &next) in deltas.iter().zip(next) {
            self.need(delta, next);
        }
    }

    /// A delta that mentions a new name needs the deltas that define it.
    fn new_names(&mut self, words: &Words, index: &NameIndex, id: NameId) {
        let Some(definers) = index.defined.get(&id).filter(|definers| definers.len() <= FEW) else { return };
        if !words.is_new_id(id) {
            return;
        }
        let users: Vec<u32> = index.added.get(&id).into_iter().flatten().copied().collect();
        for user in users.into_iter().filter(|user| !definers.contains(user)) {
            let own = &words.deltas[user as usize];
            let fits = |definer: &&u32| speak_alike(own, &words.deltas[**definer as usize]);
            let near = |definer: &&u32| share_scope(own, &words.deltas[**definer as usize]);
            let global = |definer: &&u32| words.deltas[**definer as usize].defined.get(&id) == Some(&true);
            let fitting: Vec<&u32> = definers.iter().filter(fits).collect();
            let nearest = [
                fitting.iter().copied().filter(near).collect::<Vec<_>>(),
                fitting.iter().copied().filter(global).collect(),
                fitting.clone(),
            ];
            let nearest = nearest.iter().find(|found| !found.is_empty());
            nearest.into_iter().flatten().for_each(|definer| self.need(user, **definer));
        }
        // A delta that adds a source file needs the delta that names it in the build file.
        let files = definers.iter().filter(|definer| words.deltas[**definer as usize].whole_file);
        let builders = index.added.get(&id).into_iter().flatten();
        let builders: Vec<u32> = builders
            .copied()
            .filter(|user| words.deltas[*user as usize].language == TextKind::Build)
            .collect();
        files.for_each(|&file| builders.iter().for_each(|&builder| self.need(file, builder)));
    }

    /// A delta that removes the definition of a name needs the deltas that remove its last mentions.
    fn gone_names(&mut self, words: &Words, index: &NameIndex, id: NameId) {
        let Some(removers) = index.undefined.get(&id).filter(|removers| removers.len() <= FEW) else {
            return;
        };
        if !words.is_gone_id(id) {
            return;
        }
        for &remover in removers {
            let own = &words.deltas[remover as usize];
            let is_global = own.undefined.get(&id) == Some(&true) || removers.len() == 1;
            for &mention in index.removed.get(&id).into_iter().flatten() {
                let other = &words.deltas[mention as usize];
                if speak_alike(own, other) && (is_global || share_scope(own, other)) {
                    self.need(remover, mention);
                }
            }
        }
    }

    /// The same within one function, for names that others have too.
    fn local_names(&mut self, words: &Words, index: &NameIndex, id: NameId) {
        let definers = index.defined.get(&id).into_iter().flatten();
        for &definer in definers.filter(|_| !words.is_new_id(id)) {
            let own = &words.deltas[definer as usize];
            let is_new = |scope| !words.in_scope_of_good(scope, id);
            if own.undefined.contains_key(&id)
                || own.scopes_good.is_empty()
                || !own.scopes_good.clone().all(is_new)
            {
                continue;
            }
            for &user in index.added.get(&id).into_iter().flatten() {
                let other = &words.deltas[user as usize];
                if share_scope(own, other) && !other.defined.contains_key(&id) {
                    self.need(user, definer);
                }
            }
        }
        let removers = index.undefined.get(&id).into_iter().flatten();
        for &remover in removers.filter(|_| !words.is_gone_id(id)) {
            let own = &words.deltas[remover as usize];
            let is_gone = |scope| !words.in_scope_of_bad(scope, id);
            if own.defined.contains_key(&id)
                || own.scopes_bad.is_empty()
                || !own.scopes_bad.clone().all(is_gone)
            {
                continue;
            }
            for &user in index.removed.get(&id).into_iter().flatten() {
                let other = &words.deltas[user as usize];
                if share_scope(own, other) && !other.undefined.contains_key(&id) {
                    self.need(remover, user);
                }
            }
        }
    }

    /// A definition that is removed in one place and added in another.
    fn moved_definitions(&mut self, words: &Words, index: &NameIndex, id: NameId) {
        let global = |definitions: &BTreeMap<NameId, bool>| definitions.get(&id) == Some(&true);
        let deltas = |index: &BTreeMap<NameId, Vec<u32>>,
                      only: fn(&DeltaWords) -> [&BTreeMap<NameId, bool>; 2]| {
            let all = index.get(&id).into_iter().flatten().copied();
            let fits = |delta: &u32| {
                let [has, lacks] = only(&words.deltas[*delta as usize]);
                global(has) && !lacks.contains_key(&id)
            };
            all.filter(fits).collect::<BTreeSet<u32>>()
        };
        let going = deltas(&index.undefined, |words| [&words.undefined, &words.defined]);
        let coming = deltas(&index.defined, |words| [&words.defined, &words.undefined]);
        let both = index.defined.get(&id).into_iter().flatten().copied();
        let changing = both.filter(|&delta| {
            let own = &words.deltas[delta as usize];
            global(&own.defined) && global(&own.undefined) && changes_type(own, id)
        });
        let all: BTreeSet<u32> = going.iter().chain(&coming).copied().chain(changing).collect();
        let moves = !going.is_empty() || !coming.is_empty();
        if moves && !words.is_new_id(id) && !words.is_gone_id(id) && all.len() <= FEW {
            self.ring(&all);
        }
    }

    /// A definition that moves from one file to another: other files might no longer see it, or not yet.
    fn moved_between_files(
        &mut self,
        words: &Words,
        index: &NameIndex,
        including: &[(u32, u32)],
        id: NameId,
    ) {
        if words.is_new_id(id) || words.is_gone_id(id) {
            return;
        }
        let of = |delta: &u32| &words.deltas[*delta as usize];
        let is_going = |delta: &&u32| {
            of(delta).undefined.get(&id) == Some(&true) && !of(delta).defined.contains_key(&id)
        };
        let is_coming = |delta: &&u32| {
            of(delta).defined.get(&id) == Some(&true) && !of(delta).undefined.contains_key(&id)
        };
        let going: Vec<u32> =
            index.undefined.get(&id).into_iter().flatten().filter(is_going).copied().collect();
        let coming: Vec<u32> =
            index.defined.get(&id).into_iter().flatten().filter(is_coming).copied().collect();
        if going.len() > FEW || coming.len() > FEW {
            return;
        }
        for &going in &going {
            for user in index.removed.get(&id).into_iter().flatten() {
                let own = of(user);
                if own.file != of(&going).file
                    && !words.in_file_of_bad(own.file, id)
                    && speak_alike(own, of(&going))
                {
                    self.need(going, *user);
                }
            }
            for &(delta, file) in including {
                if file != of(&going).file
                    && words.in_file_of_good(file, id)
                    && words.in_file_of_bad(file, id)
                {
                    self.need(going, delta);
                }
            }
        }
        for &coming in &coming {
            for user in index.added.get(&id).into_iter().flatten() {
                let own = of(user);
                if own.file != of(&coming).file
                    && !words.in_file_of_good(own.file, id)
                    && speak_alike(own, of(&coming))
                {
                    self.need(*user, coming);
                }
            }
        }
    }

    /// The same within one function or structure.
    fn moved_within(&mut self, words: &Words, index: &NameIndex, id: NameId) {
        for &going in index.undefined.get(&id).into_iter().flatten() {
            let own = &words.deltas[going as usize];
            for &coming in index.defined.get(&id).into_iter().flatten() {
                let other = &words.deltas[coming as usize];
                let moves = !own.defined.contains_key(&id) && !other.undefined.contains_key(&id);
                if moves && share_scope(own, other) {
                    self.need(going, coming);
                    self.need(coming, going);
                }
            }
        }
    }

    /// A function or macro with other arguments: its definitions belong together, and its calls need them.
    fn changed_heads(&mut self, words: &Words, index: &NameIndex, id: NameId) {
        let defined = index.defined.get(&id).into_iter().flatten().copied();
        let heads: BTreeSet<u32> =
            defined.filter(|&delta| changes_head(&words.deltas[delta as usize], id)).collect();
        if heads.is_empty() || heads.len() > FEW {
            return;
        }
        self.ring(&heads);
        let counts = |delta: u32, is_new: bool| {
            let words = &words.deltas[delta as usize];
            let calls = if is_new { &words.calls_added } else { &words.calls_removed };
            calls
                .range((id, 0, Vec::new())..(id + 1, 0, Vec::new()))
                .map(|call| call.1)
                .collect::<BTreeSet<_>>()
        };
        let of_heads = |is_new| heads.iter().flat_map(|&head| counts(head, is_new)).collect::<BTreeSet<_>>();
        let (old, new) = (of_heads(false), of_heads(true));
        if old == new {
            return;
        }
        let Some(&head) = heads.first() else { return };
        for &user in index.added.get(&id).into_iter().flatten().filter(|user| !heads.contains(user)) {
            if !counts(user, true).is_subset(&old) {
                self.need(user, head);
            }
        }
        for &user in index.removed.get(&id).into_iter().flatten().filter(|user| !heads.contains(user)) {
            if !counts(user, false).is_subset(&new) {
                self.need(head, user);
            }
        }
    }

    /// A variable or member of another type: deltas that access its new members need it, and it needs the deltas that remove
    /// accesses to its old members.
    fn changed_types(&mut self, words: &Words, index: &NameIndex, id: NameId) {
        let redefines = |delta: &u32| changes_type(&words.deltas[*delta as usize], id);
        let defined = index.defined.get(&id).into_iter().flatten().copied();
        let heads: BTreeSet<u32> = defined.filter(redefines).collect();
        if heads.is_empty() || heads.len() > FEW {
            return;
        }
        let takes = |members: &BTreeSet<Member>, is_other: &dyn Fn(&Member) -> bool| {
            members.range((id, Vec::new())..(id + 1, Vec::new())).any(is_other)
        };
        for &user in index.added.get(&id).into_iter().flatten().filter(|user| !heads.contains(user)) {
            let own = &words.deltas[user as usize];
            let takes_new = takes(&own.members_added, &|member| words.is_new_member(member));
            let took_old = takes(&own.members_removed, &|member| words.is_gone_member(member));
            for &head in &heads {
                let is_global = words.deltas[head as usize].defined.get(&id) == Some(&true);
                if takes_new || is_global && heads.len() == 1 && own.added_in_code.contains(&id) {
                    self.need(user, head);
                }
                if took_old || (takes_new && own.removed.contains(&id)) {
                    self.need(head, user);
                }
            }
        }
    }
}

/// The deltas of each generated file, perhaps with those of what it is generated from: no mix of two generated versions makes sense.
fn generated(changes: &ChangeSet, with_sources: bool) -> Vec<BTreeSet<u32>> {
    let mut files: BTreeMap<&TreePath, BTreeSet<u32>> = BTreeMap::new();
    for delta in changes.all().iter() {
        if let Some(change) = changes.describe(delta).filter(|change| change.what == ChangeKind::Lines) {
            files.entry(change.path).or_default().insert(delta.0);
        }
    }
    let with_sources = |(path, deltas): (&&TreePath, &BTreeSet<u32>)| {
        let sources = changes.sources_of_generated(path)?;
        let sources = sources.iter().filter(|_| with_sources);
        let of_sources = sources.filter_map(|source| files.get(source)).flatten();
        Some(deltas.iter().chain(of_sources).copied().collect::<BTreeSet<u32>>())
    };
    files.iter().filter_map(with_sources).filter(|deltas| deltas.len() > 1).collect()
}

fn changes_type(words: &DeltaWords, id: NameId) -> bool {
    let of_name = |types: &BTreeSet<(NameId, Vec<u8>, usize)>| {
        types.range((id, Vec::new(), 0)..(id + 1, Vec::new(), 0)).cloned().collect::<Vec<_>>()
    };
    let (old, new) = (of_name(&words.types_removed), of_name(&words.types_added));
    !old.is_empty() && !new.is_empty() && old != new
}

fn changes_head(words: &DeltaWords, id: NameId) -> bool {
    let of_name = |calls: &BTreeSet<(NameId, u32, Vec<u8>)>| {
        calls.range((id, 0, Vec::new())..(id + 1, 0, Vec::new())).cloned().collect::<Vec<_>>()
    };
    let is_head = words.defined.get(&id) == Some(&true) && words.undefined.get(&id) == Some(&true);
    let (old, new) = (of_name(&words.calls_removed), of_name(&words.calls_added));
    is_head && !old.is_empty() && !new.is_empty() && (old != new || changes_type(words, id))
}

/// Names of one language mean nothing in another, but build files name files of all languages.
fn speak_alike(one: &DeltaWords, other: &DeltaWords) -> bool {
    one.language == other.language || one.language == TextKind::Build && other.whole_file
}

fn share_scope(one: &DeltaWords, other: &DeltaWords) -> bool {
    one.scopes_good.start < other.scopes_good.end && other.scopes_good.start < one.scopes_good.end
}

/// The deltas of each name, in order.
struct NameIndex {
    added: BTreeMap<NameId, Vec<u32>>,
    removed: BTreeMap<NameId, Vec<u32>>,
    defined: BTreeMap<NameId, Vec<u32>>,
    undefined: BTreeMap<NameId, Vec<u32>>,
}

impl NameIndex {
    fn of(words: &Words) -> Self {
        let mut index = Self {
            added: BTreeMap::new(),
            removed: BTreeMap::new(),
            defined: BTreeMap::new(),
            undefined: BTreeMap::new(),
        };
        for (delta, words) in (0..).zip(&words.deltas) {
            let mut put = |into: fn(&mut Self) -> &mut BTreeMap<NameId, Vec<u32>>, ids: Vec<NameId>| {
                ids.into_iter().for_each(|id| into(&mut index).entry(id).or_default().push(delta));
            };
            put(|index| &mut index.added, words.added.iter().copied().collect());
            put(|index| &mut index.removed, words.removed.iter().copied().collect());
            put(|index| &mut index.defined, words.defined.keys().copied().collect());
            put(|index| &mut index.undefined, words.undefined.keys().copied().collect());
        }
        index
    }
}
