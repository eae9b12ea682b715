//! Whether the answer says something quite different from what the whole input said: perhaps it is another failure.

use howcome_lab::{Seen, without_quoted};
use howcome_report::{cut, printable};
use std::collections::BTreeSet;

/// A warning where what the answer made the test print, as its log has it, has little in common with what the whole input did.
pub(crate) fn warning(whole: &Seen, log: &str) -> Option<String> {
    let (before, now) = (whole.complaint()?, said_most(log)?);
    let (words_before, words_now) = (words(&before), words(&now));
    let common = words_before.intersection(&words_now).count();
    let all = words_before.union(&words_now).count();
    if 2 * common >= all {
        return None;
    }
    let shown = |line: &str| cut(&printable(line.trim()), 200);
    Some(format!(
        "the answer ends as the whole input does, but what is printed differs, so it may be another failure:\n    \
         the whole input: {}\n    the answer:      {}\n  if it is another one, say what must be printed: --fails-when 'output~REGEX'",
        shown(&before),
        shown(&now)
    ))
}

/// Of a log the line that says most: the first that tells of an error, or else the last.
fn said_most(log: &str) -> Option<String> {
    let lines = || log.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("--- "));
    let error = lines().find(|line| line.to_ascii_lowercase().contains("error:"));
    error.or_else(|| lines().next_back()).map(str::to_owned)
}

/// The words of a message, without those that are a part of the input: numbers, and what stands in quotes.
fn words(line: &str) -> BTreeSet<String> {
    let text = without_quoted(line);
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 2);
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_lab::{Captured, Ending};

    fn slips(before: &str, now: &str) -> bool {
        let whole = Seen { stderr: Captured::whole(before), ..Seen::new(Ending::Exit(5)) };
        warning(&whole, &format!("--- standard error ---\n{now}\n")).is_some()
    }

    #[test]
    fn another_message_is_noticed_and_another_place_is_not() {
        let null = "jq: error (at a.json:1803): Cannot iterate over null (null)";
        assert!(slips(null, "jq: error (at a.json:0): Cannot index number with string \"rows\""));
        assert!(!slips(null, "jq: error (at a.json:0): Cannot iterate over null (null)"));
        let unused = "a.c:3:7: error: unused variable 'total' [-Werror=unused-variable]";
        assert!(!slips(unused, "a.c:1:5: error: unused variable 'a' [-Werror=unused-variable]"));
        assert!(!slips("done in 3 s", "done in 1 s"));
    }
}
