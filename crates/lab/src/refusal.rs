//! Why a run does not start: what the baseline showed instead of a failure and a pass.

use crate::condition::condition_for;
use crate::options::PATIENCE;
use crate::{Ending, Same, Seen};
use std::fmt;

/// How much of the output goes with a refusal.
const LINES: usize = 5;

/// One of the two sides of the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Everything applied.
    Failing,
    /// Nothing applied.
    Passing,
    /// The newest revision, where there is no other side.
    Bad,
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Which::Failing => "the failing side",
            Which::Passing => "the passing side",
            Which::Bad => "the bad revision",
        })
    }
}

/// Why the baseline does not hold.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{what}")]
pub struct Refusal {
    what: What,
    hint: Option<String>,
    lines: Vec<String>,
}

#[derive(Clone, Debug, thiserror::Error)]
enum What {
    #[error("the test ends with {0} on both sides, so there is nothing to explain")]
    Alike(Ending),
    #[error("the sides are swapped: the failing side ended with {failing}, the passing side with {passing}")]
    Swapped { failing: Ending, passing: Ending },
    #[error("{which} does not {verb}: `{condition}` does not hold, it ended with {ending}")]
    ConditionDoesNotHold { which: Which, verb: &'static str, condition: String, ending: Ending },
    #[error("{which} does not {verb}: it ended with {ending}")]
    Unlike { which: Which, verb: &'static str, ending: Ending },
    #[error("the passing side fails as well: it ended with {0}")]
    BothFail(Ending),
    #[error("the test passes on the bad revision: it ended with {0}")]
    BadPasses(Ending),
    #[error("--same {same} compares nothing, since {which} does not show it: {why}")]
    NotShown { which: Which, same: Same, why: String },
    #[error("{which} did not end within {} seconds", PATIENCE.as_secs())]
    TooSlow { which: Which },
    #[error("{which} ended with exit code 125, by which a test says that it cannot judge")]
    Skipped { which: Which },
    #[error("{which} ended with {ending}, by which shells say that {meaning}")]
    NoCommand { which: Which, ending: Ending, meaning: &'static str },
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
        matches!(self.what, What::Swapped { .. })
    }

    /// The last lines that the side in question printed.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    fn new(what: What, hint: impl Into<String>, seen: &Seen) -> Self {
        Self { what, hint: Some(hint.into()), lines: seen.last_lines(LINES) }
    }

    pub(crate) fn alike(failing: &Seen, passing: &Seen) -> Self {
        let hint = "if what it prints tells the two apart, say how, as in --fails-when 'stderr~REGEX'";
        let refusal = Self::new(What::Alike(failing.ending.plain()), hint, failing);
        if refusal.lines.is_empty() { Self { lines: passing.last_lines(LINES), ..refusal } } else { refusal }
    }

    pub(crate) fn swapped(failing: &Seen, passing: &Seen) -> Self {
        let what = What::Swapped { failing: failing.ending.plain(), passing: passing.ending.plain() };
        let hint = "exchange them; or, to find the change that mended it, say --fix";
        Self::new(what, hint, passing)
    }

    pub(crate) fn unlike(which: Which, condition: Option<String>, seen: &Seen) -> Self {
        let verb = match which {
            Which::Failing | Which::Bad => "fail",
            Which::Passing => "pass",
        };
        let ending = seen.ending.plain();
        match condition {
            Some(condition) => {
                let hint = format!("run the test by hand on {which}, or change the condition");
                Self::new(What::ConditionDoesNotHold { which, verb, condition, ending }, hint, seen)
            }
            None => {
                let hint = format!("run the test by hand on {which}");
                Self::new(What::Unlike { which, verb, ending }, hint, seen)
            }
        }
    }

    pub(crate) fn both_fail(passing: &Seen) -> Self {
        let hint = "make the condition narrower, or choose another passing side";
        Self::new(What::BothFail(passing.ending.plain()), hint, passing)
    }

    pub(crate) fn bad_passes(bad: &Seen) -> Self {
        let hint = "name a revision with --bad that fails; or, if what it prints or leaves behind is the failure, say how, as in \
                    --fails-when 'stdout~REGEX'";
        Self::new(What::BadPasses(bad.ending.plain()), hint, bad)
    }

    pub(crate) fn not_shown(which: Which, same: Same, why: String, seen: &Seen) -> Self {
        let hint = format!("leave out --same {same}, or run the test by hand to see what is missing");
        Self::new(What::NotShown { which, same, why }, hint, seen)
    }

    pub(crate) fn too_slow(which: Which, seen: &Seen) -> Self {
        let hint = "if to hang is the failure, say with --timeout how long a test may take; otherwise give it more \
                    time in the same way";
        Self::new(What::TooSlow { which }, hint, seen)
    }

    pub(crate) fn skipped(which: Which, seen: &Seen) -> Self {
        let hint = format!("run the test by hand on {which}; any other exit code can be a failure");
        Self::new(What::Skipped { which }, hint, seen)
    }

    pub(crate) fn no_command(which: Which, seen: &Seen) -> Self {
        let meaning = match seen.ending {
            Ending::Exit(126) => "a command may not be executed",
            _ => "there is no such command",
        };
        let what = What::NoCommand { which, ending: seen.ending, meaning };
        let side = match which {
            Which::Failing | Which::Bad => "failure",
            Which::Passing => "pass",
        };
        let hint = format!("mend the test, or say {} if that is the {side}", flag_for(which, seen));
        Self::new(what, hint, seen)
    }
}

/// What a user would write to call this ending a failure, or a pass.
fn flag_for(which: Which, seen: &Seen) -> String {
    let flag = match which {
        Which::Failing | Which::Bad => "--fails-when",
        Which::Passing => "--passes-when",
    };
    format!("{flag} {}", condition_for(seen.ending))
}
