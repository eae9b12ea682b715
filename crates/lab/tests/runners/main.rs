//! What readers of test-runner outputs understand: recordings of real runs, each beside the report that is expected from it.
//!
//! A recording `RUNNER/CASE.txt` begins with the command (`$ pytest -q`), then come the lines of the standard output, and after
//! a line `[stderr]` those of the standard error. `RUNNER/CASE.report` is the report in a compact form, or `nothing` if the
//! output must not be understood. With `HOWCOME_RECORD_REPORTS=1` the reports are written instead of compared.

#![allow(clippy::unwrap_used)]

mod damage;
mod expectations;
mod recordings;
