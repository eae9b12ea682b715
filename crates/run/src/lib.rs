//! Drives searches: brings what they ask together with an [`Executor`] that runs experiments.

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod driver;
mod entry;
mod executor;
mod journal;
mod look_ahead;
mod memory;
mod observation;
mod odds;
mod run_dir;
mod scripted;
mod subject;

pub use driver::{Budget, Driver, Stage, StageEnd, Stop};
pub use entry::{Conclusion, Ending, Entry, How, JOURNAL_VERSION, Minimal, Purpose, Verified};
pub use executor::{Event, Executor, Order, TestId};
pub use journal::{Journal, JournalError, Recorded, Unwatched, Waiting, Watcher, read_journal};
pub use observation::{Because, Observation, Tally, signal_name, signal_number};
pub use run_dir::{RUN_VERSION, RunDir, RunDirError, RunFile, is_locked, journal_path, read_run_file};
pub use scripted::Scripted;
pub use subject::{Content, Subject};
