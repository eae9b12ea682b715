//! A test that does not say why it fails.
//!
//! If it exits with 1 whatever is wrong, a revision that fails for another reason looks like the newest one.

use super::walk_state::{Backport, WalkState};
use howcome_run::{Because, Observation};
use std::collections::BTreeSet;

/// Why a failing test says nothing about its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// It prints nothing.
    Nothing,
    /// It reports an assertion without the values that it has compared.
    BareAssertion,
}

impl Silence {
    /// Whether a test that fails so, and prints this, says why. `is_by_ending` tells that only its ending shows the failure.
    pub(super) fn of(printed: &[u8], ends: &Because, is_by_ending: bool) -> Option<Self> {
        let lines = printed_lines(printed);
        // Who chooses another exit code has a reason for it.
        let is_usual = matches!(ends, Because::Exit(1));
        match () {
            () if is_by_ending && is_usual && lines.is_empty() => Some(Silence::Nothing),
            () if lines.iter().any(|line| is_bare_assertion(line)) => Some(Silence::BareAssertion),
            () => None,
        }
    }

    /// What it prints, and what to do.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Silence::Nothing => {
                "the test prints nothing when it fails, so failures for other reasons look alike: let it print what is wrong, or say what \
                 the failure is with --fails-when"
            }
            Silence::BareAssertion => {
                "the test prints no values when it fails, so failures for other reasons look alike: let it print what it compares, or say \
                 what the failure is with --fails-when"
            }
        }
    }
}

impl WalkState {
    /// Whether the test ended with another exit code or signal, or did not run, in a revision that lacked something: it does not exit with 1
    /// whatever is wrong.
    pub(super) fn has_other_endings(&self) -> bool {
        let is_other = |seen: &Observation| {
            matches!(seen.because, Because::Exit(_) | Because::Signal(_) | Because::DidNotRun(_))
        };
        self.backports.iter().any(|backport: &Backport| backport.without.as_ref().is_some_and(is_other))
    }
}

/// The lines that a test has printed, without the headings of its streams.
pub(super) fn printed_lines(printed: &[u8]) -> BTreeSet<&[u8]> {
    let lines = printed.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty() && !line.starts_with(b"--- standard ")).collect()
}

/// Whether a line reports an assertion without the values that it has compared.
fn is_bare_assertion(line: &[u8]) -> bool {
    const BARE: [&[u8]; 4] = [
        b"AssertionError",
        b"AssertionError: False is not true",
        b"AssertionError: True is not false",
        b"AssertionError: unexpectedly None",
    ];
    BARE.contains(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_prints_nothing_and_exits_with_1_does_not_say_why() {
        let silence = |printed: &str, code: i32, is_by_ending: bool| {
            Silence::of(printed.as_bytes(), &Because::Exit(code), is_by_ending)
        };
        assert_eq!(silence("", 1, true), Some(Silence::Nothing));
        assert_eq!(silence("--- standard output ---\n\n", 1, true), Some(Silence::Nothing));
        assert_eq!(silence("", 3, true), None);
        assert_eq!(silence("", 1, false), None);
        assert_eq!(silence("got 7\n", 1, true), None);
        assert_eq!(silence("  AssertionError\n", 1, false), Some(Silence::BareAssertion));
        assert_eq!(silence("AssertionError: 7 != 8\n", 1, false), None);
    }
}
