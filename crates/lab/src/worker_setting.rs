//! The settings that all workers share.

use crate::launcher::Launcher;
use crate::set_aside::SetAside;
use crate::warden::{Warden, Wardens, WorkerFolder};
use crate::{Confinement, TestSite};
use howcome_run::Because;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The settings that all workers share.
pub(crate) struct WorkerSetting {
    pub(crate) log: Option<PathBuf>,
    pub(crate) wardens: Wardens,
    pub(crate) confinement: Confinement,
    pub(crate) set_aside: SetAside,
    pub(crate) site: Option<Arc<dyn TestSite>>,
    pub(crate) launcher: Option<Launcher>,
}

impl WorkerSetting {
    /// The command that starts a warden.
    pub(crate) fn warden(&self) -> &[OsString] {
        self.wardens.program()
    }

    pub(crate) fn start_warden(&self, folder: &Path) -> Result<Warden, Because> {
        let folder = WorkerFolder { path: folder.to_owned(), is_first: false };
        let start = || self.wardens.start(self.confinement, &folder);
        // A warden that was killed before it was ready is replaced.
        let started = start().or_else(|_| start()).or_else(|_| start());
        started.map_err(|error| Because::Broken(error.to_string()))
    }
}
