//! Test runners: which tests ran, which failed, and with which error, read from what a run printed.
//!
//! | file | idea |
//! |---|---|
//! | `report` | what a runner reports, whatever its format |
//! | `printed_text` | the output of a run as text, without colours |
//! | `cargo_test`, `cargo_build`, `rust_panic` | `cargo test`; why cargo could not build; panics |
//! | `nextest` | `cargo nextest run` |
//! | `go_test`, `go_panic` | `go test`; panics and errors of the compiler |
//! | `node_test`, `node_spec` | `node --test`, in its two forms |
//! | `jest` | `jest` |
//! | `vitest` | `vitest` |
//! | `mocha` | `mocha` |
//! | `tap`, `tap_document` | the Test Anything Protocol |
//! | `js_error`, `js_report` | errors and stacks of JavaScript; tests and files in a report |
//! | `python_error` | exceptions and tracebacks of Python |
//! | `unittest` | Python's `unittest` |
//! | `pytest`, `pytest_failure`, `pytest_names` | `pytest` |

mod cargo_build;
mod cargo_test;
mod go_panic;
mod go_test;
mod jest;
mod js_error;
mod js_report;
mod mocha;
mod nextest;
mod node_spec;
mod node_test;
mod printed_text;
mod pytest;
mod pytest_failure;
mod pytest_names;
mod python_error;
mod report;
mod rust_panic;
mod tap;
mod tap_document;
mod unittest;
mod vitest;

pub use printed_text::PrintedText;
pub use report::{GroupState, TestError, TestReport, TestState};

/// A test runner whose output is understood.
struct RunnerFormat {
    /// Its name, as users know it.
    name: &'static str,
    /// Reads its output; `None` if the output is not from this runner.
    read: fn(&PrintedText) -> Option<TestReport>,
}

/// All of them. A runner that starts other runners comes before them; a format that other runners also print comes after them.
const FORMATS: &[RunnerFormat] = &[
    RunnerFormat { name: "pytest", read: pytest::read },
    RunnerFormat { name: "unittest", read: unittest::read },
    RunnerFormat { name: "cargo nextest", read: nextest::read },
    RunnerFormat { name: "cargo test", read: cargo_test::read },
    RunnerFormat { name: "go test", read: go_test::read },
    RunnerFormat { name: "node --test", read: node_test::read },
    RunnerFormat { name: "jest", read: jest::read },
    RunnerFormat { name: "vitest", read: vitest::read },
    RunnerFormat { name: "mocha", read: mocha::read },
    RunnerFormat { name: "TAP", read: tap::read },
];

/// What the test runner of a run reported, if its output is understood.
#[must_use]
pub fn read_report(printed: &PrintedText) -> Option<TestReport> {
    FORMATS.iter().find_map(|format| {
        let report = (format.read)(printed)?;
        Some(TestReport { runner: format.name, ..report })
    })
}

/// The names of all runners that understand an output. Two runners that understand it are a mistake, unless one prints the
/// format of the other.
#[must_use]
pub fn runners_that_understand(printed: &PrintedText) -> Vec<&'static str> {
    FORMATS.iter().filter(|format| (format.read)(printed).is_some()).map(|format| format.name).collect()
}
