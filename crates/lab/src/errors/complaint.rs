//! What a run says about its failure if it prints no error in a known form. Programs word such lines as they like, so only the lines
//! of a program that does not vary are worth a comparison.

use crate::message::{lasting, without_quoted};
use crate::runners::{PrintedText, TestError};
use crate::{Execution, TestEnding};
use std::collections::BTreeSet;
use std::path::Path;

/// The lines that name a place in the candidate, as compilers and linters do: `vet: ./x.go:3:5: message`, `x.ts(3,5): message`. If
/// there are none, the first line that calls itself an error.
pub(super) fn read(execution: &Execution, most: usize) -> Vec<TestError> {
    let printed = PrintedText::of(execution);
    let lines = || printed.stderr.iter().chain(&printed.stdout).map(String::as_str);
    let placed: Vec<TestError> =
        lines().filter_map(|line| about_candidate(line, &execution.varied)).take(most).collect();
    if placed.is_empty() { read_complaint(&printed).into_iter().collect() } else { placed }
}

/// The first line that calls itself an error.
pub(crate) fn read_complaint(printed: &PrintedText) -> Option<TestError> {
    let mut lines = printed.stderr.iter().chain(&printed.stdout);
    lines.find(|line| says_error(line)).map(|line| complaint(line.trim()))
}

fn complaint(message: &str) -> TestError {
    TestError { kind: "error".to_owned(), message: message.to_owned(), ..TestError::default() }
}

/// The message of a line that names a file of the candidate and a line in it.
fn about_candidate(line: &str, varied: &[std::path::PathBuf]) -> Option<TestError> {
    let message = varied.iter().filter_map(|path| path.to_str()).find_map(|path| after_place(line, path))?;
    (message.split_whitespace().count() > 1).then(|| complaint(message))
}

/// The text after `PATH:3:5: `, `PATH(3,5): ` or `PATH: line 3: `.
fn after_place<'l>(line: &'l str, path: &str) -> Option<&'l str> {
    let name = Path::new(path).file_name()?.to_str()?;
    let at = line.find(name).map(|at| at + name.len())?;
    let rest = &line[at..];
    let place = [":", "(", ": line ", " line ", "\", line "].iter().find_map(|before| {
        rest.strip_prefix(before).filter(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()))
    })?;
    let is_place =
        |character: char| character.is_ascii_digit() || matches!(character, ':' | ',' | ')' | ' ' | '-');
    Some(place.trim_start_matches(is_place))
}

/// Whether a line calls itself an error.
fn says_error(line: &str) -> bool {
    let words: Vec<&str> =
        line.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_error = |word: &str| {
        let is_name = word.ends_with("Error") || word.ends_with("Exception");
        is_name || ["error", "fatal", "exception"].iter().any(|known| word.eq_ignore_ascii_case(known))
    };
    let Some(at) = words.iter().position(|word| is_error(word)) else { return false };
    // `1 error`, `no error`: a count.
    let is_count =
        at > 0 && (words[at - 1].parse::<u64>().is_ok() || words[at - 1].eq_ignore_ascii_case("no"));
    !is_count
}

/// The last line of a run that prints nothing which calls itself an error, as a set of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LastLine {
    /// The line as it is shown.
    pub(crate) text: String,
    words: BTreeSet<String>,
}

impl LastLine {
    /// The last line that a run printed to its standard error, or to its standard output. `None` if there are no words in it, if it
    /// shows a difference between two files, or if the run says by its ending that it crashed, found something, or took too long.
    pub(crate) fn of(execution: &Execution) -> Option<Self> {
        if !matches!(execution.ending.plain(), TestEnding::Exit(code) if code != 0) {
            return None;
        }
        let printed = PrintedText::of(execution);
        let last = |stream: &[String]| stream.iter().rev().find(|line| !line.trim().is_empty()).cloned();
        let line = last(&printed.stderr).or_else(|| last(&printed.stdout))?;
        let words: BTreeSet<String> = words(&line);
        let is_difference = line.starts_with(['<', '>', '+', '-', '|', '@', ' ', '\t']);
        (!words.is_empty() && !is_difference).then(|| Self { text: line.trim().to_owned(), words })
    }

    /// Whether two lines have at least half of their words in common.
    pub(crate) fn is_like(&self, other: Option<&Self>) -> bool {
        let Some(other) = other else { return false };
        let common = self.words.intersection(&other.words).count();
        2 * common >= self.words.union(&other.words).count()
    }
}

/// The words of a line, without those that come from the input: numbers, and what is in quotes.
fn words(line: &str) -> BTreeSet<String> {
    let text = lasting(&without_quoted(line));
    let words = text.split(|letter: char| !letter.is_alphabetic()).filter(|word| word.chars().count() > 2);
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Captured;

    fn saying(stderr: &str) -> Execution {
        Execution {
            stderr: Captured::whole(stderr),
            varied: vec!["src/cart.go".into()],
            ..Execution::new(TestEnding::Exit(1))
        }
    }

    #[test]
    fn lines_about_the_candidate_are_messages_whatever_they_are_called() {
        let messages = |text: &str| -> Vec<String> {
            read(&saying(text), 10).into_iter().map(|error| error.message).collect()
        };
        assert_eq!(messages("# shop\nvet: ./src/cart.go:85:16: c.Total undefined"), ["c.Total undefined"]);
        assert_eq!(messages("src/cart.go(3,5): TS2304 no name\nx"), ["TS2304 no name"]);
        assert_eq!(
            messages("cart.go: line 7, col 2, Missing semicolon. (W033)"),
            ["col 2, Missing semicolon. (W033)"]
        );
        assert_eq!(
            messages("Parse error near line 33: table b has 2 columns"),
            ["Parse error near line 33: table b has 2 columns"]
        );
        assert_eq!(messages("reading cart.go\n3 errors, 1 error found\n"), Vec::<String>::new());
    }

    #[test]
    fn another_last_line_is_noticed_and_another_number_or_quoted_word_is_not() {
        let is_like = |one: &str, other: &str| {
            LastLine::of(&saying(one)).is_none_or(|line| line.is_like(LastLine::of(&saying(other)).as_ref()))
        };
        assert!(is_like("checking\ntotals differ by 12 in 'march'", "totals differ by 3 in 'a'"));
        assert!(!is_like("totals differ by 12", "usage: check FILE"));
        assert!(!is_like("totals differ by 12", ""));
        assert!(is_like("< one two", "> three"));
        assert!(is_like("12 30", "three"));
        assert!(
            LastLine::of(&Execution { ending: TestEnding::Signal(11), ..saying("loading data") }).is_none()
        );
    }
}
