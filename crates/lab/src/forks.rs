//! Keeps the writing of programs and the start of processes apart.
//!
//! A forked process inherits the open files of this process until it calls exec. If one of them is a program that is
//! being written, nobody can start that program ("Text file busy"), even after its writer has closed it.

use std::sync::{PoisonError, RwLock};

static WRITERS: RwLock<()> = RwLock::new(());

/// Writes one or more programs while no process is being started.
pub fn writing_a_program<T>(write: impl FnOnce() -> T) -> T {
    let _others_may_write = WRITERS.read().unwrap_or_else(PoisonError::into_inner);
    write()
}

/// Starts a process while no program is being written.
pub fn starting_a_process<T>(start: impl FnOnce() -> T) -> T {
    let _alone = WRITERS.write().unwrap_or_else(PoisonError::into_inner);
    start()
}
