//! Whether the test prints something quite different for the answer than for the whole input: it might be another failure.

use howcome_lab::{Execution, without_quoted};
use howcome_run::words::{cut, printable};
use std::collections::BTreeSet;

/// A warning if what the test printed for the answer, as its log has it, has little in common with what it printed for the
/// whole input.
pub(crate) fn warn_if_message_changed(whole: &Execution, log: &str) -> Option<String> {
    let (before, now) = (whole.complaint()?, main_line(log)?);
    let (words_before, words_now) = (words(&before), words(&now));
    let common = words_before.intersection(&words_now).count();
    let all = words_before.union(&words_now).count();
    if 2 * common >= all {
        return None;
    }
    let shown = |line: &str| cut(&printable(line.trim()), 200);
    Some(format!(
        "the test ends in the same way for the answer and the whole input, but it prints something else, so it might be another failure:\n    \
         the whole input: {}\n    the answer:      {}\n  if it is another failure, say what the test must print: --fails-when 'output~REGEX'",
        shown(&before),
        shown(&now)
    ))
}

/// The line of a log that says most: the first one with an error, or else the last one.
fn main_line(log: &str) -> Option<String> {
    let lines = || log.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("--- "));
    let error = lines().find(|line| line.to_ascii_lowercase().contains("error:"));
    error.or_else(|| lines().next_back()).map(str::to_owned)
}

/// The words of a message, without those that come from the input: numbers, and what is in quotes.
fn words(line: &str) -> BTreeSet<String> {
    let text = without_quoted(line);
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 2);
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_lab::{Captured, TestEnding};

    fn is_changed(before: &str, now: &str) -> bool {
        let whole = Execution { stderr: Captured::whole(before), ..Execution::new(TestEnding::Exit(5)) };
        warn_if_message_changed(&whole, &format!("--- standard error ---\n{now}\n")).is_some()
    }

    #[test]
    fn another_message_is_noticed_and_another_position_is_not() {
        let null = "jq: error (at a.json:1803): Cannot iterate over null (null)";
        assert!(is_changed(null, "jq: error (at a.json:0): Cannot index number with string \"rows\""));
        assert!(!is_changed(null, "jq: error (at a.json:0): Cannot iterate over null (null)"));
        let unused = "a.c:3:7: error: unused variable 'total' [-Werror=unused-variable]";
        assert!(!is_changed(unused, "a.c:1:5: error: unused variable 'a' [-Werror=unused-variable]"));
        assert!(!is_changed("done in 3 s", "done in 1 s"));
    }
}
