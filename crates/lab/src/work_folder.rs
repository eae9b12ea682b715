//! The folder of a test as its subject sees it: empty, or warm with what an earlier test has left.

use crate::workspace::Workspace;
use std::any::Any;
use std::io;
use std::path::Path;

/// What a subject says of the folder that a test leaves, for the next one that takes it over.
pub(crate) type Leftover = Box<dyn Any + Send>;

/// Where a candidate is made.
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

    /// What [`WorkFolder::keep`] was told of the test before; `None` where the folder is empty.
    ///
    /// Where it was told something of another type, the folder is emptied.
    ///
    /// # Errors
    /// Where the folder cannot be emptied.
    pub fn take_left<T: Any + Send>(&mut self) -> io::Result<Option<T>> {
        match self.left.take().map(|left| left.downcast::<T>()) {
            Some(Ok(left)) => Ok(Some(*left)),
            None => Ok(None),
            Some(Err(_)) => self.empty().map(|()| None),
        }
    }

    /// Removes all that is in it.
    ///
    /// # Errors
    /// Where something in it cannot be removed.
    pub fn empty(&mut self) -> io::Result<()> {
        self.workspace.renew()
    }

    /// Keeps the folder, if the test comes to a proper end, for the next one, which is told this. A test that is cancelled,
    /// killed or interrupted leaves nothing to anybody.
    pub fn keep<T: Any + Send>(&mut self, what_is_there: T) {
        self.keeps = Some(Box::new(what_is_there));
    }

    pub(crate) fn into_kept(self) -> Option<Leftover> {
        self.keeps
    }
}
