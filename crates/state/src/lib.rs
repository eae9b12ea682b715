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
pub mod question;
pub mod tracee;

mod address;
mod common_calls;
mod compared_place;
mod compared_states;
mod copy_executor;
mod deciders;
mod examination;
mod examiner;
mod place_name;
mod run_judge;
mod run_pair;
mod run_result;
mod run_settings;
mod snapshot;
mod state_cause;
mod stop_point;
mod stopped_run;
mod timeline;
mod trace;
mod transfer_direction;
mod variable_search;

pub use address::Address;
pub use common_calls::CommonCalls;
pub use compared_place::ComparedPlace;
pub use compared_states::ComparedStates;
pub use copy_executor::{CopyExecutor, StateSubject, StopFlag};
pub use examination::{Examination, Examined, NoCause, UnalteredResults};
pub use examiner::Examiner;
pub use place_name::{InvalidPlaceName, PlaceName, PlaceNotFound};
pub use run_judge::{FailureTerms, RunJudge, UserTest};
pub use run_pair::{OriginalRun, RunPair, RunsNotComparable, TraceOptions};
pub use run_result::{RunResult, difference, ending, folded};
pub use run_settings::RunSettings;
pub use snapshot::{ReadMemory, Region, RegionKind, Snapshot};
pub use state_cause::StateCause;
pub use stop_point::StopPoint;
pub use stopped_run::StoppedRun;
pub use timeline::{CauseTransition, Timeline};
pub use trace::{CommonMoment, Moment, Stretch, Trace, align, is_own, trace};
pub use transfer_direction::TransferDirection;
