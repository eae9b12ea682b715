//! Conditions that describe a failure or a pass: `exit=3`, `crash`, `stderr~REGEX`.

use crate::{Captured, Execution, TestEnding};
use howcome_run::{signal_name, signal_number};
use nix::libc;
use regex::bytes::{Regex, RegexBuilder};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::ops::RangeInclusive;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

/// Signals that end a program because of its own mistake.
const CRASHES: [i32; 7] =
    [libc::SIGILL, libc::SIGTRAP, libc::SIGABRT, libc::SIGBUS, libc::SIGFPE, libc::SIGSEGV, libc::SIGSYS];

/// How much of a file is searched. No test writes a longer result.
const LONGEST_FILE: u64 = 64 << 20;

/// Whether a program ended because of its own mistake.
pub(crate) fn is_crash(ending: TestEnding) -> bool {
    matches!(ending.plain(), TestEnding::Signal(number) if CRASHES.contains(&number))
}

/// A condition that a run meets or does not meet.
#[derive(Clone, Debug)]
pub struct Condition {
    text: String,
    kind: ConditionKind,
}

#[derive(Clone, Debug)]
enum ConditionKind {
    /// `exit=3`, `exit=1..124`. The codes are compared as they are: 139 from a shell is 139, not signal 11.
    Exit(RangeInclusive<i32>),
    /// `exit!=0`: any other ending except a timeout. A signal counts too.
    NotExit(i32),
    Signal(i32),
    Crash,
    Timeout,
    /// `^` and `$` match at the ends of lines, as they do for grep.
    Matches(SearchedText, Regex),
}

#[derive(Clone, Debug)]
enum SearchedText {
    Stdout,
    Stderr,
    Output,
    File(PathBuf),
}

/// Why a text is not a condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotACondition {
    /// It does not start with a known word.
    #[error("`{0}` is not a condition")]
    Unknown(String),
    /// It has no valid exit code.
    #[error("`{0}` has no valid exit code: exit codes go from 0 to 255")]
    NoCode(String),
    /// Its range is empty.
    #[error("`{0}` is an empty range")]
    EmptyRange(String),
    /// It does not name a signal.
    #[error("`{0}` does not name a signal")]
    NoSignal(String),
    /// It does not name a file in the workspace.
    #[error("`{0}` does not name a file in the workspace of the test")]
    NoFile(String),
    /// Its regular expression is not valid.
    #[error("the regular expression in `{text}` is not valid: {why}")]
    NoPattern {
        /// The whole condition.
        text: String,
        /// What is wrong with its pattern.
        why: String,
    },
}

impl NotACondition {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            NotACondition::Unknown(_) => {
                "conditions are exit=3, exit!=0, exit=1..124, signal=SEGV, crash, timeout, stdout~REGEX, \
                 stderr~REGEX, output~REGEX, file:PATH~REGEX"
            }
            NotACondition::NoCode(_) => "write exit=3, exit!=0 or exit=1..124",
            NotACondition::EmptyRange(_) => "write the smaller code first; both ends belong to the range",
            NotACondition::NoSignal(_) => "write a name, as in signal=SEGV, or a number, as in signal=11",
            NotACondition::NoFile(_) => {
                "write a path relative to the folder in which the test runs, without a leading / and without .."
            }
            NotACondition::NoPattern { .. } => {
                "put \\ before a character that has a special meaning in regular expressions"
            }
        };
        Some(hint.to_owned())
    }
}

impl FromStr for Condition {
    type Err = NotACondition;

    fn from_str(text: &str) -> Result<Self, NotACondition> {
        let kind = match text {
            "crash" => ConditionKind::Crash,
            "timeout" => ConditionKind::Timeout,
            _ => {
                if let Some(code) = text.strip_prefix("exit!=") {
                    ConditionKind::NotExit(parse_code(code, text)?)
                } else if let Some(codes) = text.strip_prefix("exit=") {
                    ConditionKind::Exit(parse_codes(codes, text)?)
                } else if let Some(signal) = text.strip_prefix("signal=") {
                    let number = signal_number(&signal.to_ascii_uppercase());
                    ConditionKind::Signal(number.ok_or_else(|| NotACondition::NoSignal(text.to_owned()))?)
                } else {
                    parse_match(text)?
                }
            }
        };
        Ok(Self { text: text.to_owned(), kind })
    }
}

fn parse_codes(codes: &str, text: &str) -> Result<RangeInclusive<i32>, NotACondition> {
    let (first, last) = codes.split_once("..").unwrap_or((codes, codes));
    let range = parse_code(first, text)?..=parse_code(last, text)?;
    if range.is_empty() { Err(NotACondition::EmptyRange(text.to_owned())) } else { Ok(range) }
}

fn parse_code(code: &str, text: &str) -> Result<i32, NotACondition> {
    let code: Result<u8, _> = code.parse();
    code.map(i32::from).map_err(|_| NotACondition::NoCode(text.to_owned()))
}

fn parse_match(text: &str) -> Result<ConditionKind, NotACondition> {
    let unknown = || NotACondition::Unknown(text.to_owned());
    let (place, pattern) = text.split_once('~').ok_or_else(unknown)?;
    let place = match place {
        "stdout" => SearchedText::Stdout,
        "stderr" => SearchedText::Stderr,
        "output" => SearchedText::Output,
        _ => {
            let path = Path::new(place.strip_prefix("file:").ok_or_else(unknown)?);
            let stays =
                path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
            if !stays || path.file_name().is_none() {
                return Err(NotACondition::NoFile(text.to_owned()));
            }
            SearchedText::File(path.to_owned())
        }
    };
    let pattern = RegexBuilder::new(pattern).multi_line(true).build().map_err(|error| {
        // The last line gives the reason. The lines before it draw the place, for a terminal.
        let why =
            error.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        NotACondition::NoPattern { text: text.to_owned(), why }
    })?;
    Ok(ConditionKind::Matches(place, pattern))
}

impl Condition {
    /// The file of the workspace that it looks at, if it looks at one.
    #[must_use]
    pub fn file(&self) -> Option<&std::path::Path> {
        match &self.kind {
            ConditionKind::Matches(SearchedText::File(path), _) => Some(path),
            _ => None,
        }
    }

    /// Whether a run meets the condition.
    #[must_use]
    pub fn holds(&self, execution: &Execution) -> bool {
        match &self.kind {
            ConditionKind::Exit(codes) => {
                matches!(execution.ending, TestEnding::Exit(code) if codes.contains(&code))
            }
            ConditionKind::NotExit(code) => {
                !matches!(execution.ending, TestEnding::Exit(execution) if execution == *code)
                    && execution.ending != TestEnding::TimedOut
            }
            ConditionKind::Signal(number) => execution.ending.plain() == TestEnding::Signal(*number),
            ConditionKind::Crash => is_crash(execution.ending),
            ConditionKind::Timeout => execution.ending == TestEnding::TimedOut,
            ConditionKind::Matches(SearchedText::Stdout, pattern) => is_in(&execution.stdout, pattern),
            ConditionKind::Matches(SearchedText::Stderr, pattern) => is_in(&execution.stderr, pattern),
            ConditionKind::Matches(SearchedText::Output, pattern) => {
                is_in(&execution.stdout, pattern) || is_in(&execution.stderr, pattern)
            }
            ConditionKind::Matches(SearchedText::File(path), pattern) => {
                is_in_file(&execution.workspace.join(path), pattern)
            }
        }
    }
}

fn is_in(stream: &Captured, pattern: &Regex) -> bool {
    stream.pieces().any(|piece| pattern.is_match(piece))
}

fn is_in_file(path: &Path, pattern: &Regex) -> bool {
    // Opening a named pipe would block until a process writes to it.
    if !path.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let mut content = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST_FILE).read_to_end(&mut content));
    read.is_ok() && pattern.is_match(&content)
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The condition that an ending meets, for hints.
pub(crate) fn condition_for(ending: TestEnding) -> String {
    match ending.plain() {
        TestEnding::Exit(code) => format!("exit={code}"),
        TestEnding::Signal(number) => format!("signal={}", signal_name(number)),
        TestEnding::TimedOut => "timeout".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(condition: &str, execution: &Execution) -> bool {
        condition.parse::<Condition>().unwrap().holds(execution)
    }

    fn refusal(condition: &str) -> String {
        let error = condition.parse::<Condition>().unwrap_err();
        assert!(error.hint().is_some());
        error.to_string()
    }

    #[test]
    fn exit_codes_are_compared_as_numbers_and_ranges() {
        let three = Execution::new(TestEnding::Exit(3));
        assert!(holds("exit=3", &three) && holds("exit!=0", &three) && holds("exit=1..124", &three));
        assert!(!holds("exit=4", &three) && !holds("exit!=3", &three) && !holds("exit=4..9", &three));
    }

    #[test]
    fn a_signal_counts_as_another_exit_code_but_a_timeout_does_not() {
        assert!(holds("exit!=0", &Execution::new(TestEnding::Signal(11))));
        assert!(!holds("exit!=0", &Execution::new(TestEnding::TimedOut)));
        assert!(!holds("exit=0..255", &Execution::new(TestEnding::Signal(11))));
    }

    #[test]
    fn a_crash_seen_through_a_shell_is_still_a_crash() {
        for ending in [TestEnding::Signal(11), TestEnding::Exit(139)] {
            let execution = Execution::new(ending);
            assert!(
                holds("signal=SEGV", &execution)
                    && holds("signal=SIGSEGV", &execution)
                    && holds("crash", &execution)
            );
        }
        assert!(!holds("crash", &Execution::new(TestEnding::Signal(9))), "a killed program has not crashed");
        assert!(!holds("crash", &Execution::new(TestEnding::Exit(1))));
    }

    #[test]
    fn output_is_searched_line_by_line_whatever_its_encoding() {
        let mut execution = Execution::new(TestEnding::Exit(0));
        execution.stdout = Captured::whole("first\nsecond \u{e9}\n");
        execution.stderr = Captured::whole(b"\xff\xfe error: x~y".to_vec());
        assert!(holds("stdout~^second .$", &execution) && !holds("stderr~second", &execution));
        assert!(holds("stderr~error: x~y", &execution), "only the first ~ ends the name");
        assert!(holds("output~second", &execution) && holds("output~error", &execution));
    }

    #[test]
    fn files_are_searched_in_the_workspace() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::write(temp.path().join("result"), "wrong answer").unwrap();
        let execution =
            Execution { workspace: temp.path().to_owned(), ..Execution::new(TestEnding::Exit(0)) };
        assert!(holds("file:result~wrong", &execution));
        assert!(!holds("file:result~right", &execution) && !holds("file:missing~.*", &execution));
        nix::unistd::mkfifo(&temp.path().join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(!holds("file:pipe~.*", &execution), "and this did not wait forever");
    }

    #[test]
    fn an_error_says_what_is_wrong_with_a_condition() {
        assert_eq!(refusal("exti=3"), "`exti=3` is not a condition");
        assert_eq!(refusal("exit=300"), "`exit=300` has no valid exit code: exit codes go from 0 to 255");
        assert_eq!(refusal("exit=9..3"), "`exit=9..3` is an empty range");
        assert_eq!(refusal("signal=NOPE"), "`signal=NOPE` does not name a signal");
        assert_eq!(refusal("stderr~("), "the regular expression in `stderr~(` is not valid: unclosed group");
        assert_eq!(refusal("file:../x~y"), "`file:../x~y` does not name a file in the workspace of the test");
        assert_eq!(refusal("stdlog~x"), "`stdlog~x` is not a condition");
        assert_eq!(refusal(""), "`` is not a condition");
    }
}
