//! Parts of a list, each with a test that gets it.

use crate::list::ItemList;
use howcome_dd::{Configuration, DeltaId, Hints, Knowledge, Relation};
use howcome_lab::inquiry::{TestFolder, could_not_be_written};
use howcome_lab::{Command, Prepare, WorkFolder};
use howcome_run::{Because, Content, Rejection, Subject};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file in which a test finds its items.
pub const ITEMS_FILE: &str = "items.txt";

/// A list, and the test that gets a part of it.
#[derive(Clone, Debug)]
pub struct ItemsTest {
    /// The list.
    pub list: Arc<ItemList>,
    /// The test and the folder in which it runs.
    pub folder: TestFolder,
    /// Where the chosen items are, relative to this folder.
    pub place: PathBuf,
    /// What is known of the items: parts of the list that cannot be tested.
    pub known: Knowledge,
}

impl ItemsTest {
    /// Writes the chosen items to the folder of a test, and returns the command that tests them there.
    ///
    /// # Errors
    /// The path of the file that could not be written, and the reason.
    pub(crate) fn write(
        &self,
        chosen: &Configuration,
        folder: &Path,
    ) -> Result<Command, (PathBuf, io::Error)> {
        let path = folder.join(&self.place);
        let write = || {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            self.list.write(chosen, &path)
        };
        write().map_err(|error| (path.clone(), error))?;
        let mut command = self.folder.command(folder, std::slice::from_ref(&self.place));
        // Only whole words, as `{}` inside a script can be anything.
        for word in command.arguments.iter_mut().filter(|word| *word == "{}") {
            path.as_os_str().clone_into(word);
        }
        Ok(command.variable("HOWCOME_ITEMS", path))
    }
}

impl Subject for ItemsTest {
    fn deltas(&self) -> u32 {
        self.list.len() as u32
    }

    fn describe(&self, delta: DeltaId) -> String {
        String::from_utf8_lossy(self.list.item(delta)).into_owned()
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        // Without duplicates, different parts of the list are different lists.
        let lines = || configuration.iter().flat_map(|delta| [self.list.line(delta), b"\n".as_slice()]);
        self.list.has_duplicates().then(|| Content::of(lines()))
    }

    fn rejects(&self, configuration: &Configuration) -> Option<Rejection> {
        let why = match self.known.violated(configuration)? {
            Relation::Needs(item, needed) => {
                format!("{} needs {}", self.describe(item), self.describe(needed))
            }
            Relation::Excludes(item, other) => {
                format!("{} excludes {}", self.describe(item), self.describe(other))
            }
        };
        Some(Rejection { why, hints: Hints::default() })
    }
}

impl Prepare for ItemsTest {
    fn prepare(
        &self,
        configuration: &Configuration,
        folder: &mut WorkFolder<'_>,
    ) -> Result<Command, Because> {
        self.folder.make(folder)?;
        self.write(configuration, folder.path())
            .map_err(|(path, error)| could_not_be_written(&path.display().to_string(), &error))
    }

    fn reuses(&self) -> bool {
        self.folder.is_copy()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_lists_with_duplicates_compare_contents() {
        let content = |text: &str, chosen: &str| {
            let list = Arc::new(ItemList::parse(text.as_bytes().to_vec()));
            ItemsTest {
                list,
                folder: TestFolder::default(),
                place: ITEMS_FILE.into(),
                known: Knowledge::none(),
            }
            .content(&chosen.parse().unwrap())
        };
        assert_eq!(content("a\nb\n", "1"), None);
        assert_eq!(content("a\nb\na\n", "1"), content("a\nb\na\n", "3"));
        assert_ne!(content("a\nb\na\n", "1"), content("a\nb\na\n", "2"));
        assert_eq!(content("a\r\na\n", "1"), None, "a line end is a difference, too");
        assert_ne!(content("ab\nc\na\na\nbc", "1,2"), content("ab\nc\na\na\nbc", "3,5"));
    }
}
