//! What is decided inside, as one word of the command.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How much a program may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellLimits {
    /// Seconds of processor time of each process.
    pub cpu: Option<u64>,
    /// Bytes of address space of each process.
    pub memory: Option<u64>,
    /// Processes of the user.
    pub processes: Option<u64>,
    /// Bytes of the largest file.
    pub file: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CellRules {
    /// The user and group to become, if the service runs as root.
    pub(crate) user: Option<u32>,
    /// Whether a user namespace is still to be made.
    pub(crate) unshare_user: bool,
    /// The folder in which the program starts, if bubblewrap does not see to that.
    pub(crate) folder: Option<PathBuf>,
    /// Whether other walls keep the network away.
    pub(crate) has_own_network: bool,
    /// What can be written to.
    pub(crate) writable: Vec<PathBuf>,
    /// What can be read; everything if it is empty.
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) landlock: bool,
    pub(crate) limits: CellLimits,
}
