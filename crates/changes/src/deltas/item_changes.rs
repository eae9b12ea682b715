//! What others notice of each change of a set in which every item is one change.

use crate::deltas::change::ChangeKind;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{EditedBody, FileChange, FileChangeKind};
use crate::deltas::item_hunks::{ItemChange, item_hunks};
use howcome_dd::{Configuration, DeltaId};

impl ChangeSet {
    /// The new items beside the old ones, and nothing else.
    #[must_use]
    pub fn new_items(&self) -> Configuration {
        self.items_that(|change| matches!(change, ItemChange::New | ItemChange::More | ItemChange::Text))
    }

    /// The items that are gone.
    #[must_use]
    pub fn gone_items(&self) -> Configuration {
        self.items_that(|change| change == ItemChange::Gone)
    }

    fn items_that(&self, is_wanted: impl Fn(ItemChange) -> bool) -> Configuration {
        let all = self.all();
        let files = self.files_of(&all).map(|(file, first)| (first, self.changes_of(file, first)));
        let numbered = files.flat_map(|(first, changes)| (first.0..).map(DeltaId).zip(changes));
        numbered.filter(|(_, change)| is_wanted(*change)).map(|(delta, _)| delta).collect()
    }

    fn changes_of(&self, file: &FileChange, first: DeltaId) -> Vec<ItemChange> {
        match &file.what {
            FileChangeKind::Swapped { .. } => match self.describe(first).map(|change| change.what) {
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
}
