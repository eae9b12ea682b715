//! Drives searches: brings what they ask together with an [`Executor`] that runs experiments.

mod entry;
mod executor;
mod observation;
mod run_dir;
mod subject;

pub use entry::{Conclusion, Ending, Entry, How, JOURNAL_VERSION, Minimal, Purpose, Verified};
pub use executor::{Event, Executor, Order, TestId};
pub use observation::{Because, Observation, Tally, signal_name, signal_number};
pub use run_dir::{RUN_VERSION, RunDir, RunDirError, RunFile, is_locked, journal_path, read_run_file};
pub use subject::{Content, Subject};
