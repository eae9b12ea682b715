//! The details of a failure: what a run prints, with its values, but without what differs from run to run.

use crate::message::without_paths_and_hashes;
use crate::runners::{PrintedText, TestError};
use std::collections::BTreeSet;

/// The details of a failure. If a program varies, most mixes of two versions that fail for another reason print other values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FailureDetails(Vec<String>);

impl FailureDetails {
    /// The details of an error that a test runner reports.
    pub(crate) fn of_error(error: &TestError) -> Self {
        Self(vec![exact(&error.kind), exact(&error.message), exact(&error.context)])
    }

    /// The same with the names of all tests that fail, if the error says nothing: it can have any reason.
    pub(crate) fn with_failing_tests(self, error: &TestError, failing: &BTreeSet<String>) -> Self {
        let Self(mut details) = self;
        if error.message.trim().is_empty() && error.context.trim().is_empty() {
            details.extend(failing.iter().cloned());
        }
        Self(details)
    }

    /// All that a run prints.
    pub(crate) fn of_output(printed: &PrintedText) -> Self {
        Self(printed.lines().map(exact).filter(|line| !line.is_empty()).collect())
    }
}

/// A line without paths, hashes, addresses, times and durations.
fn exact(line: &str) -> String {
    let line = without_paths_and_hashes(line);
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_unit = |word: Option<&&str>| word.is_some_and(|word| is_unit_of_time(bare(word)));
    let lasting = |at: usize| match words[at] {
        word if is_time(bare(word)) => "#",
        word if is_number(bare(word)) && is_unit(words.get(at + 1)) => "#",
        word => word,
    };
    (0..words.len()).map(lasting).collect::<Vec<_>>().join(" ")
}

fn bare(word: &str) -> &str {
    word.trim_matches(|character: char| "()[]{}<>,;.'\"".contains(character))
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn is_unit_of_time(word: &str) -> bool {
    ["ns", "us", "µs", "ms", "s", "sec", "second", "seconds", "milliseconds", "min", "minutes"]
        .contains(&word)
}

/// Whether a word is a date, a time of day, a duration, or an address.
fn is_time(word: &str) -> bool {
    if word.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())) {
        return true;
    }
    let number = word.trim_end_matches(|character: char| character.is_alphabetic());
    if number.len() < word.len() && is_number(number) {
        return is_unit_of_time(&word[number.len()..]);
    }
    let is_clock = |byte: u8| byte.is_ascii_digit() || b":.-+TZ".contains(&byte);
    let separators = word.bytes().filter(|byte| *byte == b':' || *byte == b'-').count();
    word.starts_with(|character: char| character.is_ascii_digit())
        && separators >= 2
        && word.bytes().all(is_clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_count_and_times_paths_and_addresses_do_not() {
        let same = [
            ("ran 3 tests in 0.012s", "ran 3 tests in 0.5s"),
            ("--- a.txt 2026-11-16 08:03:06.02 +0000", "--- a.txt 2025-01-01 11:22:33.4 +0000"),
            ("took 12 ms (of 30)", "took 7 ms (of 30)"),
            ("<Cart object at 0x7f00aa>", "<Cart object at 0x7fffbb>"),
            ("/tmp/howcome-12-0/1/temp/tmp.aB3x: wrong", "/tmp/howcome-99-0/0/temp/tmp.Zz9q: wrong"),
        ];
        for (one, other) in same {
            assert_eq!(exact(one), exact(other));
        }
        let other =
            [("revenue is: Bo=400", "revenue is: Bo=1300"), ("assert 0 == 9", "assert 1 == 9"), ("-x", "-y")];
        for (one, other) in other {
            assert_ne!(exact(one), exact(other));
        }
    }
}
