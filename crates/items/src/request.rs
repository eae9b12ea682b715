//! What is asked, as `run.json` keeps it.

use crate::list::ItemList;
use crate::subject::{ITEMS_FILE, ItemsTest};
use howcome_dd::Knowledge;
use howcome_lab::FolderCopy;
use howcome_lab::inquiry::{FailureRequest, RelationsRequest, SearchChoice, TestCommand, TestFolder};
use howcome_run::{Problem, RunFile};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything that the answer depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ItemsRequest {
    /// The list, as the user named it.
    pub list: PathBuf,
    /// The test.
    pub test: TestCommand,
    /// How to search.
    pub algorithm: SearchChoice,
    /// Where the answer goes, beside the folder of the run.
    pub output: Option<PathBuf>,
    /// What counts as the failure.
    pub failure: FailureRequest,
    /// What the user knows of the items.
    #[serde(default)]
    pub relations: RelationsRequest,
}

impl ItemsRequest {
    /// What was asked in a run.
    ///
    /// # Errors
    /// If `run.json` does not say so.
    pub fn of(file: &RunFile) -> Result<Self, Problem> {
        file.request()
    }

    /// The test in a folder of its own.
    pub(crate) fn own_test(&self, list: Arc<ItemList>) -> ItemsTest {
        let folder = TestFolder::with_candidate_only(&self.test, |_| false);
        ItemsTest { list, folder, place: ITEMS_FILE.into(), known: Knowledge::none() }
    }

    /// The test in a copy of the user's folder. If nothing in that folder asks for the file with the chosen items, the test can only
    /// read the list itself, and the chosen items take its place.
    pub(crate) fn copied_test(&self, list: Arc<ItemList>, copy: &Arc<FolderCopy>) -> ItemsTest {
        let folder = TestFolder::with_copy(&self.test, Arc::clone(copy));
        let place = match self.list_in(copy) {
            Some(list) if !self.asks_for_items(copy) => list,
            _ => copy.place_of(Path::new(ITEMS_FILE)),
        };
        ItemsTest { list, folder, place, known: Knowledge::none() }
    }

    /// The copy of the user's folder in which tests can run. `None` if there is nothing to copy, or too much.
    pub(crate) fn folder_copy(&self, run: Option<&Path>) -> Option<Arc<FolderCopy>> {
        let directory = self.test.directory.canonicalize().ok()?;
        let mut left_out: Vec<PathBuf> = run.and_then(|run| run.canonicalize().ok()).into_iter().collect();
        let copy = Arc::new(FolderCopy::plan(&directory, &left_out)?);
        match self.list_in(&copy) {
            Some(list) if !self.asks_for_items(&copy) => {
                left_out.push(copy.root().join(list));
                FolderCopy::plan(&directory, &left_out).map(Arc::new)
            }
            _ => Some(copy),
        }
    }

    /// Where the list is in a copy of the user's folder.
    fn list_in(&self, copy: &FolderCopy) -> Option<PathBuf> {
        let list = self.test.directory.join(&self.list);
        let folder = list.parent()?.canonicalize().ok()?;
        let path = folder.join(list.file_name()?);
        path.is_file().then(|| path.strip_prefix(copy.root()).ok().map(Path::to_owned)).flatten()
    }

    fn asks_for_items(&self, copy: &FolderCopy) -> bool {
        const NAME: &str = "HOWCOME_ITEMS";
        self.test.arguments.iter().any(|word| word.to_string_lossy().contains(NAME)) || copy.mentions(NAME)
    }
}
