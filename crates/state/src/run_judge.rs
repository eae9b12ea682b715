//! Judges an altered run: by what tells the two original runs apart, by conditions, or by the user's own test.

use crate::run_result::RunResult;
use crate::tracee::RunEnd;
use crate::user_test::UserTest;
use howcome_dd::Outcome;
use howcome_lab::{Captured, Condition, TestEnding};
use howcome_run::Because;

/// Judges altered runs.
#[derive(Clone, Debug)]
pub struct RunJudge {
    passing: RunResult,
    failing: RunResult,
    terms: FailureTerms,
    /// To the search, passing is the failure.
    reversed: bool,
}

/// What the user says about passing and failing, besides the two runs.
#[derive(Clone, Debug, Default)]
pub struct FailureTerms {
    /// A run fails if all of these hold.
    pub fails_when: Vec<Condition>,
    /// A run passes if all of these hold.
    pub passes_when: Vec<Condition>,
    /// A command that judges what a run printed.
    pub test: Option<UserTest>,
}

impl FailureTerms {
    /// Whether the two runs alone decide what the failure is.
    #[must_use]
    pub fn says_nothing(&self) -> bool {
        self.fails_when.is_empty() && self.passes_when.is_empty() && self.test.is_none()
    }
}

impl RunJudge {
    /// Judges by these two, which ran on from the same place unaltered. `None` if they cannot be told apart.
    #[must_use]
    pub fn new(passing: RunResult, failing: RunResult, terms: FailureTerms) -> Option<Self> {
        let judge = Self { passing, failing, terms, reversed: false };
        let outcomes = [&judge.passing, &judge.failing].map(|seen| judge.judge(seen).0);
        (outcomes == [Outcome::Pass, Outcome::Fail]).then_some(judge)
    }

    /// The same with passing and failing exchanged.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self { reversed: !self.reversed, ..self.clone() }
    }

    /// The outcome of an altered run for the search.
    #[must_use]
    pub fn tell(&self, seen: &RunResult) -> (Outcome, Because) {
        let (outcome, because) = self.judge(seen);
        let outcome = match outcome {
            Outcome::Pass if self.reversed => Outcome::Fail,
            Outcome::Fail if self.reversed => Outcome::Pass,
            outcome => outcome,
        };
        (outcome, because)
    }

    /// Whether a run does what one of the two runs does: it ends alike, and prints the same where the two runs first differ.
    fn is_like(&self, seen: &RunResult, side: &RunResult) -> bool {
        if !self.failing.ends_like(&self.passing) {
            // One exit code can stand for many errors, so the error message counts too.
            let complains = |seen: &RunResult| {
                let known = howcome_lab::essence(&looked(seen));
                known.map_or_else(|| complaint(&seen.printed[1]), String::into_bytes)
            };
            let is_status = matches!(side.end, RunEnd::Exited(status) if status != 0);
            return seen.ends_like(side) && (!is_status || complains(seen) == complains(side));
        }
        if self.failing.printed == self.passing.printed {
            return seen.is_like(side);
        }
        let stream = usize::from(self.failing.printed[0] == self.passing.printed[0]);
        let [seen_text, side_text] = [seen, side].map(|seen| seen.printed[stream].as_slice());
        let same = common_words(&self.failing.printed[stream], &self.passing.printed[stream]);
        seen.ends_like(side) && starts_like(seen_text, side_text, same)
    }

    /// The outcome of an altered run. If the two runs end differently, their ends decide. If they end alike, the first word
    /// that they print differently decides, together with everything before it.
    #[must_use]
    pub fn judge(&self, seen: &RunResult) -> (Outcome, Because) {
        let because = seen.because();
        if let Some(test) = &self.terms.test {
            return match test.judge(seen) {
                Ok(outcome) => (outcome, because),
                Err(why) => (Outcome::Unresolved, why),
            };
        }
        if self.terms.says_nothing() {
            return match (self.is_like(seen, &self.passing), self.is_like(seen, &self.failing)) {
                (true, false) => (Outcome::Pass, because),
                (false, true) => (Outcome::Fail, because),
                _ if seen.end == self.failing.end || seen.because() == self.failing.because() => {
                    let is_there = seen.ends_like(&self.failing);
                    let elsewhere = || Because::OtherThan(format!("{because}, but at another place"));
                    let said_otherwise = || Because::SaidOtherwise(because.to_string());
                    (Outcome::Unresolved, if is_there { said_otherwise() } else { elsewhere() })
                }
                _ => (Outcome::Unresolved, because),
            };
        }
        let looked = looked(seen);
        let holds = |conditions: &[Condition], side: &RunResult| match conditions {
            [] => self.is_like(seen, side),
            conditions => conditions.iter().all(|condition| condition.holds(&looked)),
        };
        match (holds(&self.terms.passes_when, &self.passing), holds(&self.terms.fails_when, &self.failing)) {
            (_, true) => (Outcome::Fail, because),
            (true, false) => (Outcome::Pass, because),
            (false, false) => (Outcome::Unresolved, because),
        }
    }
}

/// The first line of a text without its numbers.
fn complaint(text: &[u8]) -> Vec<u8> {
    let line = text.split(|byte| *byte == b'\n').find(|line| !line.is_empty()).unwrap_or_default();
    let mut complaint: Vec<u8> =
        line.iter().map(|byte| if byte.is_ascii_digit() { b'0' } else { *byte }).collect();
    complaint.dedup_by(|next, last| *next == b'0' && *last == b'0');
    complaint
}

/// How many bytes of two texts are the same, in whole words.
pub(crate) fn common_words(one: &[u8], other: &[u8]) -> usize {
    let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let is_whole = |text: &[u8]| text.get(same).is_none_or(u8::is_ascii_whitespace);
    if is_whole(one) && is_whole(other) {
        return same;
    }
    one[..same].iter().rposition(u8::is_ascii_whitespace).map_or(0, |space| space + 1)
}

/// Whether two texts are the same up to a byte, and in the word that begins there.
fn starts_like(text: &[u8], other: &[u8], same: usize) -> bool {
    let word = |text: &[u8]| -> Option<Vec<u8>> {
        let rest = text.get(same..)?;
        let start = rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
        let length = rest[start..].iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len() - start);
        Some(rest[..start + length].to_vec())
    };
    text.get(..same) == other.get(..same) && word(text) == word(other)
}

/// A run as the conditions of the lab see it.
fn looked(seen: &RunResult) -> howcome_lab::Execution {
    let ending = match &seen.end {
        RunEnd::Exited(status) => TestEnding::Exit(*status),
        RunEnd::Killed(crash) => TestEnding::Signal(crash.signal),
        RunEnd::TimedOut => TestEnding::TimedOut,
        RunEnd::Returned | RunEnd::Round(_) => TestEnding::Exit(0),
    };
    let mut looked = howcome_lab::Execution::new(ending);
    looked.stdout = Captured::whole(seen.printed[0].clone());
    looked.stderr = Captured::whole(seen.printed[1].clone());
    looked.took = seen.took;
    looked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracee::{ActiveCall, Crash};
    use std::time::Duration;

    fn printed(text: &str) -> RunResult {
        RunResult {
            end: RunEnd::Exited(0),
            exit_calls: Vec::new(),
            printed: [text.into(), Vec::new()],
            arrived: true,
            returned: None,
            took: Duration::ZERO,
        }
    }

    fn judge(passing: RunResult, failing: RunResult) -> Option<RunJudge> {
        RunJudge::new(passing, failing, FailureTerms::default())
    }

    #[test]
    fn the_first_word_that_differs_decides() {
        let judge = judge(printed("sum 4 5 6\n"), printed("sum 0 5\n")).unwrap_or_else(|| unreachable!());
        let outcome = |text| judge.judge(&printed(text)).0;
        assert_eq!(outcome("sum 0 5 6\n"), Outcome::Fail);
        assert_eq!(outcome("sum 4"), Outcome::Pass);
        for neither in ["sum 40 5 6\n", "total 0 5\n", "sum 5", "sum", ""] {
            assert_eq!(outcome(neither), Outcome::Unresolved, "{neither}");
        }
    }

    #[test]
    fn a_text_that_ends_too_soon_is_a_difference_as_well() {
        let judge = judge(printed("one two"), printed("one")).unwrap_or_else(|| unreachable!());
        let outcome = |text| judge.judge(&printed(text)).0;
        assert_eq!([outcome("one"), outcome("one two three")], [Outcome::Fail, Outcome::Pass]);
        assert_eq!(outcome("one three"), Outcome::Unresolved);
    }

    #[test]
    fn the_same_exit_status_with_another_complaint_is_another_failure() {
        let complains =
            |text: &str| RunResult { end: RunEnd::Exited(1), printed: [vec![], text.into()], ..printed("") };
        let judge = judge(printed("x"), complains("line 3: no number\n")).unwrap_or_else(|| unreachable!());
        assert_eq!(judge.judge(&complains("line 12: no number\nat the end")).0, Outcome::Fail);
        assert_eq!(judge.judge(&complains("line 3: no brace\n")).0, Outcome::Unresolved);
        assert_eq!(judge.judge(&printed("y")).0, Outcome::Pass);
    }

    #[test]
    fn a_panic_is_known_by_what_it_says_not_by_its_status() {
        let panics = |text: &str| RunResult {
            end: RunEnd::Exited(101),
            printed: [vec![], text.into()],
            ..printed("")
        };
        let said = "thread 'main' (123) panicked at src/a.rs:3:5:\nbegin > end\n";
        let judge = judge(printed("x"), panics(said)).unwrap_or_else(|| unreachable!());
        assert_eq!(judge.judge(&panics(&said.replace("123", "77"))).0, Outcome::Fail);
        assert_eq!(judge.judge(&panics(&said.replace("begin > end", "no index"))).0, Outcome::Unresolved);
    }

    #[test]
    fn what_the_user_calls_the_failure_leaves_passing_to_the_passing_run() {
        let fails_when = vec!["stdout~^0".parse().unwrap_or_else(|_| unreachable!())];
        let terms = FailureTerms { fails_when, ..FailureTerms::default() };
        let judge =
            RunJudge::new(printed("4 5 6 7\n"), printed("0 5 6\n"), terms).unwrap_or_else(|| unreachable!());
        assert_eq!(judge.judge(&printed("4 5 6\n")).0, Outcome::Pass);
        assert_eq!(judge.judge(&printed("0 9\n")).0, Outcome::Fail);
        assert_eq!(judge.judge(&printed("9\n")).0, Outcome::Unresolved);
    }

    #[test]
    fn runs_that_do_the_same_cannot_be_judged_by() {
        assert!(judge(printed("x"), printed("x")).is_none());
    }

    #[test]
    fn the_same_signal_out_of_another_function_is_another_failure() {
        let crash = |name: &str| RunResult {
            end: RunEnd::Killed(Crash {
                signal: 11,
                backtrace: vec![ActiveCall { function: name.to_owned(), at: None }],
            }),
            ..printed("")
        };
        let judge = judge(printed("x"), crash("f")).unwrap_or_else(|| unreachable!());
        assert_eq!(judge.judge(&crash("f")).0, Outcome::Fail);
        assert_eq!(judge.judge(&crash("g")).0, Outcome::Unresolved);
        assert_eq!(judge.judge(&printed("anything")).0, Outcome::Pass);
    }
}
