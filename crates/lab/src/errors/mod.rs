//! Errors that programs, interpreters and compilers print: their type, their message, and where they happened.
//!
//! | file | idea |
//! |---|---|
//! | `interpreters` | uncaught exceptions of Python, JavaScript, Java, Ruby, Perl, PHP and Lua |
//! | `native` | crashes of C, C++, Rust and Go, and reports of sanitizers |
//! | `diagnostics` | errors of compilers, linkers, shells and other programs that read a file |
//! | `complaint` | what a run says about its failure in other words |
//! | `place` | a file and a line, as messages write them |
//! | `missing_file` | files that a run did not find although the user's folder has them |
//! | `tests` | examples of all of them |
//! | `pattern` | whether two errors are the same error |
//! | `usual` | what both sides print although it is not the failure |

mod complaint;
mod diagnostics;
mod interpreters;
mod missing_file;
mod native;
mod pattern;
mod place;
mod usual;

pub(crate) use complaint::{LastLine, read_complaint};
pub(crate) use missing_file::{missing_command, missing_file, missing_names, missing_package};
pub(crate) use pattern::{ErrorPattern, PatternTerms, as_printed, in_words};
pub(crate) use usual::{UsualErrors, varying_patterns};

use crate::message::without_quoted;
use crate::runners::{PrintedText, TestError};
use crate::{Execution, TestEnding};

/// The most errors of one run that are read. The first few tell what happened.
pub(crate) const MOST_ERRORS: usize = 50;

/// The errors that a run printed in a known form, in their order. Errors on the standard error come first.
#[must_use]
pub(crate) fn read_errors(printed: &PrintedText) -> Vec<TestError> {
    let mut errors = Vec::new();
    for stream in [&printed.stderr, &printed.stdout] {
        let lines: Vec<&str> = stream.iter().map(String::as_str).collect();
        for at in 0..lines.len() {
            if errors.len() == MOST_ERRORS {
                return errors;
            }
            let (line, before, after) = (lines[at], &lines[..at], &lines[at + 1..]);
            let error = native::read(line, after)
                .or_else(|| interpreters::read(line, before, after))
                .or_else(|| diagnostics::read(line, after));
            errors.extend(error);
        }
    }
    errors
}

/// Whether the first error of a run quotes something, which could be a part of the input or differ from run to run, or whether only
/// the last line of the run says what happened.
pub(crate) fn has_words_that_vary(execution: &Execution) -> bool {
    match first_error(execution) {
        Some(error) => without_quoted(&error.message) != error.message,
        None => LastLine::of(execution).is_some(),
    }
}

/// Whether two runs end with the same line.
pub(crate) fn has_same_last_line(one: &Execution, other: &Execution) -> bool {
    LastLine::of(one).is_none_or(|line| line.is_like(LastLine::of(other).as_ref()))
}

/// Whether the first errors of two runs quote the same.
pub(crate) fn has_same_quoted_text(one: &Execution, other: &Execution) -> bool {
    let pattern = |execution: &Execution| {
        let terms = PatternTerms::SameProgram { quoted: true };
        first_error(execution).map(|error| ErrorPattern::of(&error, execution, terms))
    };
    pattern(one) == pattern(other)
}

/// The errors of a run of a program that does not vary: those in a known form, or else the lines that say most. A script that exits
/// with 0 has found what it looks for itself, so messages do not matter.
pub(crate) fn failure_errors(execution: &Execution) -> Vec<TestError> {
    if execution.ending == TestEnding::Exit(0) {
        return Vec::new();
    }
    let errors = printed_errors(execution);
    if errors.is_empty() { complaint::read(execution, MOST_ERRORS) } else { errors }
}

fn first_error(execution: &Execution) -> Option<TestError> {
    failure_errors(execution).into_iter().next()
}

/// The errors that matter. A script that exits with 0 has found what it looks for itself, so messages do not matter.
pub(crate) fn errors_that_matter(execution: &Execution) -> Vec<TestError> {
    if execution.ending == TestEnding::Exit(0) { Vec::new() } else { printed_errors(execution) }
}

/// The error with which a run ended, in a few words and without what differs from run to run, if it printed one in a known form.
/// Diagnostics of compilers do not count: they tell about the file that was read, not about the program.
#[must_use]
pub fn essence(execution: &Execution) -> Option<String> {
    let errors = printed_errors(execution);
    let error = errors.iter().find(|error| !matches!(error.kind.as_str(), "error" | "SyntaxError"))?;
    let terms = PatternTerms::SameProgram { quoted: false };
    Some(ErrorPattern::of(error, execution, terms).to_string())
}

/// The errors that a run printed, without what its ending says already: a shell names the signal that ended a program.
pub(crate) fn printed_errors(execution: &Execution) -> Vec<TestError> {
    let is_signal = matches!(execution.ending.plain(), TestEnding::Signal(_));
    let mut errors = read_errors(&PrintedText::of(execution));
    errors.retain(|error| !(is_signal && native::SIGNALS.contains(&error.kind.as_str())));
    errors
}

#[cfg(test)]
mod tests;
