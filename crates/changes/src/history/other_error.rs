//! An error that the oldest revision reports, and the newest one does not.
//!
//! A test that exits with 1 whatever is wrong fails in every revision, for different reasons. What the two print tells them apart.

use super::procedure::HistorySearch;
use crate::knowledge::{first_error, names_in};
use howcome_run::Observation;

impl HistorySearch {
    /// The error that the oldest revision which fails reports, if it is not that of the newest one.
    pub(super) fn other_error(
        &self,
        newest: &[u8],
        printed: impl Fn(&Observation) -> Vec<u8>,
    ) -> Option<String> {
        let outcomes = &self.state.outcomes;
        let text = |seen: &Observation| String::from_utf8_lossy(&printed(seen)).into_owned();
        let oldest = text(outcomes.failure_of(self.state.front)?);
        let others: Vec<String> = outcomes
            .failures()
            .filter(|(index, _)| *index != self.state.front)
            .map(|(_, seen)| text(seen))
            .collect();
        let newest = String::from_utf8_lossy(newest);
        let other_line =
            || other_line(&oldest, &newest).filter(|_| outcomes.prints_something_else(self.state.front));
        other_error(&oldest, &newest, &others).or_else(other_line).map(str::to_owned)
    }
}

/// The first line of an output that another one does not have.
fn other_line<'a>(oldest: &'a str, newest: &str) -> Option<&'a str> {
    let lines = || oldest.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("--- "));
    lines().find(|line| !newest.lines().any(|other| other.trim() == *line)).or_else(|| lines().next())
}

/// The first line of an output that mentions an error, if it has words that the newest output does not have. Numbers count, too, if other
/// outputs have the same ones as the newest.
fn other_error<'a>(oldest: &'a str, newest: &str, others: &[String]) -> Option<&'a str> {
    const ERRORS: [&str; 5] = ["error", "unknown", "undefined", "not found", "no such"];
    let error = first_error(oldest)?;
    let lower = error.to_ascii_lowercase();
    let has_other_words = || !names_in([error.as_bytes()]).is_subset(&names_in([newest.as_bytes()]));
    let is_steady = || {
        let newest = first_error(newest);
        // Folders have other names in each run.
        newest.is_some_and(|newest| newest != error && !newest.contains('/'))
            && others.iter().any(|other| first_error(other) == newest)
    };
    let is_error = ERRORS.iter().any(|word| lower.contains(word));
    (is_error && (has_other_words() || is_steady())).then_some(error)
}

#[cfg(test)]
mod tests {
    use super::other_error;

    #[test]
    fn an_error_with_other_words_is_another_one() {
        let newest = "expected 7, got 8\nerror: sum\n";
        let other = |oldest| other_error(oldest, newest, &[]);
        let unknown = "expected 7, got unknown option: --sum";
        assert_eq!(other(unknown), Some(unknown));
        assert_eq!(other("expected 7, got 9\n"), None);
        assert_eq!(other("error: sum 12\n"), None);
        assert_eq!(other("hello\n"), None);
        assert_eq!(other(""), None);
    }

    #[test]
    fn numbers_count_if_they_are_the_same_in_other_revisions() {
        let (newest, oldest) = ("AssertionError: got 8\n", "AssertionError: got 9\n");
        let other = |others: &[&str]| {
            let others: Vec<String> = others.iter().map(|text| (*text).to_owned()).collect();
            other_error(oldest, newest, &others)
        };
        assert_eq!(other(&[newest]), Some("AssertionError: got 9"));
        assert_eq!(other(&["AssertionError: got 7\n"]), None);
        assert_eq!(other_error(newest, newest, &[newest.to_owned()]), None);
    }
}
