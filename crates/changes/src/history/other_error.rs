//! An error that the oldest revision reports, and the newest one does not.
//!
//! A test that exits with 1 whatever is wrong fails in every revision, for different reasons. What the two print tells them apart.

use super::procedure::HistorySearch;
use crate::knowledge::{first_error, names_in};
use howcome_run::Observation;

impl HistorySearch {
    /// The error that the oldest revision which fails reports, if the newest one printed other words.
    pub(super) fn other_error(
        &self,
        newest: &[u8],
        printed: impl FnOnce(&Observation) -> Vec<u8>,
    ) -> Option<String> {
        let oldest = self.state.outcomes.failure_of(self.state.front)?;
        error_with_other_words(&String::from_utf8_lossy(&printed(oldest)), newest)
    }
}

/// The first line of an output that mentions an error, if it has words that another output does not have.
fn error_with_other_words(printed: &str, other: &[u8]) -> Option<String> {
    const ERRORS: [&str; 5] = ["error", "unknown", "undefined", "not found", "no such"];
    let error = first_error(printed)?;
    let lower = error.to_ascii_lowercase();
    let is_other = !names_in([error.as_bytes()]).is_subset(&names_in([other]));
    (is_other && ERRORS.iter().any(|word| lower.contains(word))).then(|| error.to_owned())
}

#[cfg(test)]
mod tests {
    use super::error_with_other_words;

    #[test]
    fn only_an_error_with_other_words_is_another_one() {
        let newest = b"expected 7, got 8\nerror: sum\n";
        let other = |printed| error_with_other_words(printed, newest);
        assert_eq!(
            other("expected 7, got unknown option: --sum\n").as_deref(),
            Some("expected 7, got unknown option: --sum")
        );
        assert_eq!(other("expected 7, got 9\n"), None);
        assert_eq!(other("error: sum 12\n"), None);
        assert_eq!(other("hello\n"), None);
        assert_eq!(other(""), None);
    }
}
