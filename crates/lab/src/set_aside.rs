//! Workspaces that were set aside for a look. When nobody needs them any more, workers without files of their own take them over.

use crate::work_folder::Leftover;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The workspaces of single executions that were looked at.
#[derive(Default)]
pub(crate) struct SetAside(Mutex<Workspaces>);

#[derive(Default)]
struct Workspaces {
    needed: Vec<AsideWorkspace>,
    free: Vec<AsideWorkspace>,
}

/// A folder and what is in it.
pub(crate) struct AsideWorkspace {
    pub(crate) place: PathBuf,
    pub(crate) left: Leftover,
}

impl SetAside {
    pub(crate) fn put(&self, workspace: AsideWorkspace) {
        self.workspaces().needed.push(workspace);
    }

    /// From now on, nobody needs the workspaces that were set aside before.
    pub(crate) fn release(&self) {
        let Workspaces { needed, free } = &mut *self.workspaces();
        free.append(needed);
    }

    /// A workspace that nobody needs.
    pub(crate) fn take(&self) -> Option<AsideWorkspace> {
        self.workspaces().free.pop()
    }

    fn workspaces(&self) -> MutexGuard<'_, Workspaces> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
