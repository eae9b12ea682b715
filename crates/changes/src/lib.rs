//! Deltas from two versions of a source tree.

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod git;
