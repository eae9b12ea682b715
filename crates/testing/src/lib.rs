//! Tests that cannot run on this machine are skipped by name.
//!
//! Rust's test harness knows only "passed" and "failed": a test that returns early because gdb is not installed counts
//! as passed. Such a test calls [`need_program`] or [`skip`] before it returns. Both append one line to the file that
//! the environment variable `HOWCOME_SKIPPED` names; `./test` sets it and prints the file at the end. They also print
//! the line to standard error.
//!
//! ```
//! # fn compare_with_gdb() {}
//! if !howcome_testing::need_program("gdb") {
//!     return;
//! }
//! compare_with_gdb();
//! ```
//!
//! A test that tries several compilers and uses those that are installed must still check that it compared anything.
//!
//! The skipping is in this file; [`schema`] checks JSON against a JSON Schema, and [`folder`] says what is in a
//! folder. Only tests use the crate: as a dev-dependency.

pub mod folder;
pub mod schema;

use std::env;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::panic::Location;
use std::path::Path;
use std::thread;

/// The environment variable that names the file in which skipped tests are recorded.
pub const RECORD: &str = "HOWCOME_SKIPPED";

/// The environment variable by which `./test --long` asks for the suites that take long.
pub const LONG: &str = "HOWCOME_LONG";

/// Whether a program is in `PATH`. If it is not, the running test is recorded as skipped.
#[track_caller]
#[must_use]
pub fn need_program(name: &str) -> bool {
    let is_installed = has_program(name);
    if !is_installed {
        skip(format!("{name} is not installed"));
    }
    is_installed
}

/// Whether a program is in `PATH`, for a test that also works without it.
#[must_use]
pub fn has_program(name: &str) -> bool {
    let is_executable = |path: &Path| {
        path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    };
    env::var_os("PATH")
        .is_some_and(|path| env::split_paths(&path).any(|folder| is_executable(&folder.join(name))))
}

/// Whether suites that take long are wanted: `./test --long`. If not, the running test is recorded as skipped.
#[track_caller]
#[must_use]
pub fn runs_long_suites() -> bool {
    let is_wanted = is_long();
    if !is_wanted {
        skip("it takes long; ./test --long runs it");
    }
    is_wanted
}

/// How often a suite repeats what it does: `few` times with `./test`, `many` times with `./test --long`.
#[must_use]
pub fn repeats(few: usize, many: usize) -> usize {
    if is_long() { many } else { few }
}

fn is_long() -> bool {
    env::var_os(LONG).is_some_and(|wanted| !wanted.is_empty())
}

/// Records that the running test is skipped, or the part of it that the reason names.
#[track_caller]
pub fn skip(reason: impl Display) {
    let line = format!("skipped: {} because {reason}", test_name(Location::caller()));
    eprintln!("{line}");
    if let Some(record) = env::var_os(RECORD) {
        append(Path::new(&record), &line);
    }
}

/// The test that runs in this thread: the harness names the thread after it.
fn test_name(caller: &Location<'_>) -> String {
    let thread = thread::current();
    match thread.name() {
        Some(name) if name != "main" => format!("{name} ({})", caller.file()),
        _ => format!("a test at {}:{}", caller.file(), caller.line()),
    }
}

/// Many test processes append to one file. A line is written by one call, so no other line gets into the middle of it.
fn append(record: &Path, line: &str) {
    let file = OpenOptions::new().create(true).append(true).open(record);
    let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
    if let Err(error) = written {
        panic!("cannot record a skipped test in {}: {error}", record.display());
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use std::fs;

    #[test]
    fn a_skipped_test_is_recorded_by_its_name() {
        let name = test_name(Location::caller());
        assert!(
            name.contains("a_skipped_test_is_recorded_by_its_name") || name.contains("lib.rs:"),
            "{name}"
        );
    }

    #[test]
    fn lines_of_several_tests_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("skipped");
        append(&record, "skipped: one because of this");
        append(&record, "skipped: two because of that");
        let text = fs::read_to_string(&record).unwrap();
        assert_eq!(text, "skipped: one because of this\nskipped: two because of that\n");
    }

    #[test]
    fn a_program_is_looked_up_in_path() {
        assert!(has_program("sh"));
        assert!(!has_program("no-such-program-of-howcome"));
    }
}
