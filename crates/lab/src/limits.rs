//! The limits of a test.

use crate::CaptureLimits;
use std::time::Duration;

/// The timeout of the baseline tests if the user gives no limit.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// The timeout of a build before anything is known about it.
pub(crate) const BUILD_PATIENCE: Duration = Duration::from_secs(4 * 60 * 60);

/// The limits of each test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The timeout of the test itself, without its build.
    pub timeout: Duration,
    /// The timeout of a build before the test.
    pub build_timeout: Duration,
    /// How many bytes of address space each of its processes can have (`RLIMIT_AS`). The limit holds for each process,
    /// not for all of them together. Programs that reserve much more than they use, such as those built with sanitizers
    /// or for a virtual machine, cannot run with it.
    pub memory: Option<u64>,
    /// How much of its output is kept.
    pub keep: CaptureLimits,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: PATIENCE,
            build_timeout: BUILD_PATIENCE,
            memory: None,
            keep: CaptureLimits::default(),
        }
    }
}
