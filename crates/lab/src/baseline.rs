//! The two tests that every run starts with, and what follows from them: the judge and the timeouts.

use crate::errors::PatternTerms;
use crate::experiment::Oracle;
use crate::judge::{Judge, SidePattern};
use crate::likeness::Likeness;
use crate::refusal::{BaselineSide, Refusal, SideWords};
use crate::targets::TargetTest;
use crate::{Condition, Execution, SKIP, SameAspect, Signature, TestEnding};
use howcome_dd::Outcome;
use serde::{Deserialize, Serialize};
use std::time::Duration;

const SHORTEST_TIMEOUT: Duration = Duration::from_secs(5);
/// A mix of both sides can have much more to build than either side had.
const SHORTEST_BUILD_TIMEOUT: Duration = Duration::from_secs(60);
const TIMES_SLOWER: u32 = 10;

/// What counts as the failure, as the user describes it.
#[derive(Clone, Debug, Default)]
pub struct JudgingTerms {
    /// `--fails-when`: all must hold.
    pub fails_when: Vec<Condition>,
    /// `--passes-when`: all must hold.
    pub passes_when: Vec<Condition>,
    /// `--codes`: the meaning of exit codes.
    pub codes: ExitCodeMeaning,
    /// `--any-message`: runs that end in the same way are the same failure, whatever they print.
    pub any_message: bool,
    /// `--timeout`.
    pub timeout: Option<Duration>,
    /// Whether exit code 0 on the failing side and another code on the passing side mean that the sides are swapped.
    /// That is not so if exit code 0 marks a candidate as interesting, or if the user looks for a fix.
    pub zero_is_pass: bool,
    /// Whether the program under test varies, as in `changes`: then lines move, and errors of all kinds come up.
    pub program_varies: bool,
    /// Whether quoted text in the messages of a program that does not vary counts.
    pub quoted: bool,
    /// Whether the last line of a program that does not vary counts if it prints no error.
    pub last_line: bool,
    /// `--same`: what a run must have in common with the failure, in addition to the way it ends.
    pub same: Vec<SameAspect>,
    /// What the two sides are called.
    pub sides: SideWords,
}

impl JudgingTerms {
    /// Whether the messages of a program that does not vary decide what the failure is.
    pub(crate) fn compares_messages(&self) -> bool {
        self.fails_when.is_empty()
            && !self.any_message
            && !self.program_varies
            && self.codes == ExitCodeMeaning::Compared
    }
}

/// The meaning of exit codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExitCodeMeaning {
    /// Their meaning follows from a comparison with the two sides.
    #[default]
    Compared,
    /// The same as for `git bisect run`.
    Bisect,
}

/// The result of the two tests.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// The judge of all further tests.
    pub judge: Judge,
    /// The timeout of all further tests.
    pub timeout: Duration,
    /// The timeout of a build.
    pub build_timeout: Duration,
}

impl Baseline {
    /// Makes a baseline from a run of the failing side and, unless only the failure matters, a run of the passing side.
    ///
    /// # Errors
    /// If there is nothing to explain, with what the tests did instead.
    pub fn of(
        terms: &JudgingTerms,
        failing: &Execution,
        passing: Option<&Execution>,
    ) -> Result<Self, Refusal> {
        let sides = [(BaselineSide::Failing, Some(failing)), (BaselineSide::Passing, passing)];
        for (which, execution) in sides {
            if let Some(execution) = execution {
                check_ending(terms, which, execution)?;
            }
        }
        let judge = match terms.codes {
            ExitCodeMeaning::Bisect => Judge::bisect(),
            ExitCodeMeaning::Compared => compare(terms, failing, passing)?,
        };
        let fails = judge.judge(failing).outcome;
        let passes = passing.map(|passing| judge.judge(passing).outcome);
        match (fails, passes) {
            (Outcome::Fail, None | Some(Outcome::Pass)) => {}
            (Outcome::Pass, Some(Outcome::Fail)) => {
                return Err(Refusal::swapped(&terms.sides, failing, passing.unwrap_or(failing)));
            }
            (Outcome::Fail, Some(Outcome::Fail)) => {
                return Err(Refusal::both_fail(&terms.sides, passing.unwrap_or(failing)));
            }
            (Outcome::Fail, Some(Outcome::Unresolved)) => {
                let passing = passing.unwrap_or(failing);
                return Err(Refusal::unlike(
                    (&terms.sides, BaselineSide::Passing),
                    missing(&terms.passes_when, passing),
                    passing,
                ));
            }
            _ => {
                return Err(Refusal::unlike(
                    (&terms.sides, BaselineSide::Failing),
                    missing(&terms.fails_when, failing),
                    failing,
                ));
            }
        }
        let judge = judge.with_same(same(terms, BaselineSide::Failing, failing)?);
        let has_details = terms.program_varies && !terms.any_message;
        let judge = if has_details { judge.with_details_of(failing) } else { judge };
        let slower = passing.map_or(failing.took, |passing| passing.took.max(failing.took));
        let built = passing.map_or(failing.built, |passing| passing.built.max(failing.built));
        Ok(Self::with_judge(judge, terms, slower, built))
    }

    /// Makes a baseline from a run of the bad revision if no passing side is known. A run passes if it meets the user's
    /// conditions, or exits with 0 if there are none. Any other ending is unresolved.
    ///
    /// # Errors
    /// If the bad revision does not fail, with what it did instead.
    pub fn of_failing(terms: &JudgingTerms, failing: &Execution) -> Result<Self, Refusal> {
        check_ending(terms, BaselineSide::Bad, failing)?;
        let judge = match terms.codes {
            ExitCodeMeaning::Bisect => Judge::bisect(),
            ExitCodeMeaning::Compared => match judge_of_target(terms, failing, None)? {
                Some(judge) => judge,
                None => {
                    let pass = match terms.passes_when.as_slice() {
                        [] => SidePattern::Signature(Signature::ending(&Execution::new(TestEnding::Exit(0)))),
                        conditions => SidePattern::Conditions(conditions.to_vec()),
                    };
                    Judge::between(failing_side(terms, failing, None), pass)
                }
            },
        };
        let nothing_said = terms.fails_when.is_empty() && terms.passes_when.is_empty();
        match (judge.judge(failing).outcome, missing(&terms.fails_when, failing)) {
            (_, None) if nothing_said && failing.ending == TestEnding::Exit(0) => {
                Err(Refusal::bad_passes(&terms.sides, failing))
            }
            (Outcome::Fail, _) => {
                let judge = judge.with_same(same(terms, BaselineSide::Bad, failing)?);
                let judge = if terms.any_message { judge } else { judge.with_details_and_others_of(failing) };
                Ok(Self::with_judge(judge, terms, failing.took, failing.built))
            }
            (Outcome::Pass, None) => Err(Refusal::bad_passes(&terms.sides, failing)),
            (_, condition) => Err(Refusal::unlike((&terms.sides, BaselineSide::Bad), condition, failing)),
        }
    }

    fn with_judge(judge: Judge, terms: &JudgingTerms, took: Duration, built: Duration) -> Self {
        let timeout = terms.timeout.unwrap_or_else(|| (took * TIMES_SLOWER).max(SHORTEST_TIMEOUT));
        let build_timeout = (built * TIMES_SLOWER).max(SHORTEST_BUILD_TIMEOUT);
        Self { judge, timeout, build_timeout }
    }
}

// Rejects endings which show that the test itself does not work, whatever the other side does.
fn check_ending(terms: &JudgingTerms, which: BaselineSide, execution: &Execution) -> Result<(), Refusal> {
    match execution.ending {
        TestEnding::TimedOut if terms.timeout.is_none() => {
            Err(Refusal::too_slow((&terms.sides, which), execution))
        }
        TestEnding::Exit(SKIP) => Err(Refusal::skipped((&terms.sides, which), execution)),
        TestEnding::Exit(126 | 127)
            if terms.codes == ExitCodeMeaning::Compared && conditions_for(terms, which).is_empty() =>
        {
            Err(Refusal::no_command((&terms.sides, which), execution))
        }
        _ => Ok(()),
    }
}

fn conditions_for(terms: &JudgingTerms, which: BaselineSide) -> &[Condition] {
    match which {
        BaselineSide::Failing | BaselineSide::Bad => &terms.fails_when,
        BaselineSide::Passing => &terms.passes_when,
    }
}

fn compare(terms: &JudgingTerms, failing: &Execution, passing: Option<&Execution>) -> Result<Judge, Refusal> {
    let nothing_said = terms.fails_when.is_empty() && terms.passes_when.is_empty();
    if let Some(judge) = judge_of_target(terms, failing, passing)? {
        return Ok(judge);
    }
    if let Some(passing) = passing.filter(|_| nothing_said) {
        let endings = [failing, passing].map(|execution| execution.ending.plain());
        if endings[0] == endings[1] {
            return Err(Refusal::alike(failing, passing));
        }
        if terms.zero_is_pass && endings[0] == TestEnding::Exit(0) {
            return Err(Refusal::swapped(&terms.sides, failing, passing));
        }
        if terms.zero_is_pass && endings[1] != TestEnding::Exit(0) {
            return Err(Refusal::unlike((&terms.sides, BaselineSide::Passing), None, passing));
        }
    }
    let fail = failing_side(terms, failing, passing);
    let pass = match (terms.passes_when.as_slice(), passing) {
        ([], None) => return Ok(Judge::of_failure(fail)),
        // The passing side can print anything.
        ([], Some(passing)) => SidePattern::Signature(Signature::ending(passing)),
        (conditions, _) => SidePattern::Conditions(conditions.to_vec()),
    };
    Ok(Judge::between(fail, pass))
}

/// Judges by a test that a test runner reports, if the user did not describe the failure and there is such a test.
fn judge_of_target(
    terms: &JudgingTerms,
    failing: &Execution,
    passing: Option<&Execution>,
) -> Result<Option<Judge>, Refusal> {
    if !terms.fails_when.is_empty() || !terms.passes_when.is_empty() {
        return Ok(None);
    }
    let comparison = match terms.program_varies {
        true => PatternTerms::VaryingProgram,
        false => PatternTerms::SameProgram { quoted: terms.quoted },
    };
    // If the user looks for a fix, the newer side passes.
    let is_fix = terms.program_varies && !terms.zero_is_pass;
    let (failing, passing, sides) = match passing {
        Some(passing) if is_fix => (passing, Some(failing), terms.sides.clone().swapped()),
        passing => (failing, passing, terms.sides.clone()),
    };
    let target = TargetTest::choose(failing, passing, comparison)
        .map_err(|no_target| Refusal::no_target(&sides, no_target, passing.unwrap_or(failing)))?;
    let any_error = terms.any_message;
    Ok(target
        .map(|target| Judge::of_target(if any_error { target.with_any_error() } else { target }, is_fix)))
}

/// The aspects of the failing side that other runs must share.
fn same(terms: &JudgingTerms, which: BaselineSide, failing: &Execution) -> Result<Vec<Likeness>, Refusal> {
    let likeness = |same: &SameAspect| {
        Likeness::of(*same, failing)
            .map_err(|why| Refusal::not_shown((&terms.sides, which), *same, why, failing))
    };
    terms.same.iter().map(likeness).collect()
}

fn failing_side(terms: &JudgingTerms, failing: &Execution, passing: Option<&Execution>) -> SidePattern {
    match terms.fails_when.as_slice() {
        [] if terms.any_message => SidePattern::Signature(Signature::ending(failing)),
        [] if terms.program_varies => SidePattern::Signature(Signature::of_varying(failing, passing)),
        [] => SidePattern::Signature(Signature::with_message(failing, terms.quoted, terms.last_line)),
        conditions => SidePattern::Conditions(conditions.to_vec()),
    }
}

/// The first condition that does not hold.
fn missing(conditions: &[Condition], execution: &Execution) -> Option<String> {
    conditions.iter().find(|condition| !condition.holds(execution)).map(ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Captured;

    fn exit(code: i32) -> Execution {
        Execution::new(TestEnding::Exit(code))
    }

    fn saying(code: i32, stderr: &str) -> Execution {
        Execution { stderr: Captured::whole(stderr), ..exit(code) }
    }

    fn terms(fails_when: &[&str], passes_when: &[&str]) -> JudgingTerms {
        let parse = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
        JudgingTerms {
            fails_when: parse(fails_when),
            passes_when: parse(passes_when),
            ..JudgingTerms::default()
        }
    }

    fn outcomes(baseline: &Baseline, execution: &[Execution]) -> String {
        execution.iter().map(|execution| baseline.judge.judge(execution).outcome.sign()).collect()
    }

    fn refusal(terms: &JudgingTerms, failing: &Execution, passing: Option<&Execution>) -> String {
        let refusal = Baseline::of(terms, failing, passing).unwrap_err();
        let hint = refusal.hint().unwrap_or_default();
        format!("{refusal} [{}] {hint}", refusal.lines().join("|"))
    }

    #[test]
    fn two_sides_that_end_differently_are_enough() {
        let baseline = Baseline::of(&JudgingTerms::default(), &exit(1), Some(&exit(0))).unwrap();
        assert_eq!(outcomes(&baseline, &[exit(1), exit(0), exit(2)]), "✗✓?");
    }

    #[test]
    fn without_a_passing_side_any_other_ending_passes() {
        let baseline = Baseline::of(&JudgingTerms::default(), &exit(0), None).unwrap();
        assert_eq!(outcomes(&baseline, &[exit(0), exit(1), exit(125)]), "✗✓?");
    }

    #[test]
    fn the_timeout_is_ten_times_the_slower_side_and_at_least_five_seconds() {
        let timeout = |failing: u64, passing: u64, given: Option<u64>| {
            let took = |code, seconds| Execution { took: Duration::from_secs(seconds), ..exit(code) };
            let terms = JudgingTerms { timeout: given.map(Duration::from_secs), ..JudgingTerms::default() };
            Baseline::of(&terms, &took(1, failing), Some(&took(0, passing))).unwrap().timeout.as_secs()
        };
        assert_eq!([timeout(2, 3, None), timeout(0, 0, None), timeout(9, 9, Some(1))], [30, 5, 1]);
    }

    #[test]
    fn sides_that_end_the_same_way_are_refused_with_their_output() {
        assert_eq!(
            refusal(&JudgingTerms::default(), &saying(1, "one\ntwo\n"), Some(&exit(1))),
            "the test ends with exit code 1 on both sides, so there is nothing to explain [one|two] \
             if the output of the two sides differs, describe the failure, for example --fails-when 'stderr~REGEX'"
        );
        assert!(
            refusal(&JudgingTerms::default(), &exit(139), Some(&Execution::new(TestEnding::Signal(11))))
                .contains("SEGV on both")
        );
    }

    #[test]
    fn a_refusal_names_the_condition_that_does_not_hold() {
        let said = refusal(&terms(&["exit=1", "stderr~boom"], &[]), &saying(1, "bang"), Some(&exit(0)));
        assert_eq!(
            said,
            "the failing side does not fail: `stderr~boom` does not hold (it ended with exit code 1) [bang] \
             run the test by hand on the failing side, or change the condition"
        );
    }

    #[test]
    fn a_passing_side_that_fails_too_is_refused() {
        let said = refusal(&terms(&["stderr~boom"], &[]), &saying(1, "boom"), Some(&saying(0, "boom")));
        assert!(said.starts_with("the passing side fails too: it ended with exit code 0"), "{said}");
    }

    #[test]
    fn if_only_the_failure_has_a_condition_the_passing_side_defines_a_pass() {
        let baseline =
            Baseline::of(&terms(&["stderr~boom"], &[]), &saying(1, "boom"), Some(&exit(0))).unwrap();
        assert_eq!(outcomes(&baseline, &[saying(0, "boom"), exit(0), exit(1)]), "✗✓?");
    }

    #[test]
    fn swapped_sides_are_recognised_if_0_means_pass() {
        let changes = JudgingTerms { zero_is_pass: true, ..JudgingTerms::default() };
        let said = refusal(&changes, &exit(0), Some(&exit(1)));
        assert!(said.starts_with("the sides are swapped: the failing side ended with exit code 0"), "{said}");
        assert!(said.contains("swap them"), "{said}");
        assert!(Baseline::of(&JudgingTerms::default(), &exit(0), Some(&exit(1))).is_ok());
        let said = refusal(&terms(&["stderr~boom"], &["exit=0"]), &exit(0), Some(&saying(1, "boom")));
        assert!(said.starts_with("the sides are swapped"), "{said}");
    }

    #[test]
    fn a_hang_is_not_a_failure_unless_the_user_sets_a_timeout() {
        let hangs = Execution::new(TestEnding::TimedOut);
        assert!(refusal(&terms(&["timeout"], &[]), &hangs, Some(&exit(0))).contains("--timeout"));
        let terms = JudgingTerms { timeout: Some(Duration::from_secs(1)), ..JudgingTerms::default() };
        assert!(Baseline::of(&terms, &hangs, Some(&exit(0))).is_ok());
    }

    #[test]
    fn a_missing_command_is_not_a_failure_unless_the_user_says_so() {
        let missing = saying(127, "sh: 1: mkae: not found");
        assert_eq!(
            refusal(&JudgingTerms::default(), &missing, Some(&exit(0))),
            "the failing side ended with exit code 127, which in a shell means that a command was not found \
             [sh: 1: mkae: not found] fix the test, or add --fails-when exit=127 if that is the failure"
        );
        assert!(Baseline::of(&terms(&["exit=127"], &[]), &missing, Some(&exit(0))).is_ok());
    }

    #[test]
    fn exit_125_is_never_a_side() {
        let said = refusal(&terms(&["exit=125"], &[]), &exit(125), Some(&exit(0)));
        assert!(said.starts_with("the failing side ended with exit code 125, which means"), "{said}");
    }

    #[test]
    fn bisect_codes_need_a_good_and_a_bad_side_too() {
        let bisect = JudgingTerms { codes: ExitCodeMeaning::Bisect, ..JudgingTerms::default() };
        assert!(Baseline::of(&bisect, &exit(3), Some(&exit(0))).is_ok());
        assert!(refusal(&bisect, &exit(0), Some(&exit(1))).starts_with("the sides are swapped"));
        assert!(refusal(&bisect, &exit(3), Some(&exit(1))).starts_with("the passing side fails too"));
        assert!(refusal(&bisect, &exit(255), Some(&exit(0))).starts_with("the failing side does not fail"));
    }

    fn refused(terms: &JudgingTerms, bad: &Execution) -> String {
        let refusal = Baseline::of_failing(terms, bad).unwrap_err();
        format!("{refusal} [{}] {}", refusal.lines().join("|"), refusal.hint().unwrap_or_default())
    }

    #[test]
    fn if_only_the_failure_is_known_exit_0_passes_and_any_other_ending_is_unresolved() {
        let baseline = Baseline::of_failing(&JudgingTerms::default(), &exit(1)).unwrap();
        assert_eq!(outcomes(&baseline, &[exit(1), exit(0), exit(2), exit(125)]), "✗✓??");
        let baseline = Baseline::of_failing(&terms(&[], &["exit=3"]), &exit(0)).unwrap();
        assert_eq!(outcomes(&baseline, &[exit(0), exit(3), exit(1)]), "✗✓?");
        let baseline = Baseline::of_failing(&terms(&["stderr~boom"], &[]), &saying(0, "boom")).unwrap();
        assert_eq!(outcomes(&baseline, &[saying(0, "boom"), exit(0), exit(1)]), "✗✓?");
        let bisect = JudgingTerms { codes: ExitCodeMeaning::Bisect, ..JudgingTerms::default() };
        let baseline = Baseline::of_failing(&bisect, &exit(3)).unwrap();
        assert_eq!(outcomes(&baseline, &[exit(1), exit(0), exit(125)]), "✗✓?");
    }

    #[test]
    fn a_bad_revision_that_does_not_fail_is_refused() {
        assert_eq!(
            refused(&JudgingTerms::default(), &saying(0, "all is well")),
            "the test passes on the bad revision: it ended with exit code 0 [all is well] choose a --bad revision \
             that fails; if the failure shows in what the test prints or writes, describe it, for example --fails-when 'stdout~REGEX'"
        );
        let bisect = JudgingTerms { codes: ExitCodeMeaning::Bisect, ..JudgingTerms::default() };
        assert!(refused(&bisect, &exit(0)).starts_with("the test passes on the bad revision"));
        assert!(
            refused(&terms(&[], &["exit=1"]), &exit(1)).starts_with("the test passes on the bad revision")
        );
        let said = refused(&terms(&["stderr~boom"], &[]), &exit(0));
        assert!(said.starts_with("the bad revision does not fail: `stderr~boom` does not hold"), "{said}");
        let said = refused(&JudgingTerms::default(), &exit(125));
        assert!(said.starts_with("the bad revision ended with exit code 125"), "{said}");
        assert!(refused(&JudgingTerms::default(), &exit(127)).contains("--fails-when exit=127"));
        assert!(
            refused(&JudgingTerms::default(), &Execution::new(TestEnding::TimedOut)).contains("--timeout")
        );
    }
}
