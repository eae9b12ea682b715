//! The first error in the output of any program: what a test program printed while a runner that does not read it was waiting.

use super::{PrintedText, TestError, catch2, google_test};
use crate::errors::{read_complaint, read_errors};

/// How many lines an error extends over at most.
const LONGEST: usize = 200;

/// The first failure of a test framework, or else the first error in a known form.
pub(super) fn find_error(lines: &[&str]) -> Option<TestError> {
    let failure = (0..lines.len()).find_map(|at| {
        let lines = &lines[at..lines.len().min(at + LONGEST)];
        google_test::read_failure(lines).or_else(|| catch2::read_failure(lines))
    });
    failure.or_else(|| {
        let stdout = lines.iter().map(|line| (*line).to_owned()).collect();
        let printed = PrintedText { stdout, stderr: Vec::new() };
        read_errors(&printed).into_iter().next().or_else(|| read_complaint(&printed))
    })
}

/// A file and a line of it.
pub(super) fn place(path: &str, line: &str) -> Option<(String, u32)> {
    line.parse().ok().map(|line| (path.to_owned(), line))
}
