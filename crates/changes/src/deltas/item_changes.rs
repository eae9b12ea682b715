//! What others notice of each change of a set in which every item is one change.

use crate::deltas::change::ChangeKind;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{EditedBody, FileChange, FileChangeKind};
use crate::deltas::item_hunks::{ItemChange, ItemEdit, item_hunks};
use howcome_dd::{Configuration, DeltaId};
use std::collections::{BTreeMap, BTreeSet};

/// A name that more items mention is so general that they do not all change together.
const MOST_USERS: usize = 25;

/// What others notice of the changes of items.
#[derive(Clone, Debug)]
pub struct ItemChanges {
    items: Vec<NoticedItem>,
}

/// One change of an item, a file, or a part of a file that has no items.
#[derive(Clone, Debug)]
struct NoticedItem {
    change: ItemChange,
    name: Vec<u8>,
    words: BTreeSet<Vec<u8>>,
}

impl NoticedItem {
    fn unknown(change: ItemChange) -> Self {
        Self { change, name: Vec::new(), words: BTreeSet::new() }
    }
}

impl From<ItemEdit> for NoticedItem {
    fn from(ItemEdit { change, name, words, .. }: ItemEdit) -> Self {
        Self { change, name, words }
    }
}

impl ItemChanges {
    /// Those of a set in which every item is one change.
    #[must_use]
    pub fn of(changes: &ChangeSet) -> Self {
        let all = changes.all();
        let files = changes.files_of(&all);
        Self { items: files.flat_map(|(file, first)| items_of(changes, file, first)).collect() }
    }

    /// The new items beside the old ones, and nothing else.
    #[must_use]
    pub fn new_items(&self) -> Configuration {
        self.that(|item| matches!(item.change, ItemChange::New | ItemChange::More | ItemChange::Text))
    }

    /// The items that are gone.
    #[must_use]
    pub fn gone_items(&self) -> Configuration {
        self.that(|item| item.change == ItemChange::Gone)
    }

    /// Items that have to change together, as far as their names tell: one that others have to use in another way, and its users.
    #[must_use]
    pub fn clusters(&self) -> Vec<Configuration> {
        let mut users: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
        for (number, item) in self.items.iter().enumerate() {
            item.words.iter().for_each(|word| users.entry(word).or_default().push(number));
        }
        let mut clusters = Clusters((0..self.items.len()).collect());
        for (number, item) in self.items.iter().enumerate() {
            let own = users.get(&item.name[..]).map_or(&[][..], Vec::as_slice);
            let is_noticed = item.change == ItemChange::Interface && own.len() <= MOST_USERS;
            let same_name = own.iter().filter(|user| self.items[**user].name == item.name);
            let together = own.iter().filter(|_| is_noticed).chain(same_name);
            together.for_each(|user| clusters.join(number, *user));
        }
        clusters.groups()
    }

    fn that(&self, is_wanted: impl Fn(&NoticedItem) -> bool) -> Configuration {
        let wanted = (0..).map(DeltaId).zip(&self.items).filter(|(_, item)| is_wanted(item));
        wanted.map(|(delta, _)| delta).collect()
    }
}

fn items_of(changes: &ChangeSet, file: &FileChange, first: DeltaId) -> Vec<NoticedItem> {
    let unknown = NoticedItem::unknown;
    match &file.what {
        FileChangeKind::Swapped { .. } => match changes.describe(first).map(|change| change.what) {
            Some(ChangeKind::Added(_)) => vec![unknown(ItemChange::New)],
            Some(ChangeKind::Removed(_)) => vec![unknown(ItemChange::Gone)],
            _ => vec![unknown(ItemChange::Interface)],
        },
        FileChangeKind::Edited(edited) => {
            let before = vec![unknown(ItemChange::Interface); edited.before_body() as usize];
            let body = match &edited.body {
                EditedBody::Text { good, bad, hunks } => match item_hunks(&file.path, good, bad) {
                    Some(items) if items.len() == hunks.len() => items.into_iter().map(Into::into).collect(),
                    // A generated file is one change.
                    _ => vec![unknown(ItemChange::Interface); hunks.len()],
                },
                EditedBody::Whole => vec![unknown(ItemChange::Interface)],
                EditedBody::Same => Vec::new(),
            };
            [before, body].concat()
        }
    }
}

/// Sets of items that grow together. Each item knows another one of its set, or itself.
struct Clusters(Vec<usize>);

impl Clusters {
    fn root(&mut self, item: usize) -> usize {
        let mut item = item;
        while self.0[item] != item {
            self.0[item] = self.0[self.0[item]];
            item = self.0[item];
        }
        item
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
    }

    /// The sets of several items, in the order of their first items.
    fn groups(mut self) -> Vec<Configuration> {
        let mut groups: BTreeMap<usize, Vec<DeltaId>> = BTreeMap::new();
        for item in 0..self.0.len() {
            groups.entry(self.root(item)).or_default().push(DeltaId(item as u32));
        }
        groups
            .into_values()
            .filter(|group| group.len() > 1)
            .map(|group| group.into_iter().collect())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::tree::Tree;

    #[test]
    fn a_function_with_other_arguments_changes_together_with_its_callers() {
        let good = "int f(int a) { return a; }\nint g(void) { return f(1); }\nint h(void) { return 1; }\n";
        let bad = "int f(int a, int b) { return a + b; }\nint g(void) { return f(1, 2); }\nint h(void) { return 2; }\nint i;\n";
        let [good, bad] = [good, bad].map(|text| Tree::of_texts(&[("a.c", text)]));
        let changes = ItemChanges::of(&ChangeSet::by_items(&good, &bad).unwrap());
        assert_eq!(changes.clusters(), ["1-2".parse().unwrap()]);
        assert_eq!(changes.new_items(), "4".parse().unwrap());
        assert!(changes.gone_items().is_empty());
    }
}
