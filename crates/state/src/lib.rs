//! How did a program come to fail? Two runs of one native program, one that passes and one that fails, are stopped at
//! comparable places. Their memory is read as two graphs, and the differences between the graphs are the deltas of a search:
//! values of the failing run are written into copies of the passing run, to see which of them make it fail.
//!
//! **What you provide:** a program for x86-64 Linux with debug information, and two runs of it as a
//! [`StateRequest`](question::StateRequest).
//! **What you get:** the cause-effect chain: for each place the variables that decide, each confirmed by experiment, and the
//! moments at which one variable takes over from another.
//! **What it is not for:** programs with threads, sockets or other processes. They are refused, with the reason. Nothing
//! here prints, reads the command line, or reads an environment variable (but for `PATH`, to find the program).
//!
//! ```
//! use howcome_lab::inquiry::{Response, Session, NoListener};
//! use howcome_run::{Algorithm, Finding, QuestionName, RunFile};
//! use howcome_state::StopFlag;
//! use howcome_state::question::{Asking, RunHost, StateRequest, ask, run_both};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # if !howcome_testing::need_program("gcc") {
//! #     return Ok(());
//! # }
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! # let source = "#include <stdio.h>
//! #     #include <stdlib.h>
//! #     static void print(int price) { printf(\"%d\\n\", price); }
//! #     int main(int argc, char **argv) { int size = atoi(argv[argc - 1]); print(size * 2); return 0; }";
//! # std::fs::write(folder.join("price.c"), source)?;
//! # std::process::Command::new("gcc").args(["-g", "-o", "price", "price.c"]).current_dir(folder).status()?;
//! // price.c: static void print(int price) { printf("%d\n", price); }
//! let mut request = StateRequest::new("./price 3", "./price 4", folder);
//! request.at = vec!["print".to_owned()];
//! let temp_folder = std::env::temp_dir();
//! // A test of your own would run under a warden: a program that calls `howcome_lab::warden::serve`.
//! let tests = howcome_lab::LocalOptions::new(Vec::new(), &temp_folder);
//! let host = RunHost { environment: Vec::new(), temp_folder, tests };
//! let runs = run_both(&request, &host)?;
//!
//! let file = RunFile::new(QuestionName::State, Algorithm::Isolate.into(), 1, &request)?;
//! let mut session = Session::unrecorded(file, Box::new(NoListener));
//! let asking = Asking { host: &host, workers: 1, stop: StopFlag::default(), dry_run: false, draw: None };
//! let Ok(Response::Concluded(concluded)) = ask(&mut session, &request, &runs, asking) else { panic!() };
//!
//! let finding = concluded.conclusion.expect("something was found").finding;
//! let Some(Finding::Chain(chain)) = finding.read(QuestionName::State) else { panic!() };
//! let cause = &chain.steps[0].causes[0];
//! assert_eq!((cause.name.as_str(), cause.failing.as_deref()), ("price", Some("6")));
//! assert_eq!((cause.alone_fails, cause.without_passes), (Some(true), Some(true)));
//! # Ok(())
//! # }
//! ```
//!
//! The parts, from the bottom up. None of the first five knows of searches; `graph` and `matching` never touch a process, so
//! their tests make up memory and debug information.
//!
//! | folder or file | idea |
//! |---|---|
//! | [`debug`] | types, variables, functions and lines from DWARF; frames from call frame information |
//! | `address`, `snapshot` | an address of a process; its writable memory, read at once |
//! | [`graph`] | the memory of a stopped process as typed vertices and labelled edges |
//! | [`matching`] | which vertex of one graph is which of the other; what differs, as deltas; what to write for them |
//! | [`tracee`] | a process under ptrace: breakpoints, injected calls, copies by forking; nothing leaves it |
//! | `run_settings`, `run_pair`, `run_result` | what all runs have in common; the two runs as they are; what a run does to its end |
//! | `run_judge`, `user_test` | whether an altered run passes or fails, and the user's own test |
//! | `trace`, `stop_point` | the moments of a run, and which moments of two runs are the same; how to stop at one |
//! | `common_calls`, `compared_place`, `place_name` | the calls of both runs; a place at which they are compared; how the user names it |
//! | `stopped_run`, `copy_executor` | a thread with a stopped run, whose altered copies are the tests; one for each worker, as an executor |
//! | `transfer_direction`, `peeling` | which of the two runs is altered; which differences spoil that and are left out |
//! | `variable_search`, `examiner` | the search at a place; the place with its baseline and its confirmations |
//! | `isolation_limits`, `unread_memory` | how long a search goes on without progress; what of the memory could not be read |
//! | `examination`, `state_cause`, `compared_states` | what was found at a place; a variable that decides; both states without a search |
//! | `deciders`, `timeline` | whether the same variables still decide; the moments at which others take over |
//! | `wrong_output` | when the failing run prints what is wrong |
//! | `program_line`, `control_flow` | a line; where the two runs execute different lines |
//! | `parting_branch`, `deciding_branch`, `branch_executor` | a branch at which they part; which of these decide; the executor that switches them |
//! | `spectrum` | the lines that further passing and failing runs execute |
//! | `input_variants`, `variant_runs` | the inputs of both runs with a few words changed; the lines that go with the failure in such runs |
//! | `source_text`, `statement_names` | the text of the source; what a statement reads and writes, by names |
//! | `backward_slice`, `failure_slice` | the lines on which a statement of the failing run depends; those on which the failure depends |
//! | `assignments`, `value_ranges` | the values that statements of a run assign; those that passing runs never have |
//! | [`question`] | all of it as one question: from a request to the answer |
//!
//! **Why forking.** The run up to a place is the same for every test, and often takes most of the time. So each worker runs
//! it once. A test is an injected `clone` of the stopped process, the alterations written into the copy, and the rest of the
//! run.
//!
//! **Threads.** ptrace belongs to a thread. A [`StoppedRun`] is a thread of its own with a channel to it, and its
//! [`Tracee`](tracee::Tracee) never leaves it.
//!
//! **Unsafe code** is in five files, in functions of a few lines: `debug/bytes` (files mapped into memory, and slices that
//! live as long as they do), `tracee/invocation` (between fork and exec), `tracee/filter` (the system call filter is
//! installed), `tracee/process` (signals whose numbers have no name are awaited and passed on), `tracee/watchdog` (a process
//! is ended by a descriptor, so that no other process with its number is hit). Everything else goes through `nix`.

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod debug;
pub mod graph;
pub mod matching;
pub mod question;
pub mod tracee;

mod address;
mod assignments;
mod backward_slice;
mod branch_executor;
mod common_calls;
mod compared_place;
mod compared_states;
mod control_flow;
mod copy_executor;
mod deciders;
mod deciding_branch;
mod examination;
mod examiner;
mod failure_slice;
mod input_variants;
mod isolation_limits;
mod parting_branch;
mod peeling;
mod place_name;
mod program_line;
mod run_judge;
mod run_pair;
mod run_result;
mod run_settings;
mod snapshot;
mod source_text;
mod spectrum;
mod state_cause;
mod statement_names;
mod stop_point;
mod stopped_run;
mod timeline;
mod trace;
mod transfer_direction;
mod unread_memory;
mod user_test;
mod value_ranges;
mod variable_search;
mod variant_runs;
mod wrong_output;

pub use address::Address;
pub use common_calls::CommonCalls;
pub use compared_place::ComparedPlace;
pub use compared_states::ComparedStates;
pub use control_flow::ControlFlow;
pub use copy_executor::{CopyExecutor, StateSubject, StopFlag};
pub use examination::{Examination, Examined, NoCause, UnalteredResults};
pub use examiner::Examiner;
pub use isolation_limits::IsolationLimits;
pub use peeling::PeelingRecord;
pub use place_name::{InvalidPlaceName, PlaceName, PlaceNotFound};
pub use program_line::ProgramLine;
pub use run_judge::{FailureTerms, RunJudge};
pub use run_pair::{OriginalRun, RunPair, RunsNotComparable, TraceOptions};
pub use run_result::{RunResult, describe_difference, describe_end, is_same_place};
pub use run_settings::{RunGoal, RunSettings};
pub use snapshot::{ReadMemory, Region, RegionKind, Snapshot};
pub use spectrum::{Spectrum, SuspiciousLine};
pub use state_cause::StateCause;
pub use stop_point::StopPoint;
pub use stopped_run::StoppedRun;
pub use timeline::{CauseTransition, NearestMoment, Timeline};
pub use trace::{CommonMoment, Moment, Stretch, Trace, align, is_own, trace};
pub use transfer_direction::{Transfer, TransferDirection};
pub use unread_memory::UnreadMemory;
pub use user_test::UserTest;
pub use variable_search::JointCauses;
