//! The folder of a test, as its subject sees it: empty, or with the files of an earlier test.

use crate::workspace::Workspace;
use std::any::Any;
use std::io;
use std::path::Path;

/// A subject's description of the files that a test leaves, for the next test in the same folder.
pub(crate) type Leftover = Box<dyn Any + Send>;

/// The folder in which a candidate is prepared.
pub struct WorkFolder<'a> {
    workspace: &'a mut Workspace,
    left: Option<Leftover>,
    keeps: Option<Leftover>,
}

impl<'a> WorkFolder<'a> {
    pub(crate) fn new(workspace: &'a mut Workspace, left: Option<Leftover>) -> Self {
        Self { workspace, left, keeps: None }
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.workspace.path()
    }

    /// The description that the previous test passed to [`WorkFolder::keep`]; `None` if the folder is empty.
    ///
    /// If the description has another type, the folder is emptied.
    ///
    /// # Errors
    /// If the folder cannot be emptied.
    pub fn take_left<T: Any + Send>(&mut self) -> io::Result<Option<T>> {
        match self.left.take().map(|left| left.downcast::<T>()) {
            Some(Ok(left)) => Ok(Some(*left)),
            None => Ok(None),
            Some(Err(_)) => self.empty().map(|()| None),
        }
    }

    /// Removes everything in it.
    ///
    /// # Errors
    /// If something in it cannot be removed.
    pub fn empty(&mut self) -> io::Result<()> {
        self.workspace.renew()
    }

    /// Keeps the folder for the next test if this test ends normally. The next test gets this description. The files of
    /// a test that is cancelled, killed or interrupted are never kept.
    pub fn keep<T: Any + Send>(&mut self, what_is_there: T) {
        self.keeps = Some(Box::new(what_is_there));
    }

    pub(crate) fn into_kept(self) -> Option<Leftover> {
        self.keeps
    }
}
