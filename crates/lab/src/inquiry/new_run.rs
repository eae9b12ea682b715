//! What a new run begins with.

use howcome_run::{RunFile, RunInputs};
use std::ffi::OsString;

/// What a new run begins with.
pub struct NewRun<'a> {
    pub(super) file: RunFile,
    pub(super) inputs: &'a dyn RunInputs,
    pub(super) warden: Option<&'a [OsString]>,
}

impl<'a> NewRun<'a> {
    /// With an input, of which the run keeps a copy.
    #[must_use]
    pub fn with_inputs(mut self, inputs: &'a dyn RunInputs) -> Self {
        self.inputs = inputs;
        self
    }

    /// With the command that starts a warden. If howcome is killed before the folder of the run is complete, the warden
    /// removes it.
    #[must_use]
    pub fn guarded_by(mut self, warden: &'a [OsString]) -> Self {
        self.warden = Some(warden);
        self
    }
}

impl From<RunFile> for NewRun<'_> {
    fn from(file: RunFile) -> Self {
        Self { file, inputs: &(), warden: None }
    }
}
