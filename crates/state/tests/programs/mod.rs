//! Programs with one seeded fault each: their headers, how they are built and run, and a second opinion by a debugger.
//!
//! Each source begins with a header: how it passes, how it fails, and which variable is wrong at the last place that both
//! runs have in common. Other tests can use this module with `#[path = "programs/mod.rs"] mod seeded;`.
// Each test uses only a part of this module.
#![allow(dead_code, unused_imports)]

mod build;
mod chain;
mod debugger;
mod each;
mod header;

pub(crate) use build::{Built, Ended};
pub(crate) use chain::causes;
pub(crate) use debugger::Debugger;
pub(crate) use each::{ensure, for_each};
pub(crate) use header::{Arguments, Language, Seeded, programs, some_programs};
