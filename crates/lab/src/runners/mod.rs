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
//! | `ctest` | `ctest` |
//! | `google_test` | GoogleTest |
//! | `catch2` | Catch2 |
//! | `maven`, `gradle`, `junit` | JUnit: Maven with Surefire, Gradle, JUnit's own runner |
//! | `java_exception` | exceptions as Java prints them |
//! | `junit_xml`, `xml` | reports in the XML format of JUnit |
//! | `prove`, `test_more` | `prove`, and what Perl tests say about their failures |
//! | `rspec`, `minitest`, `ruby_error` | RSpec, minitest, and calls as Ruby prints them |
//! | `phpunit` | PHPUnit |
//! | `program_error` | the first error in the output of any program |
//! | `outer_runner` | runners that start other runners |
//! | `plain_checks` | lines such as `ok NAME` and `FAIL NAME: message` of scripts |
//! | `line_pattern` | patterns for lines of output |

mod cargo_build;
mod cargo_test;
mod catch2;
mod ctest;
mod go_panic;
mod go_test;
mod google_test;
mod gradle;
mod java_exception;
mod jest;
mod js_error;
mod js_report;
mod junit;
mod junit_xml;
mod line_pattern;
mod maven;
mod minitest;
mod mocha;
mod nextest;
mod node_spec;
mod node_test;
mod outer_runner;
mod phpunit;
mod plain_checks;
mod printed_text;
mod program_error;
mod prove;
mod pytest;
mod pytest_failure;
mod pytest_names;
mod python_error;
mod report;
mod rspec;
mod ruby_error;
mod rust_panic;
mod tap;
mod tap_document;
mod test_more;
mod unittest;
mod vitest;
mod xml;

pub use printed_text::PrintedText;
pub(crate) use report::is_in_group;
pub use report::{GroupState, TestError, TestReport, TestState};

/// A test runner whose output is understood.
struct RunnerFormat {
    /// Its name, as users know it.
    name: &'static str,
    /// Reads its output; `None` if the output is not from this runner.
    read: fn(&PrintedText) -> Option<TestReport>,
}

/// The name of the format of scripts with several checks.
pub(crate) const CHECKS: &str = "checks";

/// All of them. A runner that starts other runners comes before them; a format that other runners also print comes after them.
const FORMATS: &[RunnerFormat] = &[
    RunnerFormat { name: "ctest", read: ctest::read },
    RunnerFormat { name: "prove", read: prove::read },
    RunnerFormat { name: "JUnit (Maven)", read: maven::read },
    RunnerFormat { name: "JUnit (Gradle)", read: gradle::read },
    RunnerFormat { name: "JUnit", read: junit::read },
    RunnerFormat { name: "pytest", read: pytest::read },
    RunnerFormat { name: "GoogleTest", read: google_test::read },
    RunnerFormat { name: "Catch2", read: catch2::read },
    RunnerFormat { name: "RSpec", read: rspec::read },
    RunnerFormat { name: "minitest", read: minitest::read },
    RunnerFormat { name: "PHPUnit", read: phpunit::read },
    RunnerFormat { name: "JUnit XML", read: junit_xml::read },
    RunnerFormat { name: "unittest", read: unittest::read },
    RunnerFormat { name: "cargo nextest", read: nextest::read },
    RunnerFormat { name: "cargo test", read: cargo_test::read },
    RunnerFormat { name: "go test", read: go_test::read },
    RunnerFormat { name: "node --test", read: node_test::read },
    RunnerFormat { name: "jest", read: jest::read },
    RunnerFormat { name: "vitest", read: vitest::read },
    RunnerFormat { name: "mocha", read: mocha::read },
    RunnerFormat { name: "TAP", read: tap::read },
    RunnerFormat { name: CHECKS, read: plain_checks::read },
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
