//! The git side of the crate against real repositories, made by the `git` program.

// Clippy takes only the tests themselves for tests.
#![allow(clippy::unwrap_used)]

mod contents;
mod revisions;
mod sandbox;
