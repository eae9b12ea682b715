//! The settings that all workers share.

use crate::Confinement;
use crate::set_aside::SetAside;
use crate::warden::{Warden, Wardens};
use howcome_run::Because;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The settings that all workers share.
pub(crate) struct WorkerSetting {
    pub(crate) log: Option<PathBuf>,
    pub(crate) wardens: Wardens,
    pub(crate) confinement: Confinement,
    pub(crate) set_aside: SetAside,
}

impl WorkerSetting {
    /// The command that starts a warden.
    pub(crate) fn warden(&self) -> &[OsString] {
        self.wardens.program()
    }

    pub(crate) fn start_warden(&self, folder: &Path) -> Result<Warden, Because> {
        let started = self.wardens.start(self.confinement, folder);
        started.map_err(|error| Because::Broken(error.to_string()))
    }
}
