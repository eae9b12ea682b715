//! The folder of a test, as its subject sees it: empty, or with the files of an earlier test.

use crate::workspace::Workspace;
use std::any::Any;
use std::io;
use std::path::Path;

/// A subject's description of the files that a test leaves, for the next test in the same folder.
pub(crate) struct Leftover {
    what_is_there: Box<dyn Any + Send>,
    /// Whether the subject can undo whatever a test does in the folder.
    can_be_restored: bool,
    state: LeftState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeftState {
    Intact,
    Interrupted,
    ToBeRestored,
}

impl Leftover {
    /// The same files after a test that did not end normally. `None` if they are of no use then.
    pub(crate) fn into_interrupted(self) -> Option<Self> {
        let state = match self.state {
            LeftState::ToBeRestored => LeftState::ToBeRestored,
            LeftState::Intact | LeftState::Interrupted => LeftState::Interrupted,
        };
        self.can_be_restored.then_some(Self { state, ..self })
    }

    /// The same files if the next test needs a clean start. `None` if they are of no use then.
    pub(crate) fn into_restorable(self) -> Option<Self> {
        self.can_be_restored.then_some(Self { state: LeftState::ToBeRestored, ..self })
    }
}

/// The folder in which a candidate is prepared.
pub struct WorkFolder<'a> {
    workspace: &'a mut Workspace,
    left: Option<Leftover>,
    keeps: Option<Leftover>,
}

/// What an earlier test has left in the folder.
#[derive(Debug, PartialEq, Eq)]
pub enum Left<T> {
    /// This and whatever the test has added, such as the results of a build.
    Intact(T),
    /// The same, but the test was killed, so whatever it has added can be incomplete and must be removed.
    Interrupted(T),
    /// The next test needs a clean start: nothing of what earlier tests did may stay.
    ToBeRestored(T),
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
    /// If the description has another type, or no test may continue from the files, the folder is emptied.
    ///
    /// # Errors
    /// If the folder cannot be emptied.
    pub fn take_left<T: Any + Send>(&mut self) -> io::Result<Option<T>> {
        match self.take_remains()? {
            Some(Left::Intact(left)) => Ok(Some(left)),
            Some(Left::Interrupted(_) | Left::ToBeRestored(_)) => self.empty().map(|()| None),
            None => Ok(None),
        }
    }

    /// The same for a subject that can restore the folder, whatever a test has done in it.
    ///
    /// # Errors
    /// If the folder cannot be emptied.
    pub fn take_remains<T: Any + Send>(&mut self) -> io::Result<Option<Left<T>>> {
        let Some(left) = self.left.take() else { return Ok(None) };
        let state = left.state;
        let Ok(left) = left.what_is_there.downcast::<T>() else { return self.empty().map(|()| None) };
        Ok(Some(match state {
            LeftState::Intact => Left::Intact(*left),
            LeftState::Interrupted => Left::Interrupted(*left),
            LeftState::ToBeRestored => Left::ToBeRestored(*left),
        }))
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
        let what_is_there = Box::new(what_is_there);
        self.keeps = Some(Leftover { what_is_there, can_be_restored: false, state: LeftState::Intact });
    }

    /// Keeps the folder for the next test, however this test ends. The subject can remove whatever the test adds and undo whatever
    /// it changes, and [`WorkFolder::take_remains`] tells it when to do so.
    pub fn keep_to_restore<T: Any + Send>(&mut self, what_is_there: T) {
        let what_is_there = Box::new(what_is_there);
        self.keeps = Some(Leftover { what_is_there, can_be_restored: true, state: LeftState::Intact });
    }

    /// What the subject keeps, or what was there before if the subject has not touched it.
    pub(crate) fn into_kept(self) -> Option<Leftover> {
        self.keeps.or(self.left)
    }
}
