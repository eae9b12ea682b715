//! The signature of one side of the baseline, with which other runs are compared.

use crate::errors::{
    ErrorPattern, LastLine, MOST_ERRORS, PatternTerms, UsualErrors, errors_that_matter, failure_errors,
    in_words, printed_errors, varying_patterns,
};
use crate::runners::TestError;
use crate::{Execution, TestEnding};
use howcome_run::Because;
use std::fmt;

/// An ending, and the error that is printed with it if that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    ending: TestEnding,
    error: ExpectedError,
}

/// The error that a run must print.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ExpectedError {
    /// Any, or none.
    Any,
    /// This one, as the first error, and after it none but the others. The program is the same in every run, and a run that prints
    /// an additional error, such as a compiler that does not find the end of a function, does not fail in the same way.
    First { first: ErrorPattern, others: Option<Vec<ErrorPattern>> },
    /// None that is known, but a last line like this one. The program is the same in every run.
    Like(LastLine),
    /// This one among others. The program varies, and what it prints besides this error varies with it.
    Among(ErrorPattern),
    /// None but these, which both sides print: a program that varies can break in new ways.
    NoneBut(UsualErrors),
}

impl Signature {
    /// The ending alone, with any message.
    #[must_use]
    pub fn ending(execution: &Execution) -> Self {
        Self { ending: execution.ending.plain(), error: ExpectedError::Any }
    }

    /// The ending, and the first error that is printed with it, if there is one. For a program that is the same in every run;
    /// `quoted` says whether quoted text in messages counts, and `last_line` whether the last line counts if there is no error.
    #[must_use]
    pub fn with_message(execution: &Execution, quoted: bool, last_line: bool) -> Self {
        let errors = failure_errors(execution);
        let error = match errors.first() {
            Some(error) => {
                let terms = PatternTerms::SameProgram { quoted };
                let first = ErrorPattern::of(error, execution, terms);
                // If there are more errors than are read, an unknown one says nothing.
                let others = (errors.len() < MOST_ERRORS).then(|| {
                    errors.iter().skip(1).map(|error| ErrorPattern::of(error, execution, terms)).collect()
                });
                ExpectedError::First { first, others }
            }
            None => {
                let line = LastLine::of(execution).filter(|_| last_line);
                line.map_or(ExpectedError::Any, ExpectedError::Like)
            }
        };
        Self { ending: execution.ending.plain(), error }
    }

    /// The ending, and the first error that the passing side does not print. For a program that varies: a run that prints no such
    /// error, but another one that neither side prints, is broken in a way of its own.
    #[must_use]
    pub fn of_varying(execution: &Execution, passing: Option<&Execution>) -> Self {
        let own = errors_that_matter(execution);
        let known = passing.map(|passing| varying_patterns(passing, &printed_errors(passing)));
        let known = known.unwrap_or_default();
        let is_new = |error: &&TestError| !known.iter().any(|known| known.matches(error, execution));
        let error = match own.iter().find(is_new) {
            Some(error) => {
                let terms = PatternTerms::VaryingProgram;
                ExpectedError::Among(ErrorPattern::of(error, execution, terms))
            }
            None if execution.ending == TestEnding::Exit(0) => ExpectedError::Any,
            None => ExpectedError::NoneBut(UsualErrors::of(execution, passing, known)),
        };
        Self { ending: execution.ending.plain(), error }
    }

    /// Whether an error is expected.
    pub(crate) fn has_error(&self) -> bool {
        matches!(self.error, ExpectedError::First { .. } | ExpectedError::Among(_))
    }

    /// Whether a run ends like this.
    #[must_use]
    pub fn matches(&self, execution: &Execution) -> bool {
        execution.ending.plain() == self.ending && self.other_error(execution).is_none()
    }

    /// The error that a run prints instead of the expected one, in words, if it ends like this otherwise.
    #[must_use]
    pub fn other_message(&self, execution: &Execution) -> Option<String> {
        // A timeout must stay recognisable, because other tests can cause it.
        let is_comparable =
            execution.ending != TestEnding::TimedOut && execution.ending.plain() == self.ending;
        is_comparable.then(|| self.other_error(execution)).flatten()
    }

    /// The reason for a run that prints another error.
    pub(crate) fn because_of_other_message(&self, execution: &Execution, error: &str) -> Because {
        let ending = execution.ending.plain();
        match self.error {
            ExpectedError::Among(_) | ExpectedError::NoneBut(_) => {
                Because::OtherThan(format!("{ending}, but with another error: {error}"))
            }
            ExpectedError::First { .. } | ExpectedError::Like(_) | ExpectedError::Any => {
                Because::SaidOtherwise(ending.to_string())
            }
        }
    }

    fn other_error(&self, execution: &Execution) -> Option<String> {
        let errors = match &self.error {
            ExpectedError::Any => return None,
            ExpectedError::NoneBut(usual) => return usual.unusual(execution),
            ExpectedError::First { .. } | ExpectedError::Like(_) => failure_errors(execution),
            ExpectedError::Among(_) => errors_that_matter(execution),
        };
        let matches = |pattern: &ErrorPattern, error: &TestError| pattern.matches(error, execution);
        let is_same = match &self.error {
            ExpectedError::Any | ExpectedError::NoneBut(_) => true,
            ExpectedError::First { first, others } => {
                let is_known = |error: &TestError| {
                    matches(first, error)
                        || others
                            .as_ref()
                            .is_none_or(|others| others.iter().any(|other| matches(other, error)))
                };
                errors.first().is_some_and(|error| matches(first, error)) && errors.iter().all(is_known)
            }
            ExpectedError::Like(line) => errors.is_empty() && line.is_like(LastLine::of(execution).as_ref()),
            ExpectedError::Among(pattern) => errors.iter().any(|error| matches(pattern, error)),
        };
        let last_line =
            || LastLine::of(execution).map_or_else(|| "no error message".to_owned(), |line| line.text);
        (!is_same).then(|| errors.first().map_or_else(last_line, in_words))
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            ExpectedError::First { first: error, .. } | ExpectedError::Among(error) => {
                write!(f, "{}, {error}", self.ending)
            }
            ExpectedError::Like(line) => write!(f, "{}, {}", self.ending, line.text),
            ExpectedError::Any | ExpectedError::NoneBut(_) => self.ending.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Captured;

    fn crash(said: &str) -> Execution {
        Execution { stderr: Captured::whole(said), ..Execution::new(TestEnding::Signal(6)) }
    }

    #[test]
    fn another_message_is_another_failure_unless_only_the_ending_counts() {
        let (one, same, other) = (crash("panic: a 1"), crash("panic: a 2"), crash("panic: b"));
        let strict = Signature::with_message(&one, true, true);
        assert!(strict.matches(&same) && !strict.matches(&other));
        assert!(Signature::ending(&one).matches(&other));
        assert!(!strict.matches(&Execution { stderr: same.stderr, ..Execution::new(TestEnding::Exit(1)) }));
    }

    #[test]
    fn the_message_does_not_matter_if_a_script_exits_with_0() {
        let script = |said: &str| Execution { ending: TestEnding::Exit(0), ..crash(said) };
        assert!(Signature::with_message(&script("panic: a"), true, true).matches(&script("panic: b")));
    }

    #[test]
    fn a_varying_program_that_breaks_in_another_way_is_not_the_failure() {
        let exit = |said: &str| Execution { ending: TestEnding::Exit(1), ..crash(said) };
        let fine = Execution { ending: TestEnding::Exit(0), ..crash("x.c:1:1: error: expected by a test") };
        let quiet =
            Signature::of_varying(&exit("x.c:9:1: error: expected by a test\n3 tests failed"), Some(&fine));
        assert!(quiet.matches(&exit("x.c:4:1: error: expected by a test\n2 tests failed")));
        assert_eq!(quiet.other_message(&exit("y.c:3:1: error: no y")).as_deref(), Some("error: no y"));
        let loud = Signature::of_varying(&exit("log\npanic: nil map"), Some(&fine));
        assert!(loud.matches(&exit("x.c:1:1: error: other\npanic: nil map")));
        assert!(!loud.matches(&exit("y.c:3:1: error: no y")));
    }

    #[test]
    fn an_additional_error_is_not_the_same_failure_if_the_program_is_the_same() {
        let exit =
            |said: &str| Execution { ending: TestEnding::Exit(1), varied: vec!["x.c".into()], ..crash(said) };
        let both = Signature::with_message(&exit("x.c:9:1: error: no z\nx.c:12:1: error: no y"), true, true);
        assert!(both.matches(&exit("x.c:3:1: error: no z")));
        assert!(both.matches(&exit("x.c:3:1: error: no z\nx.c:4:1: error: no y\nx.c:5:1: error: no z")));
        assert!(!both.matches(&exit("x.c:3:1: error: no y")));
        assert!(!both.matches(&exit("x.c:3:1: error: no z\nx.c:4:1: error: expected `}' at end of input")));
    }
}
