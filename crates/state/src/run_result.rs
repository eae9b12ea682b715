//! What a run does from the place at which it was stopped to its end.

use crate::Address;
use crate::tracee::{ActiveCall, Crash, RunEnd};
use howcome_run::{Because, signal_name};
use std::time::Duration;

/// What a run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunResult {
    /// How it ended.
    pub end: RunEnd,
    /// The calls that were active when it exited with an error, innermost first.
    pub exit_calls: Vec<ActiveCall>,
    /// What it printed since it was stopped: to standard output, and to standard error.
    pub printed: [Vec<u8>; 2],
    /// Whether it reached the mark, from which on its output counts.
    pub arrived: bool,
    /// What the function returned in which the run was stopped, if the run ended with it.
    pub returned: Option<u64>,
    /// How long it took.
    pub took: Duration,
}

impl RunResult {
    /// Whether two runs ended alike: with the same signal or the same exit code for an error, at the same place with the
    /// same active calls, or with exit code 0.
    #[must_use]
    pub fn ends_like(&self, other: &Self) -> bool {
        if self.arrived != other.arrived {
            return false;
        }
        match (&self.end, &other.end) {
            (RunEnd::Killed(one), RunEnd::Killed(other)) => {
                one.signal == other.signal && is_same_place(&one.backtrace, &other.backtrace)
            }
            (RunEnd::Exited(one), RunEnd::Exited(code)) => {
                one == code && is_same_place(&self.exit_calls, &other.exit_calls)
            }
            (one, other) => one == other,
        }
    }

    /// Whether two runs cannot be told apart.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        self.ends_like(other) && self.printed == other.printed && self.returned == other.returned
    }

    /// The end of the run as the reason of an outcome.
    #[must_use]
    pub fn because(&self) -> Because {
        match &self.end {
            RunEnd::Exited(status) => Because::Exit(*status),
            RunEnd::Killed(crash) => Because::Signal(crash.signal),
            RunEnd::TimedOut => Because::TimedOut,
            RunEnd::Returned | RunEnd::Round(_) => Because::Exit(0),
        }
    }
}

/// How the failing run differs from the passing run, in words: what the failing run does, then what the passing run does.
#[must_use]
pub fn describe_difference(failing: &RunResult, passing: &RunResult) -> (String, String) {
    if let (RunEnd::Round(failing), RunEnd::Round(passing)) = (&failing.end, &passing.end)
        && failing != passing
    {
        return describe_lines(failing, passing);
    }
    if !failing.ends_like(passing) {
        return (describe_end(&failing.end), describe_end(&passing.end));
    }
    if let (true, Some(one), Some(other)) =
        (failing.printed == passing.printed, failing.returned, passing.returned)
    {
        return (format!("it returns {}", one as i64), format!("it returns {}", other as i64));
    }
    if failing.printed == passing.printed {
        return (describe_end(&failing.end), describe_end(&passing.end));
    }
    let stream = usize::from(failing.printed[0] == passing.printed[0]);
    let name = if stream == 0 { "the output" } else { "what it says on standard error" };
    let texts = [failing, passing].map(|seen| String::from_utf8_lossy(&seen.printed[stream]).into_owned());
    let [failing, passing] = &texts;
    if passing.is_empty() || failing.is_empty() {
        let words = |text: &str| match text {
            "" => format!("{name} is empty"),
            text => format!("{name} starts with {:?}", cut(text, 0)),
        };
        return (words(failing), words(passing));
    }
    let same = failing.chars().zip(passing.chars()).take_while(|(one, other)| one == other).count();
    // From the start of the word that differs.
    let before: String = failing.chars().take(same).collect();
    let start = before.rfind(char::is_whitespace).map_or(0, |at| before[..=at].chars().count());
    let line = before.matches('\n').count() + 1;
    let is_first = before.trim().is_empty() || start == 0;
    let verb = match (is_first, line) {
        (true, _) => format!("{name} starts with"),
        (false, line) => format!("line {line} of {name} goes on with"),
    };
    (format!("{verb} {:?}", cut(failing, start)), format!("{verb} {:?}", cut(passing, start)))
}

/// The first line that only one of two rounds executes, in words.
fn describe_lines(failing: &[u32], passing: &[u32]) -> (String, String) {
    let only = |lines: &[u32], others: &[u32]| lines.iter().find(|line| !others.contains(line)).copied();
    match (only(failing, passing), only(passing, failing)) {
        (Some(line), Some(other)) => {
            (format!("it executes line {line}"), format!("it executes line {other}"))
        }
        (Some(line), None) => {
            (format!("it executes line {line}"), format!("it does not execute line {line}"))
        }
        (None, other) => {
            let line = other.unwrap_or_default();
            (format!("it does not execute line {line}"), format!("it executes line {line}"))
        }
    }
}

/// The next word of a text.
fn cut(text: &str, start: usize) -> String {
    const MOST: usize = 24;
    let rest: String = text.chars().skip(start).collect();
    let line = rest.trim_start_matches('\n').lines().next().unwrap_or_default();
    let word = line.find(char::is_whitespace).filter(|at| *at > 0).unwrap_or(line.len());
    let mut short: String = line[..word].chars().take(MOST).collect();
    if line[..word].chars().count() > MOST {
        short.push('…');
    }
    short
}

/// An end in words.
#[must_use]
pub fn describe_end(end: &RunEnd) -> String {
    match end {
        RunEnd::Exited(status) => format!("it exits with {status}"),
        RunEnd::Killed(crash) => match own(crash) {
            Some(function) => format!("it ends by signal {} in {function}", signal_name(crash.signal)),
            None => format!("it ends by signal {}", signal_name(crash.signal)),
        },
        RunEnd::TimedOut => "it does not end".to_owned(),
        RunEnd::Returned => "it returns".to_owned(),
        RunEnd::Round(_) => "the next round begins".to_owned(),
    }
}

/// The innermost function of a crash that is not a function of the C library.
fn own(crash: &Crash) -> Option<&str> {
    let is_of_library = |name: &str| {
        name == "?"
            || name.starts_with('_')
            || matches!(name, "raise" | "abort" | "pthread_kill" | "gsignal" | "kill")
    };
    crash.backtrace.iter().map(|call| call.function.as_str()).find(|name| !is_of_library(name))
}

/// Whether two runs ended at the same place: the same calls from the same places. Of a recursion, neither the depth nor the
/// function at which the cycle ended nor the places of its calls matter.
#[must_use]
pub fn is_same_place(one: &[ActiveCall], other: &[ActiveCall]) -> bool {
    let (one, other) = (fold_recursion(one), fold_recursion(other));
    let is_same = |one: &FoldedCall<'_>, other: &FoldedCall<'_>| {
        one.0 == other.0 && (one.1.is_none() || other.1.is_none() || one.1 == other.1)
    };
    one.len() == other.len() && one.iter().zip(&other).all(|(one, other)| is_same(one, other))
}

/// A function of a backtrace, and where the run is in it, unless it repeats.
type FoldedCall<'a> = (&'a str, Option<Address>);

/// A backtrace with its recursion folded: the functions, and where the run is in those that do not repeat.
fn fold_recursion(backtrace: &[ActiveCall]) -> Vec<FoldedCall<'_>> {
    const LONGEST_CIRCLE: usize = 8;
    let names: Vec<&str> = backtrace.iter().map(|call| call.function.as_str()).collect();
    let mut folded: Vec<FoldedCall<'_>> = Vec::new();
    let mut at = 0;
    while at < names.len() {
        let repeats = |length: &usize| {
            let (one, rest) = names[at..].split_at(*length);
            rest.len() >= *length && rest[..*length] == *one
        };
        let circle = (1..=LONGEST_CIRCLE).filter(|length| at + 2 * length <= names.len()).find(repeats);
        let Some(length) = circle else {
            folded.push((names[at], backtrace[at].at));
            at += 1;
            continue;
        };
        let circle = &names[at..at + length];
        while names[at..].starts_with(circle) {
            at += length;
        }
        // The start of another turn.
        let rest = names[at..].iter().zip(circle).take_while(|(one, other)| one == other).count();
        at += rest;
        let mut turned = circle.to_vec();
        let least = (0..length).min_by_key(|turn| {
            let mut turned = circle.to_vec();
            turned.rotate_left(*turn);
            turned
        });
        turned.rotate_left(least.unwrap_or(0));
        folded.extend(turned.into_iter().map(|name| (name, None)));
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls as `f` or `f@12`, with the place in the function.
    fn trace(calls: &str) -> Vec<ActiveCall> {
        let call = |text: &str| {
            let (function, at) = text.split_once('@').unwrap_or((text, ""));
            ActiveCall { function: function.to_owned(), at: at.parse().ok().map(Address) }
        };
        calls.split(' ').map(call).collect()
    }

    fn seen(end: RunEnd, printed: &str) -> RunResult {
        RunResult {
            end,
            exit_calls: Vec::new(),
            printed: [printed.into(), Vec::new()],
            arrived: true,
            returned: None,
            took: Duration::ZERO,
        }
    }

    #[test]
    fn recursion_is_folded_wherever_it_was_caught() {
        let is_same = |one, other| is_same_place(&trace(one), &trace(other));
        assert!(is_same("a a a main", "a main"));
        assert!(is_same("a b a b a b main", "b a b a b main"));
        assert!(!is_same("a b main", "b a main"));
        assert!(is_same("a@1 a@2 a@1 main@7", "a@2 main@7"));
    }

    #[test]
    fn the_same_function_called_from_another_line_is_another_place() {
        let is_same = |one, other| is_same_place(&trace(one), &trace(other));
        assert!(is_same("fail@3 main@20", "fail@3 main@20"));
        assert!(!is_same("fail@3 main@20", "fail@3 main@30"));
        assert!(!is_same("fail@3 main@20", "fail@4 main@20"));
    }

    #[test]
    fn two_crashes_in_different_functions_are_not_alike() {
        let crash = |names| seen(RunEnd::Killed(Crash { signal: 11, backtrace: trace(names) }), "");
        assert!(crash("f f main").ends_like(&crash("f main")));
        assert!(!crash("f main").ends_like(&crash("g main")));
    }

    #[test]
    fn the_difference_is_told_by_the_ending_or_by_the_first_word_that_differs() {
        let exits = |status, printed| seen(RunEnd::Exited(status), printed);
        let words = |failing, passing| describe_difference(&failing, &passing);
        let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        assert_eq!(words(exits(1, ""), exits(0, "")), pair("it exits with 1", "it exits with 0"));
        assert_eq!(
            words(exits(0, "0 5 6"), exits(0, "4 5 6")),
            pair("the output starts with \"0\"", "the output starts with \"4\"")
        );
        assert_eq!(
            words(exits(0, "sum\n12 5"), exits(0, "sum\n12 57")),
            pair("line 2 of the output goes on with \"5\"", "line 2 of the output goes on with \"57\"")
        );
        assert_eq!(words(exits(0, ""), exits(0, "x")).0, "the output is empty");
    }
}
