//! Why a run does not start: what the baseline did instead of a failure and a pass.

use crate::condition::condition_for;
use crate::options::PATIENCE;
use crate::targets::NoTarget;
use crate::{Execution, SameAspect, TestEnding};
use std::fmt;

/// How many lines of output a refusal shows.
const LINES: usize = 5;

/// One of the two sides of the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaselineSide {
    /// Everything applied.
    Failing,
    /// Nothing applied.
    Passing,
    /// The newest revision, if there is no passing side.
    Bad,
}

impl fmt::Display for BaselineSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BaselineSide::Failing => "the failing side",
            BaselineSide::Passing => "the passing side",
            BaselineSide::Bad => "the bad revision",
        })
    }
}

/// Why the baseline does not hold.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{what}")]
pub struct Refusal {
    what: RefusalReason,
    hint: Option<String>,
    lines: Vec<String>,
}

#[derive(Clone, Debug, thiserror::Error)]
enum RefusalReason {
    #[error("the test ends with {0} on both sides, so there is nothing to explain")]
    Alike(TestEnding),
    #[error("the sides are swapped: the failing side ended with {failing}, the passing side with {passing}")]
    Swapped { failing: TestEnding, passing: TestEnding },
    #[error("{which} does not {verb}: `{condition}` does not hold (it ended with {ending})")]
    ConditionDoesNotHold { which: BaselineSide, verb: &'static str, condition: String, ending: TestEnding },
    #[error("{which} does not {verb}: it ended with {ending}")]
    Unlike { which: BaselineSide, verb: &'static str, ending: TestEnding },
    #[error("{test} fails on the failing side, but was not run on the passing side: {why}")]
    TargetNotRun { test: String, why: String },
    #[error("{test} fails on both sides, and no other test fails on the failing side only")]
    TargetFailsOnBoth { test: String },
    #[error("the passing side fails too: it ended with {0}")]
    BothFail(TestEnding),
    #[error("the test passes on the bad revision: it ended with {0}")]
    BadPasses(TestEnding),
    #[error("--same {same} has nothing to compare on {which}: {why}")]
    NotShown { which: BaselineSide, same: SameAspect, why: String },
    #[error("{which} did not end within {} seconds", PATIENCE.as_secs())]
    TooSlow { which: BaselineSide },
    #[error("{which} ended with exit code 125, which means that the test cannot judge it")]
    Skipped { which: BaselineSide },
    #[error("{which} ended with {ending}, which in a shell means that {meaning}")]
    NoCommand { which: BaselineSide, ending: TestEnding, meaning: &'static str },
}

impl Refusal {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Whether the passing side fails and the failing side passes.
    #[must_use]
    pub fn is_swapped(&self) -> bool {
        matches!(self.what, RefusalReason::Swapped { .. })
    }

    /// The last lines of output of the side in question.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    fn new(what: RefusalReason, hint: impl Into<String>, execution: &Execution) -> Self {
        Self { what, hint: Some(hint.into()), lines: execution.last_lines(LINES) }
    }

    pub(crate) fn alike(failing: &Execution, passing: &Execution) -> Self {
        let hint =
            "if the output tells the two sides apart, say how, for example --fails-when 'stderr~REGEX'";
        let refusal = Self::new(RefusalReason::Alike(failing.ending.plain()), hint, failing);
        if refusal.lines.is_empty() { Self { lines: passing.last_lines(LINES), ..refusal } } else { refusal }
    }

    pub(crate) fn swapped(failing: &Execution, passing: &Execution) -> Self {
        let what =
            RefusalReason::Swapped { failing: failing.ending.plain(), passing: passing.ending.plain() };
        let hint = "swap them, or use --fix to find the change that fixed the failure";
        Self::new(what, hint, passing)
    }

    pub(crate) fn unlike(which: BaselineSide, condition: Option<String>, execution: &Execution) -> Self {
        let verb = match which {
            BaselineSide::Failing | BaselineSide::Bad => "fail",
            BaselineSide::Passing => "pass",
        };
        let ending = execution.ending.plain();
        match condition {
            Some(condition) => {
                let hint = format!("run the test by hand on {which}, or change the condition");
                Self::new(
                    RefusalReason::ConditionDoesNotHold { which, verb, condition, ending },
                    hint,
                    execution,
                )
            }
            None => {
                let hint = format!("run the test by hand on {which}");
                Self::new(RefusalReason::Unlike { which, verb, ending }, hint, execution)
            }
        }
    }

    pub(crate) fn both_fail(passing: &Execution) -> Self {
        let hint = "make the condition narrower, or choose another passing side";
        Self::new(RefusalReason::BothFail(passing.ending.plain()), hint, passing)
    }

    pub(crate) fn no_target(why: NoTarget, passing: &Execution) -> Self {
        match why {
            NoTarget::NotRun { test, why } => {
                let hint = "choose a passing side on which this test can run, or describe the pass with --passes-when";
                Self::new(RefusalReason::TargetNotRun { test, why }, hint, passing)
            }
            NoTarget::FailsOnBoth { test } => {
                let hint = "choose another passing side, or describe the failure with --fails-when";
                Self::new(RefusalReason::TargetFailsOnBoth { test }, hint, passing)
            }
        }
    }

    /// Whether the test that fails was not run on the passing side.
    #[must_use]
    pub fn is_not_run(&self) -> bool {
        matches!(self.what, RefusalReason::TargetNotRun { .. })
    }

    pub(crate) fn bad_passes(bad: &Execution) -> Self {
        let hint = "choose a --bad revision that fails; if the failure shows in what the test prints or writes, describe it, for example \
                    --fails-when 'stdout~REGEX'";
        Self::new(RefusalReason::BadPasses(bad.ending.plain()), hint, bad)
    }

    pub(crate) fn not_shown(
        which: BaselineSide,
        same: SameAspect,
        why: String,
        execution: &Execution,
    ) -> Self {
        let hint = format!("remove --same {same}, or run the test by hand to see what is missing");
        Self::new(RefusalReason::NotShown { which, same, why }, hint, execution)
    }

    pub(crate) fn too_slow(which: BaselineSide, execution: &Execution) -> Self {
        let hint = "set --timeout: to a short time if the failure is that the test hangs, or to a longer time if \
                    the test needs it";
        Self::new(RefusalReason::TooSlow { which }, hint, execution)
    }

    pub(crate) fn skipped(which: BaselineSide, execution: &Execution) -> Self {
        let hint = format!("run the test by hand on {which}; a failure can have any other exit code");
        Self::new(RefusalReason::Skipped { which }, hint, execution)
    }

    pub(crate) fn no_command(which: BaselineSide, execution: &Execution) -> Self {
        let meaning = match execution.ending {
            TestEnding::Exit(126) => "a command is not executable",
            _ => "there is no such command",
        };
        let what = RefusalReason::NoCommand { which, ending: execution.ending, meaning };
        let side = match which {
            BaselineSide::Failing | BaselineSide::Bad => "failure",
            BaselineSide::Passing => "pass",
        };
        let hint = format!("fix the test, or add {} if that is the {side}", flag_for(which, execution));
        Self::new(what, hint, execution)
    }
}

/// The option that calls this ending a failure or a pass.
fn flag_for(which: BaselineSide, execution: &Execution) -> String {
    let flag = match which {
        BaselineSide::Failing | BaselineSide::Bad => "--fails-when",
        BaselineSide::Passing => "--passes-when",
    };
    format!("{flag} {}", condition_for(execution.ending))
}
