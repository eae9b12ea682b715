//! Who is interested in the result of a job.

use std::sync::atomic::AtomicBool;

/// Who is interested in the result of a job.
#[derive(Clone, Copy)]
pub(crate) struct Interest<'a> {
    /// Nobody any more.
    pub(crate) cancelled: &'a AtomicBool,
    /// Somebody waits for it. Until then it is a guess.
    pub(crate) is_awaited: &'a AtomicBool,
}
