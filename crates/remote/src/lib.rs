//! Runs tests on a cluster that speaks the Remote Execution API (version 2).
//!
//! **What you provide:** the address of a cluster, and [`RemoteOptions`].
//! **What you get:** [`Remote`], a [`howcome_lab::TestSite`]. Workers prepare and judge candidates on this machine as ever; the
//! builds and tests in between run on the cluster. No question knows where its tests run.
//! **What it is not for:** clusters that run other programs than this machine does. A worker needs `/bin/sh`, the usual small
//! programs (`find`, `touch`, `date`, `cp`) and whatever the test needs.
//!
//! A candidate is a Merkle tree in the content-addressed store, and only what the server does not have is sent. An action runs a
//! script (`runner.sh`) that builds and tests a candidate, and writes what it did to a file: endings are data, so that every server
//! caches them. Trouble of any kind is never an outcome: a call is repeated at most five times, then the cluster counts as lost.
//!
//! ```no_run
//! use howcome_lab::{Local, LocalOptions};
//! use howcome_remote::{Remote, RemoteOptions};
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let cluster = Remote::connect(RemoteOptions::new("grpc://localhost:50051".parse()?))?;
//! let warden = vec![std::env::current_exe()?.into(), "warden".into()];
//! let options = LocalOptions { site: Some(Arc::new(cluster)), ..LocalOptions::new(warden, std::env::temp_dir()) };
//! let lab = Local::new(options)?;
//! # Ok(())
//! # }
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `address`, `options` | where the cluster is, and how tests run on it |
//! | `remote` | the cluster as a place where candidates run |
//! | `engine`, `costs` | one candidate: cache, upload, execution, result; several quick tests in one action, as many as the measured costs suggest |
//! | `known_path` | whether the search still moves where the cache knows the outcomes |
//! | `digest`, `blobs`, `merkle` | digests, bytes, folders as Merkle trees |
//! | `parcel`, `steps`, `action`, `runner.sh` | a candidate as it is sent, the script that a worker runs |
//! | `worker_report` | what a worker reports |
//! | `store`, `action_service`, `calls` | the content-addressed store; cache and execution; calls that are repeated |
//! | `protocol` | the messages, and the connection |

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod action;
mod action_service;
mod address;
mod blobs;
mod calls;
mod costs;
mod digest;
mod engine;
mod known_path;
mod merkle;
mod options;
mod parcel;
pub mod protocol;
mod remote;
mod steps;
mod store;
mod worker_report;

pub use address::{NotAnAddress, RemoteAddress};
pub use blobs::Blobs;
pub use digest::BlobDigest;
pub use engine::Counts;
pub use merkle::{HashedTree, NotHashed, TreeHasher};
pub use options::{Certificates, RemoteOptions};
pub use remote::{Remote, RemoteError};
pub use store::Traffic;
