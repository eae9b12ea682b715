//! Why a run does not start: what the baseline showed instead of a failure and a pass.

use crate::condition::condition_for;
use crate::options::PATIENCE;
use crate::{Execution, SameAspect, TestEnding};
use std::fmt;

/// How much of the output goes with a refusal.
const LINES: usize = 5;

/// One of the two sides of the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaselineSide {
    /// Everything applied.
    Failing,
    /// Nothing applied.
    Passing,
    /// The newest revision, where there is no other side.
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
    #[error("{which} does not {verb}: `{condition}` does not hold, it ended with {ending}")]
    ConditionDoesNotHold { which: BaselineSide, verb: &'static str, condition: String, ending: TestEnding },
    #[error("{which} does not {verb}: it ended with {ending}")]
    Unlike { which: BaselineSide, verb: &'static str, ending: TestEnding },
    #[error("the passing side fails as well: it ended with {0}")]
    BothFail(TestEnding),
    #[error("the test passes on the bad revision: it ended with {0}")]
    BadPasses(TestEnding),
    #[error("--same {same} compares nothing, since {which} does not show it: {why}")]
    NotShown { which: BaselineSide, same: SameAspect, why: String },
    #[error("{which} did not end within {} seconds", PATIENCE.as_secs())]
    TooSlow { which: BaselineSide },
    #[error("{which} ended with exit code 125, by which a test says that it cannot judge")]
    Skipped { which: BaselineSide },
    #[error("{which} ended with {ending}, by which shells say that {meaning}")]
    NoCommand { which: BaselineSide, ending: TestEnding, meaning: &'static str },
}

impl Refusal {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Whether the passing side fails and the failing one passes.
    #[must_use]
    pub fn is_swapped(&self) -> bool {
        matches!(self.what, RefusalReason::Swapped { .. })
    }

    /// The last lines that the side in question printed.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    fn new(what: RefusalReason, hint: impl Into<String>, execution: &Execution) -> Self {
        Self { what, hint: Some(hint.into()), lines: execution.last_lines(LINES) }
    }

    pub(crate) fn alike(failing: &Execution, passing: &Execution) -> Self {
        let hint = "if what it prints tells the two apart, say how, as in --fails-when 'stderr~REGEX'";
        let refusal = Self::new(RefusalReason::Alike(failing.ending.plain()), hint, failing);
        if refusal.lines.is_empty() { Self { lines: passing.last_lines(LINES), ..refusal } } else { refusal }
    }

    pub(crate) fn swapped(failing: &Execution, passing: &Execution) -> Self {
        let what =
            RefusalReason::Swapped { failing: failing.ending.plain(), passing: passing.ending.plain() };
        let hint = "exchange them; or, to find the change that mended it, say --fix";
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

    pub(crate) fn bad_passes(bad: &Execution) -> Self {
        let hint = "name a revision with --bad that fails; or, if what it prints or leaves behind is the failure, say how, as in \
                    --fails-when 'stdout~REGEX'";
        Self::new(RefusalReason::BadPasses(bad.ending.plain()), hint, bad)
    }

    pub(crate) fn not_shown(
        which: BaselineSide,
        same: SameAspect,
        why: String,
        execution: &Execution,
    ) -> Self {
        let hint = format!("leave out --same {same}, or run the test by hand to see what is missing");
        Self::new(RefusalReason::NotShown { which, same, why }, hint, execution)
    }

    pub(crate) fn too_slow(which: BaselineSide, execution: &Execution) -> Self {
        let hint = "if to hang is the failure, say with --timeout how long a test may take; otherwise give it more \
                    time in the same way";
        Self::new(RefusalReason::TooSlow { which }, hint, execution)
    }

    pub(crate) fn skipped(which: BaselineSide, execution: &Execution) -> Self {
        let hint = format!("run the test by hand on {which}; any other exit code can be a failure");
        Self::new(RefusalReason::Skipped { which }, hint, execution)
    }

    pub(crate) fn no_command(which: BaselineSide, execution: &Execution) -> Self {
        let meaning = match execution.ending {
            TestEnding::Exit(126) => "a command may not be executed",
            _ => "there is no such command",
        };
        let what = RefusalReason::NoCommand { which, ending: execution.ending, meaning };
        let side = match which {
            BaselineSide::Failing | BaselineSide::Bad => "failure",
            BaselineSide::Passing => "pass",
        };
        let hint = format!("mend the test, or say {} if that is the {side}", flag_for(which, execution));
        Self::new(what, hint, execution)
    }
}

/// What a user would write to call this ending a failure, or a pass.
fn flag_for(which: BaselineSide, execution: &Execution) -> String {
    let flag = match which {
        BaselineSide::Failing | BaselineSide::Bad => "--fails-when",
        BaselineSide::Passing => "--passes-when",
    };
    format!("{flag} {}", condition_for(execution.ending))
}
