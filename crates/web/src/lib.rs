//! The web service: anyone in a team submits a failing program, input or pair of versions, and reads on a page how the failure came to be.
//!
//! **What you provide:** [`ServeSettings`], with the program of howcome itself.
//! **What you get:** a [`RunningService`]. Each job is a `howcome` process behind walls, with its own run folder; every page reads its
//! journal, as `howcome show` does. A service that is killed continues its jobs when it is started again.
//! **What it is not for:** searching. It starts howcome and reads what howcome writes.
//!
//! | file | idea |
//! |---|---|
//! | `settings`, `tokens`, `accounts_in_use`, `server` | how it is set up; accounts; whether there are any; start, connections, end |
//! | `service`, `refusal` | what can be done with jobs, and why something is not done |
//! | `queue`, `runner`, `supervised`, `usage` | which job is next; its commands; a process that is watched; how much it uses |
//! | `record`, `live`, `follow`, `pages` | the journal of a job; what readers see while it runs, and who reads it for them; the pages |
//! | `http/` | addresses and answers |
//! | `job/` | what a job is |
//! | `store/` | what is remembered |
//! | `client` | the other side: submit, follow, fetch |
//! | `rate`, `metrics`, `webhook`, `secret`, `clock` | how often a client may ask; numbers; telling others; texts that nobody can guess; the time |

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod accounts_in_use;
mod client;
mod clock;
mod follow;
mod http;
mod job;
mod live;
mod metrics;
mod pages;
mod queue;
mod rate;
mod record;
mod refusal;
mod runner;
mod secret;
mod server;
mod service;
mod settings;
mod store;
mod supervised;
mod tokens;
mod usage;
mod webhook;

pub use client::{SentFile, SentFiles, ServeClient};
pub use http::{CreatedJob, JobInfo};
pub use job::archive::{ArchiveError, UnpackLimits, unpack};
pub use job::example::Example;
pub use job::submission::Submission;
pub use secret::Secret;
pub use server::{RunningService, ServeError};
pub use settings::{JobProgram, LogSink, ServeLimits, ServeSettings, SubmissionCheck};
pub use store::StoreError;
pub use tokens::{add_token, list_tokens, remove_token};
