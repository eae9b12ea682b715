//! Errors that programs, interpreters and compilers print: their type, their message, and where they happened.
//!
//! | file | idea |
//! |---|---|
//! | `interpreters` | uncaught exceptions of Python, JavaScript, Java, Ruby, Perl, PHP and Lua |
//! | `native` | crashes of C, C++, Rust and Go, and reports of sanitizers |
//! | `diagnostics` | errors of compilers, linkers, shells and other programs that read a file |
//! | `place` | a file and a line, as messages write them |
//! | `pattern` | whether two errors are the same error |

mod diagnostics;
mod interpreters;
mod native;
mod pattern;
mod place;

pub(crate) use pattern::{ErrorPattern, PatternTerms, in_words};

use crate::message::without_quoted;
use crate::runners::{PrintedText, TestError};
use crate::{Execution, TestEnding};

/// The most errors of one run that are read. The first few tell what happened.
const MOST: usize = 50;

/// The errors that a run printed in a known form, in their order. Errors on the standard error come first.
#[must_use]
pub(crate) fn read_errors(printed: &PrintedText) -> Vec<TestError> {
    let mut errors = Vec::new();
    for stream in [&printed.stderr, &printed.stdout] {
        let lines: Vec<&str> = stream.iter().map(String::as_str).collect();
        for at in 0..lines.len() {
            if errors.len() == MOST {
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

/// Whether the first error of a run quotes something, which could be a part of the input or differ from run to run.
pub(crate) fn has_quoted_text(execution: &Execution) -> bool {
    first_error(execution).is_some_and(|error| without_quoted(&error.message) != error.message)
}

/// Whether the first errors of two runs quote the same.
pub(crate) fn has_same_quoted_text(one: &Execution, other: &Execution) -> bool {
    let pattern = |execution: &Execution| {
        let terms = PatternTerms::SameProgram { quoted: true };
        first_error(execution).map(|error| ErrorPattern::of(&error, &execution.workspace, terms))
    };
    pattern(one) == pattern(other)
}

fn first_error(execution: &Execution) -> Option<TestError> {
    if execution.ending == TestEnding::Exit(0) {
        return None;
    }
    read_errors(&PrintedText::of(execution)).into_iter().next()
}

#[cfg(test)]
mod tests;
