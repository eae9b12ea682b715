//! The cause-effect chain of a failing program, by experiment: two runs of one native program are stopped at comparable
//! places, their memory is read as two graphs, and the differences between them are the deltas of a search.
//!
//! What you provide: a program for x86-64 Linux with debug information, and two [`Invocation`]s of it, one that passes and
//! one that fails. What you get: for each place the variables whose values decide. What it is not for: programs with
//! threads, sockets or other processes; they are refused with the reason.
//!
//! The parts, from the bottom up:
//!
//! | module | does |
//! |---|---|
//! | [`debug`] | types, variables, functions and lines out of DWARF; frames out of call frame information |
//! | [`tracee`] | a traced process: breakpoints, injected calls, checkpoints by forking, nothing leaves it |
//! | [`graph`] | the memory of a stopped process as typed vertices and labelled edges |
//! | [`matching`] | which vertex of the one graph is which of the other; what differs, as deltas; what to write |

pub mod debug;
pub mod graph;
pub mod matching;
pub mod tracee;

mod address;
mod decide;
mod deciders;
mod direction;
mod events;
mod examine;
mod judge;
mod look;
mod place;
mod run_settings;
mod runs;
mod seen;
mod server;
mod snapshot;
mod stop_point;
mod stopped_run;
mod transitions;

pub use address::Address;
pub use direction::TransferDirection;
pub use events::{CommonMoment, Moment, Stretch, Trace, align, is_own, trace};
pub use examine::{Examination, Examined, Examiner, NoCause, StateCause, UnalteredResults};
pub use judge::{FailureTerms, RunJudge, UserTest};
pub use look::ComparedStates;
pub use place::{CommonCalls, ComparedPlace, InvalidPlaceName, PlaceName, PlaceNotFound};
pub use run_settings::RunSettings;
pub use runs::{OriginalRun, RunPair, RunsNotComparable, TraceOptions};
pub use seen::{RunResult, difference, ending, folded};
pub use server::{CopyExecutor, StateSubject, StopFlag};
pub use snapshot::{ReadMemory, Region, RegionKind, Snapshot};
pub use stop_point::StopPoint;
pub use stopped_run::StoppedRun;
pub use transitions::{CauseTransition, Timeline};
