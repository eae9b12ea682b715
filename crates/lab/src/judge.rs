//! The oracle of the command line: it compares a run with the two sides, or reads its exit code.

use crate::condition::is_crash;
use crate::details::FailureDetails;
use crate::errors::essence;
use crate::experiment::{Oracle, Verdict};
use crate::likeness::Likeness;
use crate::runners::PrintedText;
use crate::targets::TargetTest;
use crate::{Condition, Execution, SKIP, Signature, TestEnding};
use howcome_dd::Outcome;
use howcome_run::Because;
use std::fmt;

/// What a run must look like to count as one side.
#[derive(Clone, Debug)]
pub enum SidePattern {
    /// Like this recorded run.
    Signature(Signature),
    /// All of these conditions of the user hold.
    Conditions(Vec<Condition>),
}

impl SidePattern {
    /// Whether a run looks like this side.
    #[must_use]
    pub fn matches(&self, execution: &Execution) -> bool {
        match self {
            SidePattern::Signature(signature) => signature.matches(execution),
            SidePattern::Conditions(conditions) => {
                conditions.iter().all(|condition| condition.holds(execution))
            }
        }
    }

    fn comes_from_the_user(&self) -> bool {
        matches!(self, SidePattern::Conditions(_))
    }
}

impl fmt::Display for SidePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SidePattern::Signature(signature) => signature.fmt(f),
            SidePattern::Conditions(conditions) => {
                let texts: Vec<String> = conditions.iter().map(ToString::to_string).collect();
                f.write_str(&texts.join(" and "))
            }
        }
    }
}

/// Judges runs by the way they end and by their output.
#[derive(Clone, Debug)]
pub struct Judge {
    rule: JudgeRule,
    same: Vec<Likeness>,
    /// The details of the failing side, if the program varies.
    details: Option<FailureDetails>,
    /// Whether tests that fail besides belong to the details, if nothing else is known.
    compares_others: bool,
}

#[allow(clippy::large_enum_variant, reason = "a run has few judges")]
#[derive(Clone, Debug)]
enum JudgeRule {
    Sides {
        fail: SidePattern,
        pass: Option<SidePattern>,
    },
    /// The test that a test runner reports. If it is `inverted`, a pass is what is looked for.
    Target {
        test: Box<TargetTest>,
        inverted: bool,
    },
    Bisect,
}

impl Judge {
    /// Compares runs with both sides. A run that looks like neither side is unresolved.
    #[must_use]
    pub fn between(fail: SidePattern, pass: SidePattern) -> Self {
        Self {
            rule: JudgeRule::Sides { fail, pass: Some(pass) },
            same: Vec::new(),
            details: None,
            compares_others: false,
        }
    }

    /// Compares runs with the failing side. Any other run passes.
    #[must_use]
    pub fn of_failure(fail: SidePattern) -> Self {
        Self {
            rule: JudgeRule::Sides { fail, pass: None },
            same: Vec::new(),
            details: None,
            compares_others: false,
        }
    }

    /// Looks at one test of a test runner. If `inverted`, a run in which it passes is the one that is looked for.
    pub(crate) fn of_target(test: TargetTest, inverted: bool) -> Self {
        Self {
            rule: JudgeRule::Target { test: Box::new(test), inverted },
            same: Vec::new(),
            details: None,
            compares_others: false,
        }
    }

    /// Other tests that fail on the failing side and not on the passing side. They are not looked at.
    #[must_use]
    pub fn other_failing_tests(&self) -> &[String] {
        match &self.rule {
            JudgeRule::Target { test, .. } => test.others(),
            JudgeRule::Sides { .. } | JudgeRule::Bisect => &[],
        }
    }

    /// Whether nothing but the ending tells a failure from other runs: no test, error or condition does.
    #[must_use]
    pub fn is_by_ending(&self) -> bool {
        match &self.rule {
            JudgeRule::Sides { fail: SidePattern::Signature(signature), .. } => !signature.has_error(),
            JudgeRule::Sides { .. } | JudgeRule::Target { .. } | JudgeRule::Bisect => false,
        }
    }

    /// Reads exit codes like `git bisect run`.
    #[must_use]
    pub fn bisect() -> Self {
        Self { rule: JudgeRule::Bisect, same: Vec::new(), details: None, compares_others: false }
    }

    /// Adds aspects that a run must share with the failure. A run that ends like the failure but differs in one of them
    /// is unresolved.
    pub(crate) fn with_same(self, same: Vec<Likeness>) -> Self {
        Self { same, ..self }
    }

    /// Remembers the details of the failing side.
    pub(crate) fn with_details_of(self, failing: &Execution) -> Self {
        Self { details: self.details_of(failing), ..self }
    }

    /// Remembers the details of the failing side, and if these say nothing, which other tests fail there.
    pub(crate) fn with_details_and_others_of(self, failing: &Execution) -> Self {
        Self { compares_others: true, ..self }.with_details_of(failing)
    }

    fn details_of(&self, execution: &Execution) -> Option<FailureDetails> {
        match &self.rule {
            JudgeRule::Sides { fail: SidePattern::Signature(_), .. } => {
                Some(FailureDetails::of_output(&PrintedText::of(execution)))
            }
            JudgeRule::Target { test, inverted: false } => test.details(execution, self.compares_others),
            JudgeRule::Sides { .. } | JudgeRule::Target { .. } | JudgeRule::Bisect => None,
        }
    }

    fn by_ending(&self, execution: &Execution) -> Verdict {
        match &self.rule {
            JudgeRule::Sides { fail, pass } => {
                let mut verdict = Verdict::new(compare(fail, pass.as_ref(), execution), execution);
                if let SidePattern::Signature(signature) = fail
                    && let Some(error) = signature.other_message(execution)
                {
                    verdict.because = signature.because_of_other_message(execution, &error);
                }
                // With two sides there are always endings that match neither. With a single failure, another ending can
                // be another failure.
                if pass.is_none() && verdict.outcome == Outcome::Pass {
                    verdict.also.extend(another_failure(execution));
                }
                verdict
            }
            JudgeRule::Target { test, inverted } => {
                let verdict = test.judge(execution);
                let outcome = match verdict.outcome {
                    Outcome::Pass if *inverted => Outcome::Fail,
                    Outcome::Fail if *inverted => Outcome::Pass,
                    outcome => outcome,
                };
                Verdict { outcome, ..verdict }
            }
            JudgeRule::Bisect => bisect(execution),
        }
    }
}

/// What counts as the failure, in words.
impl fmt::Display for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.rule {
            JudgeRule::Sides { fail, .. } => fail.fmt(f),
            JudgeRule::Target { test, .. } => test.fmt(f),
            JudgeRule::Bisect => f.write_str("exit codes 1 to 127, as for git bisect run"),
        }
    }
}

impl Oracle for Judge {
    fn judge(&self, execution: &Execution) -> Verdict {
        // This code means the same everywhere.
        if execution.ending == TestEnding::Exit(SKIP) {
            return Verdict::new(Outcome::Unresolved, execution);
        }
        let mut verdict = self.by_ending(execution);
        if verdict.outcome == Outcome::Fail
            && let Some(how) = self.same.iter().find_map(|likeness| likeness.differs(execution))
        {
            verdict.outcome = Outcome::Unresolved;
            verdict.because = Because::OtherThan(format!("{}, but {how}", execution.ending.plain()));
        }
        verdict
    }

    fn differs(&self, execution: &Execution) -> bool {
        self.details.is_some() && self.details != self.details_of(execution)
    }
}

/// The name of another failure, if this run is one: how it ended, and the essence of its message.
fn another_failure(execution: &Execution) -> Option<String> {
    let said = if execution.ending == TestEnding::Exit(0) { None } else { essence(execution) };
    let ending = execution.ending.plain();
    match said {
        Some(said) => Some(format!("{ending}: {said}")),
        None => is_crash(ending).then(|| ending.to_string()),
    }
}

fn compare(fail: &SidePattern, pass: Option<&SidePattern>, execution: &Execution) -> Outcome {
    let Some(pass) = pass else {
        return if fail.matches(execution) { Outcome::Fail } else { Outcome::Pass };
    };
    match (fail.matches(execution), pass.matches(execution)) {
        (true, false) => Outcome::Fail,
        (false, true) => Outcome::Pass,
        (false, false) => Outcome::Unresolved,
        // The user's conditions take precedence over derived ones.
        (true, true) => match (fail.comes_from_the_user(), pass.comes_from_the_user()) {
            (true, false) => Outcome::Fail,
            (false, true) => Outcome::Pass,
            _ => Outcome::Unresolved,
        },
    }
}

// See `git help bisect`: with these exit codes the test is broken, so the run must not continue.
fn bisect(execution: &Execution) -> Verdict {
    match execution.ending {
        TestEnding::Exit(0) => Verdict::new(Outcome::Pass, execution),
        TestEnding::Exit(1..=127) => Verdict::new(Outcome::Fail, execution),
        TestEnding::TimedOut => Verdict::new(Outcome::Unresolved, execution),
        TestEnding::Exit(code) => asked_to_stop(code),
        // The code that a shell would report.
        TestEnding::Signal(number) => asked_to_stop(128 + number),
    }
}

fn asked_to_stop(code: i32) -> Verdict {
    Verdict { outcome: Outcome::Unresolved, because: Because::AskedToStop(code), also: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Captured, SameAspect};
    use Outcome::{Fail, Pass, Unresolved};

    fn exit(code: i32) -> Execution {
        Execution::new(TestEnding::Exit(code))
    }

    fn outcome(judge: &Judge, execution: &Execution) -> Outcome {
        judge.judge(execution).outcome
    }

    fn like(execution: &Execution) -> SidePattern {
        SidePattern::Signature(Signature::with_message(execution, true, true))
    }

    fn when(conditions: &[&str]) -> SidePattern {
        SidePattern::Conditions(conditions.iter().map(|text| text.parse().unwrap()).collect())
    }

    #[test]
    fn the_failure_is_what_the_failing_side_does_and_a_compilers_exit_2_is_unresolved() {
        let judge = Judge::between(like(&exit(1)), like(&exit(0)));
        assert_eq!(
            [1, 0, 2, 125].map(|code| outcome(&judge, &exit(code))),
            [Fail, Pass, Unresolved, Unresolved]
        );
        assert_eq!(outcome(&judge, &Execution::new(TestEnding::TimedOut)), Unresolved);
    }

    #[test]
    fn exit_0_is_the_failure_if_the_failing_side_exits_with_0() {
        let judge = Judge::of_failure(like(&exit(0)));
        assert_eq!([0, 1, 125].map(|code| outcome(&judge, &exit(code))), [Fail, Pass, Unresolved]);
    }

    #[test]
    fn a_signal_that_a_shell_reports_counts_as_the_signal() {
        let judge = Judge::of_failure(like(&Execution::new(TestEnding::Signal(11))));
        assert_eq!(outcome(&judge, &exit(139)), Fail);
        assert_eq!(judge.judge(&exit(139)).because, Because::Signal(11));
        assert_eq!(outcome(&judge, &exit(11)), Pass);
    }

    #[test]
    fn another_crash_with_the_same_signal_is_not_the_failure() {
        let crash =
            |said: &str| Execution { stderr: Captured::whole(said), ..Execution::new(TestEnding::Signal(6)) };
        let judge = Judge::between(like(&crash("panic: one")), like(&exit(0)));
        assert_eq!(outcome(&judge, &crash("panic: one")), Fail);
        assert_eq!(outcome(&judge, &crash("panic: two")), Unresolved);
    }

    #[test]
    fn another_failure_is_named_in_the_verdict() {
        let crash =
            |said: &str| Execution { stderr: Captured::whole(said), ..Execution::new(TestEnding::Signal(6)) };
        let judge = Judge::of_failure(like(&crash("panic: one 1")));
        let also = |execution: &Execution| judge.judge(execution).also;
        assert_eq!(also(&crash("panic: two 2")), ["signal ABRT: panic: two #"]);
        assert_eq!(also(&Execution::new(TestEnding::Signal(11))), ["signal SEGV"]);
        assert_eq!(also(&crash("panic: one 3")), [""; 0]);
        assert_eq!(also(&exit(1)), [""; 0]);
    }

    #[test]
    fn all_conditions_must_hold() {
        let judge = Judge::of_failure(when(&["exit=1", "stderr~boom"]));
        let boom = Execution { stderr: Captured::whole("boom"), ..exit(1) };
        assert_eq!(outcome(&judge, &boom), Fail);
        assert_eq!(outcome(&judge, &exit(1)), Pass);
    }

    #[test]
    fn the_users_conditions_take_precedence_over_derived_ones() {
        let ok = Execution { stdout: Captured::whole("ok"), ..exit(0) };
        let judge = Judge::between(like(&exit(0)), when(&["stdout~ok"]));
        assert_eq!([outcome(&judge, &ok), outcome(&judge, &exit(0))], [Pass, Fail]);
        let judge = Judge::between(when(&["stdout~ok"]), like(&exit(0)));
        assert_eq!([outcome(&judge, &ok), outcome(&judge, &exit(0))], [Fail, Pass]);
        let judge = Judge::between(when(&["exit=0"]), when(&["stdout~ok"]));
        assert_eq!(outcome(&judge, &ok), Unresolved);
    }

    #[test]
    fn a_run_that_ends_like_the_failure_but_differs_in_an_aspect_is_unresolved() {
        let uses = |code, megabytes: u64| Execution { memory: megabytes * 1_000_000, ..exit(code) };
        let same = Likeness::of(SameAspect::Memory(2.0), &uses(1, 40)).unwrap();
        let judge = Judge::between(like(&exit(1)), like(&exit(0))).with_same(vec![same]);
        let other = judge.judge(&uses(1, 512));
        assert_eq!(other.because.to_string(), "exit code 1, but it used 512 MB instead of 40 MB");
        assert_eq!(other.outcome, Unresolved);
        assert_eq!([outcome(&judge, &uses(1, 50)), outcome(&judge, &uses(0, 512))], [Fail, Pass]);
    }

    #[test]
    fn a_timeout_can_be_the_failure() {
        let judge = Judge::between(like(&Execution::new(TestEnding::TimedOut)), like(&exit(0)));
        assert_eq!(outcome(&judge, &Execution::new(TestEnding::TimedOut)), Fail);
    }

    #[test]
    fn exit_codes_can_be_read_like_git_bisect_reads_them() {
        let judge = Judge::bisect();
        assert_eq!([0, 1, 127, 125].map(|code| outcome(&judge, &exit(code))), [Pass, Fail, Fail, Unresolved]);
        for execution in [exit(128), exit(255), Execution::new(TestEnding::Signal(9))] {
            assert!(judge.judge(&execution).because.is_no_verdict());
        }
    }
}
