//! What both sides print on the standard error although it is not the failure.

use super::{ErrorPattern, PatternTerms, errors_that_matter, in_words};
use crate::Execution;
use crate::printed::lasting_lines;
use std::collections::BTreeSet;

/// The errors and the lines on the standard error that the two sides print. A run of a program that varies and prints
/// others is broken in a way of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UsualErrors {
    patterns: Vec<ErrorPattern>,
    lines: BTreeSet<String>,
}

impl UsualErrors {
    /// What the two sides print, of which the failing side prints no error of its own.
    pub(crate) fn of(failing: &Execution, passing: Option<&Execution>, patterns: Vec<ErrorPattern>) -> Self {
        let sides = [Some(failing), passing].into_iter().flatten();
        let lines = sides.flat_map(|side| lasting_lines(&side.stderr)).map(|(lasting, _)| lasting).collect();
        Self { patterns, lines }
    }

    /// The first error of a run that neither side prints, in words.
    pub(crate) fn unusual(&self, execution: &Execution) -> Option<String> {
        let errors = errors_that_matter(execution);
        let is_usual = |error| self.patterns.iter().any(|known| known.matches(error, execution));
        if let Some(error) = errors.iter().find(|error| !is_usual(error)) {
            return Some(in_words(error));
        }
        let printed = lasting_lines(&execution.stderr);
        let is_new = |line: &str| !self.lines.contains(line);
        // Compilers warn about mixes of two versions: what is not used, what is declared twice.
        let warns = printed.iter().any(|(line, _)| line.to_ascii_lowercase().contains("warning"));
        let is_quiet = self.lines.is_empty() && !warns;
        let unusual = printed.iter().find(|(line, _)| is_new(line) && (is_quiet || says_error(line)));
        unusual.map(|(_, line)| line.clone())
    }
}

fn says_error(line: &str) -> bool {
    let words = line.split(|character: char| !character.is_ascii_alphanumeric());
    words.into_iter().any(|word| word.eq_ignore_ascii_case("error"))
}

/// The patterns of errors that a run of a program that varies printed.
pub(crate) fn varying_patterns(
    execution: &Execution,
    errors: &[crate::runners::TestError],
) -> Vec<ErrorPattern> {
    let of = |error| ErrorPattern::of(error, execution, PatternTerms::VaryingProgram);
    errors.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Captured, TestEnding};

    fn run(stderr: &str) -> Execution {
        Execution { stderr: Captured::whole(stderr), ..Execution::new(TestEnding::Exit(1)) }
    }

    fn unusual(failing: &str, passing: &str, run_prints: &str) -> Option<String> {
        UsualErrors::of(&run(failing), Some(&run(passing)), Vec::new()).unusual(&run(run_prints))
    }

    #[test]
    fn a_run_that_complains_is_unusual_if_both_sides_are_quiet() {
        let said = "Parse error near line 2: no such column: state";
        assert_eq!(unusual("", "", said).as_deref(), Some(said));
        assert_eq!(unusual("", "", "3 of 9 lost").as_deref(), Some("3 of 9 lost"));
        assert_eq!(unusual("", "", ""), None);
    }

    #[test]
    fn warnings_of_a_compiler_are_not_unusual_but_its_errors_are() {
        let warning = "x.c: In function f:\nx.c:3:5: warning: unused variable";
        assert_eq!(unusual("", "", warning), None);
        let both = format!("{warning}\nx.c:9:1: error: expected ;");
        assert_eq!(unusual("", "", &both).as_deref(), Some("error: expected ;"));
    }

    #[test]
    fn lines_of_the_sides_and_lines_that_do_not_say_error_are_usual() {
        let failing = "make: *** [Makefile:7: check] Error 1";
        assert_eq!(unusual(failing, "", "make: *** [Makefile:9: check] Error 1"), None);
        assert_eq!(unusual(failing, "", "make: *** [Makefile:9: check] Error 1\nseen 3 times"), None);
        assert_eq!(
            unusual(failing, "", "jq: error: $gap is not defined").as_deref(),
            Some("jq: error: $gap is not defined")
        );
    }
}
