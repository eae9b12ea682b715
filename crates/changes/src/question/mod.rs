//! The question of `howcome changes`: from a request to a finding.
//!
//! | file | idea |
//! |---|---|
//! | `request` | what is asked, as `run.json` keeps it |
//! | `preconditions` | what can be checked before anything is tested |
//! | `procedure` | from the baseline to the answer |
//! | `both_versions` | the two versions as they are |
//! | `held_parts` | which parts of what could be held are held |
//! | `held_baseline` | the baseline, with as much held as the good version passes with |
//! | `nearer_good` | a good version that the user did not name |
//! | `refused` | what a refused baseline shows about the test |
//! | `baseline_evidence` | what the two sides of the baseline print and read |
//! | `as_history` | the same question for `howcome history` |
//! | `history_hint` | the command that asks `howcome history` the same |
//! | `coverage_run`, `coverage_source` | which lines the failing run executes, and where that is known from |
//! | `keep_going` | how `make`, `ninja`, `cmake` and `cargo` are told to keep going |
//! | `estimate` | about how many tests a search takes |
//! | `finding_builder` | the finding of what was found |
//! | `line_origins` | the commits that the lines of an answer come from |
//! | `found_change` | a change as it is recorded |
//! | `hunk_excerpts` | the hunks around the lines of the answer |
//! | `conclusion` | how the question ends |
//! | `doctest` | answers that add an example to the documentation |
//! | `revisit` | any test of a run, for people |

mod as_history;
pub mod baseline_evidence;
mod both_versions;
pub mod conclusion;
mod coverage_run;
mod coverage_source;
mod doctest;
mod estimate;
pub mod finding_builder;
mod found_change;
mod held_baseline;
mod held_parts;
mod history_hint;
mod hunk_excerpts;
mod keep_going;
mod line_origins;
mod nearer_good;
pub mod preconditions;
mod procedure;
pub(crate) mod refused;
pub mod request;
pub mod revisit;

pub use as_history::as_history;
pub use history_hint::history_command;
pub use procedure::ask;
pub use request::ChangesRequest;
pub use revisit::{describe, rebuild};
