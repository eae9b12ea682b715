//! The walls of this machine.

use std::path::{Path, PathBuf};

/// The walls of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walls {
    pub(crate) bubblewrap: Option<PathBuf>,
    pub(crate) landlock: bool,
    pub(crate) user_namespaces: bool,
    pub(crate) missing: Vec<String>,
    pub(crate) stands: bool,
}

impl Walls {
    /// Whether there are enough walls to run what others send: files and network are guarded.
    #[must_use]
    pub fn stand(&self) -> bool {
        self.stands && (self.bubblewrap.is_some() || self.landlock)
    }

    /// What is missing, for the operator.
    #[must_use]
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    pub(crate) fn bubblewrap(&self) -> Option<&Path> {
        self.bubblewrap.as_deref()
    }

    /// Whether programs run in namespaces of their own, with other names for folders.
    #[must_use]
    pub fn has_namespaces(&self) -> bool {
        self.bubblewrap.is_some()
    }

    pub(crate) fn has_landlock(&self) -> bool {
        self.landlock
    }

    pub(crate) fn has_user_namespaces(&self) -> bool {
        self.user_namespaces
    }
}
