//! What others notice of each change of a set in which every item is one change.

use crate::deltas::change::ChangeKind;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{EditedBody, FileChange, FileChangeKind};
use crate::deltas::generated::{is_generated, names_of_lines};
use crate::deltas::item_hunks::{ItemChange, item_hunks};
use howcome_dd::{Configuration, DeltaId};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What others notice of the changes of items.
#[derive(Clone, Debug)]
pub(crate) struct ItemChanges {
    /// Of each item, each other file, and each hunk of a file that has no items.
    changes: Vec<ItemChange>,
    /// All lines of each item in the good and in the bad version, counted from 0. `None` if the change is not of an item.
    lines: Vec<Option<[Range<u32>; 2]>>,
    /// For the name of a file, the changes of generated files that claim to hold its lines.
    generated_from: BTreeMap<Vec<u8>, Configuration>,
}

impl ItemChanges {
    /// Those of a set in which every item is one change.
    pub(crate) fn of(changes: &ChangeSet) -> Self {
        let all = changes.all();
        let (mut kinds, mut lines) = (Vec::new(), Vec::new());
        let mut generated_from = BTreeMap::new();
        for (file, first) in changes.files_of(&all) {
            let items = items_of(changes, file, first);
            for name in sources_of(file) {
                let from = generated_from.entry(name).or_insert_with(Configuration::empty);
                *from = from.with(&(first.0..).take(items.len()).map(DeltaId).collect());
            }
            for (change, whole) in items {
                kinds.push(change);
                lines.push(whole);
            }
        }
        Self { changes: kinds, lines, generated_from }
    }

    /// All lines of an item in the good and in the bad version, counted from 0.
    pub(crate) fn lines(&self, delta: DeltaId) -> Option<&[Range<u32>; 2]> {
        self.lines.get(delta.index())?.as_ref()
    }

    /// The changes of generated files that claim to hold the lines of a file of this name.
    pub(crate) fn generated_from(&self, name: &[u8]) -> Configuration {
        self.generated_from.get(name).cloned().unwrap_or_else(Configuration::empty)
    }

    /// Mixes in which only the bodies of functions do not fit the rest: the bad version with all old bodies and everything that is
    /// gone, and the good version with all new bodies and everything that is new. Each body compiles there or not, whatever
    /// the others are, so what is left of them can be mixed at will. Then the same without other bodies.
    pub(crate) fn suggestions(&self) -> [Configuration; 4] {
        let all = self.that(|_| true);
        let new = self.that(|change| matches!(change, ItemChange::New | ItemChange::More | ItemChange::Text));
        let gone = self.that(|change| change == ItemChange::Gone);
        let bodies = self.that(|change| change == ItemChange::Body);
        [all.without(&gone).without(&bodies), new.with(&bodies), new, all.without(&gone)]
    }

    fn that(&self, is_wanted: impl Fn(ItemChange) -> bool) -> Configuration {
        let wanted = (0..).map(DeltaId).zip(&self.changes).filter(|(_, change)| is_wanted(**change));
        wanted.map(|(delta, _)| delta).collect()
    }
}

/// The files whose lines a generated file claims to hold.
fn sources_of(file: &FileChange) -> BTreeSet<Vec<u8>> {
    match &file.what {
        FileChangeKind::Edited(edited) => match &edited.body {
            EditedBody::Text { good, bad, .. } if is_generated(bad.bytes()) => {
                [good, bad].into_iter().flat_map(|text| names_of_lines(text.bytes())).collect()
            }
            _ => BTreeSet::new(),
        },
        FileChangeKind::Swapped { .. } => BTreeSet::new(),
    }
}

type ItemWithLines = (ItemChange, Option<[Range<u32>; 2]>);

fn items_of(changes: &ChangeSet, file: &FileChange, first: DeltaId) -> Vec<ItemWithLines> {
    match &file.what {
        FileChangeKind::Swapped { .. } => match changes.describe(first).map(|change| change.what) {
            Some(ChangeKind::Added(_)) => vec![(ItemChange::New, None)],
            Some(ChangeKind::Removed(_)) => vec![(ItemChange::Gone, None)],
            _ => vec![(ItemChange::Interface, None)],
        },
        FileChangeKind::Edited(edited) => {
            let before = vec![(ItemChange::Interface, None); edited.before_body() as usize];
            let body = match &edited.body {
                EditedBody::Text { good, bad, hunks } => match item_hunks(&file.path, good, bad) {
                    Some(items) if items.len() == hunks.len() => {
                        items.into_iter().map(|item| (item.change, Some([item.good, item.bad]))).collect()
                    }
                    // A generated file is one change.
                    _ => vec![(ItemChange::Interface, None); hunks.len()],
                },
                EditedBody::Whole => vec![(ItemChange::Interface, None)],
                EditedBody::Same => Vec::new(),
            };
            [before, body].concat()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::tree::Tree;

    #[test]
    fn bodies_are_mixed_with_the_interfaces_of_the_other_version() {
        let good = "int f(int a) { return a; }\nint g(void) { return 3; }\nint h(void) { return 1; }\n";
        let bad = "int f(int a, int b) { return a + b; }\nint h(void) { return 2; }\nint i;\n";
        let [good, bad] = [good, bad].map(|text| Tree::of_texts(&[("a.c", text)]));
        let changes = ItemChanges::of(&ChangeSet::by_items(&good, &bad).unwrap());
        let expected = ["1,4", "3-4", "4", "1,3-4"].map(|text| text.parse().unwrap());
        assert_eq!(changes.suggestions(), expected);
    }

    #[test]
    fn lines_of_a_grammar_belong_to_the_parser_that_was_generated_from_it() {
        let parser =
            |number: u32| format!("/* A Bison parser */\n#line 7 \"src/parser.y\"\nint a = {number};\n");
        let [good, bad] = [1, 2].map(|number| Tree::of_texts(&[("parser.c", &parser(number))]));
        let changes = ItemChanges::of(&ChangeSet::by_items(&good, &bad).unwrap());
        assert_eq!(changes.generated_from(b"parser.y"), Configuration::all(1));
        assert!(changes.generated_from(b"other.y").is_empty());
    }
}
