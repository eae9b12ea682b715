//! Runs tests on this machine, and judges them.
//!
//! **What you provide:** a subject that can [`Prepare`] candidates, an [`Oracle`] that judges what was seen of them (the
//! command line's is [`Judge`], which follows from a [`Baseline`]), a place for workspaces, and a program that calls
//! [`warden::serve`] when it is started as a warden.
//! **What you get:** [`Local`], a `howcome_run::Executor`. Each test runs in an empty workspace and a process tree of
//! its own, without a terminal and without standard input. When it has ended, or was cancelled, or howcome was killed,
//! nothing of it is left: no process, however it tried to get away, and no file in the workspace.
//! **What it is not for:** hostile programs. A test may read and write whatever its user may.
//!
//! ```no_run
//! use howcome_lab::{Baseline, Lab, Local, LocalOptions, Prepare, Repeat, JudgingTerms};
//! use howcome_dd::Configuration;
//! use std::sync::Arc;
//!
//! # fn run(subject: Arc<dyn Prepare>, warden: Vec<std::ffi::OsString>) -> Result<(), Box<dyn std::error::Error>> {
//! let mut local = Local::new(LocalOptions::new(warden, "/tmp"))?;
//! let failing = local.look(&subject, &Configuration::all(subject.deltas()))?;
//! let passing = local.look(&subject, &Configuration::empty())?;
//! let baseline = Baseline::of(&JudgingTerms::default(), &failing, Some(&passing))?;
//! local.set_experiment(subject, Arc::new(baseline.judge), Repeat::Times(1));
//! # Ok(())
//! # }
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `warden/` | the process that starts tests and ends what they leave behind |
//! | `workspace` | empty folders |
//! | `forks` | what is written while a process is started |
//! | `inquiry/` | what every question does: session, baseline, search, verification, ending |
//! | `lab` | what an executor must offer beside running tests |
//! | `local`, `options`, `queue`, `worker`, `worker_setting` | the executor: threads, each with a warden and a workspace |
//! | `condition`, `signature`, `message`, `judge` | what counts as the failure |
//! | `same`, `likeness`, `printed` | what a run must have in common with the failure beside its ending |
//! | `closer_look/`, `backtrace` | what takes another run under a tool to see, and what tests print of it themselves |
//! | `baseline`, `refusal` | what follows from the two sides, or why nothing does |
//! | `belief`, `noise`, `decision` | how often a test is repeated before it is believed |

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod backtrace;
mod baseline;
mod belief;
mod captured;
mod closer_look;
mod command;
mod condition;
mod decision;
mod execution;
mod experiment;
mod forks;
pub mod inquiry;
mod judge;
mod lab;
mod likeness;
mod local;
mod log;
mod message;
mod noise;
mod options;
mod printed;
mod queue;
mod refusal;
mod same;
mod signature;
pub mod warden;
mod work_folder;
mod worker;
mod worker_setting;
mod workspace;

pub use baseline::{Baseline, ExitCodeMeaning, JudgingTerms};
pub use belief::Repeat;
pub use captured::{CaptureLimits, Captured};
pub use command::Command;
pub use condition::{Condition, NotACondition};
pub use decision::Decision;
pub use execution::{Execution, SKIP, TestEnding};
pub use experiment::{Oracle, Prepare, Verdict};
pub use forks::{starting_a_process, writing_a_program};
pub use judge::{Judge, SidePattern};
pub use lab::{Lab, LookError, NoiseUnknown, learn_noise};
pub use local::{Interrupter, Local};
pub use log::write_log;
pub use message::{essence, without_quoted};
pub use noise::{IndistinctSides, Noise};
pub use options::{Limits, LocalError, LocalOptions, PATIENCE};
pub use refusal::{BaselineSide, Refusal};
pub use same::{NotComparable, SameAspect};
pub use signature::Signature;
pub use warden::Confinement;
pub use work_folder::WorkFolder;
pub use workspace::remove;
