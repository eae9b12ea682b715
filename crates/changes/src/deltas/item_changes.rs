//! What others notice of each change of a set in which every item is one change.

use crate::deltas::change::ChangeKind;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{EditedBody, FileChange, FileChangeKind};
use crate::deltas::item_hunks::{ItemChange, item_hunks};
use howcome_dd::{Configuration, DeltaId};

/// What others notice of the changes of items.
#[derive(Clone, Debug)]
pub(crate) struct ItemChanges {
    /// Of each item, each other file, and each hunk of a file that has no items.
    changes: Vec<ItemChange>,
}

impl ItemChanges {
    /// Those of a set in which every item is one change.
    pub(crate) fn of(changes: &ChangeSet) -> Self {
        let all = changes.all();
        let files = changes.files_of(&all);
        Self { changes: files.flat_map(|(file, first)| items_of(changes, file, first)).collect() }
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

fn items_of(changes: &ChangeSet, file: &FileChange, first: DeltaId) -> Vec<ItemChange> {
    match &file.what {
        FileChangeKind::Swapped { .. } => match changes.describe(first).map(|change| change.what) {
            Some(ChangeKind::Added(_)) => vec![ItemChange::New],
            Some(ChangeKind::Removed(_)) => vec![ItemChange::Gone],
            _ => vec![ItemChange::Interface],
        },
        FileChangeKind::Edited(edited) => {
            let before = vec![ItemChange::Interface; edited.before_body() as usize];
            let body = match &edited.body {
                EditedBody::Text { good, bad, hunks } => match item_hunks(&file.path, good, bad) {
                    Some(items) if items.len() == hunks.len() => {
                        items.into_iter().map(|(_, change)| change).collect()
                    }
                    // A generated file is one change.
                    _ => vec![ItemChange::Interface; hunks.len()],
                },
                EditedBody::Whole => vec![ItemChange::Interface],
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
}
