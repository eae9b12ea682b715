//! Why a run does not start: what the baseline did instead of a failure and a pass.

use crate::condition::condition_for;
use crate::first_line::{CRLF_HINT, crlf_script};
use crate::limits::PATIENCE;
use crate::targets::NoTarget;
use crate::{Execution, SameAspect, TestEnding};

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

/// What the two sides of the baseline are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideWords {
    /// The failing side.
    pub failing: String,
    /// The passing side.
    pub passing: String,
    /// The newest revision, if there is no passing side.
    pub bad: String,
}

impl Default for SideWords {
    fn default() -> Self {
        let [failing, passing, bad] =
            ["the failing side", "the passing side", "the bad revision"].map(str::to_owned);
        Self { failing, passing, bad }
    }
}

impl SideWords {
    /// The same if the newer side passes.
    pub(crate) fn swapped(self) -> Self {
        Self { failing: self.passing, passing: self.failing, bad: self.bad }
    }

    fn of(&self, which: BaselineSide) -> String {
        match which {
            BaselineSide::Failing => self.failing.clone(),
            BaselineSide::Passing => self.passing.clone(),
            BaselineSide::Bad => self.bad.clone(),
        }
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
    #[error("the sides are swapped: {} ended with {failing}, {} with {passing}", sides.failing, sides.passing)]
    Swapped { sides: Box<SideWords>, failing: TestEnding, passing: TestEnding },
    #[error("{which} does not {verb}: `{condition}` does not hold (it ended with {ending})")]
    ConditionDoesNotHold { which: String, verb: &'static str, condition: String, ending: TestEnding },
    #[error("{which} does not {verb}: it ended with {ending}")]
    Unlike { which: String, verb: &'static str, ending: TestEnding },
    #[error("{test} fails on {}, but was not run on {}: {why}", sides.failing, sides.passing)]
    TargetNotRun { sides: Box<SideWords>, test: String, why: String },
    #[error("{test} fails on both sides, and no other test fails on {failing} only")]
    TargetFailsOnBoth { test: String, failing: String },
    #[error("{passing} fails too: it ended with {ending}")]
    BothFail { passing: String, ending: TestEnding },
    #[error("the test passes on {bad}: it ended with {ending}")]
    BadPasses { bad: String, ending: TestEnding },
    #[error("--same {same} has nothing to compare on {which}: {why}")]
    NotShown { which: String, same: SameAspect, why: String },
    #[error("{which} did not end within {} seconds", PATIENCE.as_secs())]
    TooSlow { which: String },
    #[error("{which} ended with exit code 125, which means that the test cannot judge it")]
    Skipped { which: String },
    #[error("{which} ended with {ending}, which in a shell means that {meaning}")]
    NoCommand { which: String, ending: TestEnding, meaning: &'static str },
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

    /// Whether both sides pass.
    #[must_use]
    pub fn is_pass(&self) -> bool {
        matches!(&self.what, RefusalReason::Alike(TestEnding::Exit(0)))
    }

    /// Whether the passing side fails as the failing side does.
    #[must_use]
    pub fn is_alike(&self) -> bool {
        matches!(
            self.what,
            RefusalReason::Alike(_)
                | RefusalReason::TargetFailsOnBoth { .. }
                | RefusalReason::BothFail { .. }
        )
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
        let hint = "if the output of the two sides differs, describe the failure, for example --fails-when 'stderr~REGEX'";
        let refusal = Self::new(RefusalReason::Alike(failing.ending.plain()), hint, failing);
        if refusal.lines.is_empty() { Self { lines: passing.last_lines(LINES), ..refusal } } else { refusal }
    }

    pub(crate) fn swapped(sides: &SideWords, failing: &Execution, passing: &Execution) -> Self {
        let what = RefusalReason::Swapped {
            sides: Box::new(sides.clone()),
            failing: failing.ending.plain(),
            passing: passing.ending.plain(),
        };
        let hint = "swap them, or use --fix to find the change that fixed the failure";
        Self::new(what, hint, passing)
    }

    pub(crate) fn unlike(
        (sides, which): (&SideWords, BaselineSide),
        condition: Option<String>,
        execution: &Execution,
    ) -> Self {
        let verb = match which {
            BaselineSide::Failing | BaselineSide::Bad => "fail",
            BaselineSide::Passing => "pass",
        };
        let (which, ending) = (sides.of(which), execution.ending.plain());
        let hint = format!("run the test by hand on {which}");
        match condition {
            Some(condition) => {
                let hint = format!("{hint}, or change the condition");
                let what = RefusalReason::ConditionDoesNotHold { which, verb, condition, ending };
                Self::new(what, hint, execution)
            }
            None => Self::new(RefusalReason::Unlike { which, verb, ending }, hint, execution),
        }
    }

    pub(crate) fn both_fail(sides: &SideWords, passing: &Execution) -> Self {
        let hint = "make the condition narrower, or choose another passing side";
        let ending = passing.ending.plain();
        Self::new(RefusalReason::BothFail { passing: sides.passing.clone(), ending }, hint, passing)
    }

    pub(crate) fn no_target(sides: &SideWords, why: NoTarget, passing: &Execution) -> Self {
        match why {
            NoTarget::NotRun { test, why } => {
                let hint = "choose a passing side on which this test can run, or describe the pass with --passes-when";
                Self::new(
                    RefusalReason::TargetNotRun { sides: Box::new(sides.clone()), test, why },
                    hint,
                    passing,
                )
            }
            NoTarget::FailsOnBoth { test } => {
                let hint = "choose another passing side, or describe the failure with --fails-when";
                let failing = sides.failing.clone();
                Self::new(RefusalReason::TargetFailsOnBoth { test, failing }, hint, passing)
            }
        }
    }

    /// Whether the test that fails was not run on the passing side.
    #[must_use]
    pub fn is_not_run(&self) -> bool {
        matches!(self.what, RefusalReason::TargetNotRun { .. })
    }

    pub(crate) fn bad_passes(sides: &SideWords, bad: &Execution) -> Self {
        let hint = "choose a --bad revision that fails; if the failure shows in what the test prints or writes, describe it, for example \
                    --fails-when 'stdout~REGEX'";
        let what = RefusalReason::BadPasses { bad: sides.bad.clone(), ending: bad.ending.plain() };
        Self::new(what, hint, bad)
    }

    pub(crate) fn not_shown(
        (sides, which): (&SideWords, BaselineSide),
        same: SameAspect,
        why: String,
        execution: &Execution,
    ) -> Self {
        let hint = format!("remove --same {same}, or run the test by hand to see what is missing");
        Self::new(RefusalReason::NotShown { which: sides.of(which), same, why }, hint, execution)
    }

    pub(crate) fn too_slow((sides, which): (&SideWords, BaselineSide), execution: &Execution) -> Self {
        let hint = "set --timeout: to a short time if the failure is that the test hangs, or to a longer time if \
                    the test needs it";
        Self::new(RefusalReason::TooSlow { which: sides.of(which) }, hint, execution)
    }

    pub(crate) fn skipped((sides, which): (&SideWords, BaselineSide), execution: &Execution) -> Self {
        let which = sides.of(which);
        let hint = format!("run the test by hand on {which}; a failure can have any other exit code");
        Self::new(RefusalReason::Skipped { which }, hint, execution)
    }

    pub(crate) fn no_command((sides, which): (&SideWords, BaselineSide), execution: &Execution) -> Self {
        let meaning = match execution.ending {
            TestEnding::Exit(126) => "a command is not executable",
            _ => "a command was not found",
        };
        let crlf = crlf_script(execution);
        let side = match which {
            BaselineSide::Failing | BaselineSide::Bad => "failure",
            BaselineSide::Passing => "pass",
        };
        let mut hint = format!("fix the test, or add {} if that is the {side}", flag_for(which, execution));
        if let Some(script) = crlf {
            hint = format!("{} has Windows line endings (CRLF): {CRLF_HINT}", script.display());
        }
        let what = RefusalReason::NoCommand { which: sides.of(which), ending: execution.ending, meaning };
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
