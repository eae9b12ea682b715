//! Programs that are written and processes that are started, one after the other.
//!
//! A new process has the open files of this one until its own program is there. Had it one that is being written just now, nobody could
//! start that as a program ("Text file busy"), although whoever wrote it has closed it.

use std::sync::{PoisonError, RwLock};

static WRITERS: RwLock<()> = RwLock::new(());

/// Writes a file that is a program, or a few, while no process is started.
pub fn writing_a_program<T>(write: impl FnOnce() -> T) -> T {
    let _others_may_write = WRITERS.read().unwrap_or_else(PoisonError::into_inner);
    write()
}

/// Starts a process while no program is being written.
pub fn starting_a_process<T>(start: impl FnOnce() -> T) -> T {
    let _alone = WRITERS.write().unwrap_or_else(PoisonError::into_inner);
    start()
}
