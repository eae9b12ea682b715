//! Runs tests on this machine, judges them, and has the steps that all questions share.
//!
//! **What you provide:** a subject that can [`Prepare`] candidates, an [`Oracle`] that judges their executions (usually the
//! [`Judge`] of a [`Baseline`]), a folder for workspaces, and a program that calls [`warden::serve`] when it is started as a
//! warden.
//! **What you get:** [`Local`], a [`Lab`]: an executor that can also show single executions. Each test runs in an empty
//! workspace and its own process tree, without a terminal and without standard input. When a test has ended, was cancelled,
//! or howcome was killed, nothing of the test is left: no process, however it tried to get away, and no file in the
//! workspace. [`inquiry`] has the steps from the baseline to the conclusion for any lab.
//! **What it is not for:** hostile programs. A test can read and write everything that its user can.
//!
//! ```standalone_crate
//! use howcome_dd::{Configuration, DeltaId, Outcome};
//! use howcome_lab::{Baseline, Command, JudgingTerms, Lab, Local, LocalOptions, Prepare, Repeat, WorkFolder, warden};
//! use howcome_run::{Because, Content, Event, Executor, Subject, TestId, TestOrder};
//! use std::process::ExitCode;
//! use std::sync::Arc;
//!
//! /// Four words, of which a test gets some as its arguments.
//! struct Words;
//!
//! impl Subject for Words {
//!     fn deltas(&self) -> u32 { 4 }
//!     fn describe(&self, delta: DeltaId) -> String { ["a", "b", "bad", "d"][delta.index()].to_owned() }
//!     fn content(&self, _: &Configuration) -> Option<Content> { None }
//! }
//!
//! impl Prepare for Words {
//!     fn prepare(&self, configuration: &Configuration, folder: &mut WorkFolder<'_>) -> Result<Command, Because> {
//!         let test = Command::new("sh", folder.path()).arguments(["-c", "for word; do [ $word != bad ] || exit 1; done", "sh"]);
//!         Ok(test.arguments(configuration.iter().map(|delta| self.describe(delta))))
//!     }
//! }
//!
//! fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
//!     if std::env::args().nth(1).as_deref() == Some("warden") {
//!         return Ok(warden::serve());
//!     }
//!     let warden = vec![std::env::current_exe()?.into(), "warden".into()];
//!     let mut lab = Local::new(LocalOptions::new(warden, std::env::temp_dir()))?;
//!     let subject: Arc<dyn Prepare> = Arc::new(Words);
//!     let failing = lab.look(&subject, &Configuration::all(4))?;
//!     let passing = lab.look(&subject, &Configuration::empty())?;
//!     let baseline = Baseline::of(&JudgingTerms::default(), &failing, Some(&passing))?;
//!     lab.set_experiment(subject, Arc::new(baseline.judge), Repeat::Times(1));
//!     let (id, configuration) = (TestId(0), "2-3".parse()?);
//!     lab.start(TestOrder { id, configuration, alone: true, from_scratch: true, repeat: None, ahead: false, experiment: None });
//!     let Event::Finished(_, observation) = lab.wait(None) else { panic!("interrupted") };
//!     assert_eq!(observation.outcome, Outcome::Fail);
//!     Ok(ExitCode::SUCCESS)
//! }
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `inquiry/` | the steps that all questions share: session, baseline, search, verification, conclusion |
//! | `lab` | the trait of a place where tests run |
//! | `experiment`, `command`, `work_folder` | how a subject prepares a candidate and an oracle judges it |
//! | `local`, `options`, `limits` | the lab on this machine, its options, and the limits of tests |
//! | `command_runner` | commands of the user that are not tests |
//! | `run_terms` | how a candidate is run, and why it has no execution |
//! | `launcher/`, `launching` | a command in front of each test that brings it to another machine; how a worker uses it |
//! | `queue`, `interest`, `worker`, `candidate_runner`, `worker_setting`, `set_aside` | its jobs, who waits for their results, and its threads, which have candidates judged until they can be believed; each runs them in a workspace with a warden; workspaces that were set aside |
//! | `site`, `run_at_site` | a place other than this machine where the prepared candidates run; its results as executions |
//! | `not_started`, `first_line` | why a program, or a script that exists, cannot be started |
//! | `workspace`, `placement`, `forks` | empty folders; where the file system puts them; programs are never written while a process is started |
//! | `folder_copy`, `file_stamp` | a copy of the user's folder, for tests that need its files; what shows that a file is as it was written |
//! | `file_limit` | the limit on the size of files |
//! | `warden/`, `bin/howcome-warden` | the process that starts tests and ends what they leave behind; a program that is only that |
//! | `execution`, `captured`, `log` | what a test did and printed, before it is judged; its log file |
//! | `judge`, `condition`, `signature`, `message` | what counts as the failure |
//! | `errors/` | errors that programs, interpreters and compilers print |
//! | `targets` | the test that fails on one side and passes on the other |
//! | `runners/` | test runners: which tests ran, which failed, and with which error |
//! | `same`, `likeness`, `printed` | what a run must share with the failure in addition to its ending |
//! | `closer_look/`, `backtrace` | an additional run under gdb or valgrind; backtraces that tests print themselves |
//! | `baseline`, `refusal` | what follows from the two sides, or why nothing does |
//! | `details` | what a run prints, with its values, but without what differs from run to run |
//! | `memory_kills` | whether the kernel killed processes because there was no memory left |
//! | `left_out` | folders and commands that a test needs and does not find |
//! | `belief`, `noise`, `decision` | how often a test is repeated before its outcome is believed |
//! | `rate`, `one_side` | the failure rates that are possible after some runs; a flaky test of which only the failing side was measured |

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod backtrace;
mod baseline;
mod belief;
mod candidate_runner;
mod captured;
mod closer_look;
mod command;
mod command_runner;
mod condition;
mod decision;
mod details;
mod errors;
mod execution;
mod experiment;
mod file_limit;
mod file_stamp;
mod first_line;
mod folder_copy;
mod forks;
pub mod inquiry;
mod interest;
mod judge;
mod lab;
mod launcher;
mod launching;
mod left_out;
mod likeness;
mod limits;
mod local;
mod log;
mod memory_kills;
mod message;
mod noise;
mod not_started;
mod one_side;
mod options;
mod placement;
mod printed;
mod queue;
mod rate;
mod refusal;
mod run_at_site;
mod run_terms;
pub mod runners;
mod same;
mod set_aside;
mod signature;
mod site;
mod targets;
pub mod warden;
mod work_folder;
mod worker;
mod worker_setting;
mod workspace;

pub use baseline::{Baseline, ExitCodeMeaning, JudgingTerms};
pub use belief::Repeat;
pub use captured::{CaptureLimits, Captured};
pub use command::Command;
pub use command_runner::CommandRunner;
pub use condition::{Condition, NotACondition};
pub use decision::Decision;
pub use errors::essence;
pub use execution::{Execution, SKIP, TestEnding};
pub use experiment::{Oracle, Prepare, Verdict};
pub use file_limit::fail_at_file_limit;
pub use file_stamp::FileStamp;
pub use folder_copy::{CopyStamps, FolderCopy};
pub use forks::{starting_a_process, writing_a_program};
pub use judge::{Judge, SidePattern};
pub use lab::{Lab, Look, LookError, NoiseUnknown, learn_noise};
pub use launcher::Launcher;
pub use left_out::{LeftOutFolders, NeededFolder, command_not_found, package_not_found};
pub use limits::{Limits, PATIENCE};
pub use local::{Interrupter, Local};
pub use log::write_log;
pub use message::without_quoted;
pub use noise::{FailsTooSeldom, IndistinctSides, Noise};
pub use options::{LocalError, LocalOptions};
pub use refusal::{BaselineSide, Refusal, SideWords};
pub use same::{NotComparable, SameAspect};
pub use signature::Signature;
pub use site::{SiteCandidate, SiteError, SiteRun, SiteTerms, SiteWorker, StepRun, TestSite};
pub use warden::Confinement;
pub use work_folder::{Left, WorkFolder};
pub use workspace::remove;
