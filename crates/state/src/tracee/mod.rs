//! A traced process: breakpoints, injected calls, checkpoints by forking. Nothing that it does is seen outside.
//!
//! A process belongs to the thread that started it: only that thread may use the values of this module.
//!
//! | file | idea |
//! |---|---|
//! | `invocation`, `output` | how a program is started; what it prints |
//! | `run`, `active_call` | from one place to the next, and to the end; the calls that are active there |
//! | `partial_run` | to the end of a call, or of a round of a loop |
//! | `process`, `mappings`, `near_memory` | registers, memory and signals of a process; what is mapped where; the top of the stack |
//! | `inject` | calls made inside a stopped process, and copies of it |
//! | `filter`, `calls` | which system calls stop the process, and what becomes of them |
//! | `overlay`, `folder`, `descriptors` | files that it writes are copies; where the copies are; what a copy of the process has open |
//! | `randomness`, `random_device`, `instructions`, `clock` | random numbers, time and process numbers that are the same in all runs |
//! | `watchdog` | ends processes that take too long |
//! | `error` | what can go wrong, and which programs cannot be traced |
//!
//! **Why an overlay.** Copies of a process share its open files with their positions, and a mix of two runs can do anything
//! to files. So a seccomp filter stops a run at the few calls that open or change files. A file that is written becomes a
//! copy, which belongs to that run and its copies; each copy of a process opens its own descriptors. The filter also
//! pretends, forbids, or (threads, processes, sockets) gives a reason to refuse. All other calls cost nothing.
//!
//! **Why no exit signal.** A copy of a process is made without one: a SIGCHLD would come in the middle of the next injected
//! call. Objects are allocated by an injected call of the program's own `malloc`, once for all tests, so that the program
//! can free them.

mod active_call;
mod calls;
mod clock;
mod descriptors;
mod error;
mod filter;
mod folder;
mod inject;
mod instructions;
mod invocation;
mod mappings;
mod near_memory;
mod output;
mod overlay;
mod partial_run;
mod process;
mod random_device;
mod randomness;
mod run;
mod watchdog;

pub use active_call::ActiveCall;
pub use error::{Descriptor, TraceError, Unsupported};
pub(crate) use folder::Folder;
pub use folder::remove_copies;
pub(crate) use instructions::RANDOM_FUNCTIONS;
pub use invocation::{Invocation, RunLimits};
pub use output::Output;
pub use process::TracedProcess;
pub use run::{Crash, RunEnd, TraceEvent, Tracee};
pub use watchdog::{WatchGuard, Watchdog};
