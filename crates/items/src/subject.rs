//! Parts of a list, each with a test that gets it.

use crate::list::ItemList;
use howcome_dd::{Configuration, DeltaId};
use howcome_lab::{Command, Prepare, WorkFolder};
use howcome_run::{Because, Content, Subject};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The file in which a test finds its items.
pub const ITEMS_FILE: &str = "items.txt";

/// A list, and the test that gets a part of it.
#[derive(Clone, Debug)]
pub struct ItemsTest {
    /// The list.
    pub list: Arc<ItemList>,
    /// The program of the test.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder in which the user asked.
    pub directory: PathBuf,
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
}

impl Prepare for ItemsTest {
    fn prepare(
        &self,
        configuration: &Configuration,
        folder: &mut WorkFolder<'_>,
    ) -> Result<Command, Because> {
        let workspace = folder.path();
        let path = workspace.join(ITEMS_FILE);
        self.list.write(configuration, &path).map_err(|error| match error.kind() {
            io::ErrorKind::StorageFull => {
                Because::DiskFull(format!("the items could not be written to {}", path.display()))
            }
            _ => Because::Broken(format!("{}: {error}", path.display())),
        })?;
        Ok(Command::new(&self.program, workspace)
            .arguments(self.arguments.iter().cloned())
            .variable("HOWCOME_ITEMS", path)
            .variable("HOWCOME_DIR", &self.directory)
            .varies(ITEMS_FILE))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_lists_with_duplicates_compare_contents() {
        let content = |text: &str, chosen: &str| {
            let (program, arguments, directory) = (PathBuf::new(), Vec::new(), PathBuf::new());
            let list = Arc::new(ItemList::parse(text.as_bytes().to_vec()));
            ItemsTest { list, program, arguments, directory }.content(&chosen.parse().unwrap())
        };
        assert_eq!(content("a\nb\n", "1"), None);
        assert_eq!(content("a\nb\na\n", "1"), content("a\nb\na\n", "3"));
        assert_ne!(content("a\nb\na\n", "1"), content("a\nb\na\n", "2"));
        assert_eq!(content("a\r\na\n", "1"), None, "a line end is a difference, too");
        assert_ne!(content("ab\nc\na\na\nbc", "1,2"), content("ab\nc\na\na\nbc", "3,5"));
    }
}
