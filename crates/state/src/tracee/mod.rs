//! A traced process: breakpoints, injected calls, checkpoints by forking. Nothing that it does is seen outside.
//!
//! A process belongs to the thread that started it: only that thread may use the values of this module.

mod calls;
mod descriptors;
mod error;
mod filter;
mod folder;
mod inject;
mod invocation;
mod mappings;
mod near;
mod output;
mod overlay;
mod process;
mod run;
mod watchdog;

pub use error::{Descriptor, TraceError, Unsupported};
pub use folder::remove_copies;
pub use invocation::{Invocation, RunLimits};
pub use output::Output;
pub use process::TracedProcess;
pub use run::{Crash, RunEnd, TraceEvent, Tracee};
pub use watchdog::{WatchGuard, Watchdog};
