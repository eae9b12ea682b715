//! Generated histories with a known answer, for tests and for the benchmark.
//!
//! A small program grows in a git repository. At one revision it gets the option that the test uses (the *feature*), at
//! another a line of it goes wrong (the *cause*), and around them there is noise that changes nothing. So it is known which
//! revision passes with which patch, which lines broke it, and what fixes the newest one.
#![allow(dead_code, unused_imports, unreachable_pub, missing_docs, reason = "each user needs a part of it")]

mod answer;
mod any;

mod c_program;
mod noise;
mod plan;
mod repository;
mod shell_program;
mod source;
mod truth;
mod version;

pub use plan::{Language, Plan, Region};
pub use repository::{History, git};
pub use source::Files;
pub use truth::difference;
