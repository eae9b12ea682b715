//! The lines of a journal. Everything a person sees of a run is read from them.

use crate::names::in_plural;
use crate::{Algorithm, Content, Observation, RecordedFinding, StageName, TestId, Unit};
use howcome_dd::{Configuration, Outcome, Step};
use serde::{Deserialize, Serialize};

/// The version of the journal's format. A journal of a newer one is refused.
pub const JOURNAL_VERSION: u32 = 1;

/// One line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Entry {
    /// The first line, and one more each time the run is taken up again.
    Opened {
        /// The version of howcome that writes what follows.
        howcome: String,
        /// The version of the format.
        journal: u32,
        /// Seconds since 1970.
        time: u64,
    },
    /// A search over the deltas of a subject begins.
    Stage {
        /// Counted from 0.
        stage: u32,
        /// What is varied; stages of one name share their deltas, so outcomes carry over.
        subject: StageName,
        /// What searches.
        search: Algorithm,
        /// How many deltas there are.
        deltas: u32,
        /// What one delta is: item, line, hunk.
        unit: Unit,
        /// How large everything is, where that is measured in bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
    },
    /// A test was run. In the order of completion, which depends on the number of workers.
    Observed {
        /// Its number, by the order in which tests were started.
        test: TestId,
        /// The stage it was run for.
        stage: u32,
        /// Why it was run.
        purpose: Purpose,
        /// When it had ended, in seconds since the run began, interruptions not counted.
        at: f64,
        /// What was tested.
        configuration: Configuration,
        /// The hash of what was tested, where different configurations may be the same.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<Content>,
        /// What was seen.
        #[serde(flatten)]
        observation: Observation,
    },
    /// A test was stopped because nobody wanted to know about it any more.
    Cancelled {
        /// Its number.
        test: TestId,
    },
    /// A question of the search was answered: one step of the trail, the same for any number of workers.
    Told {
        /// How the answer was come by.
        how: AnswerSource,
        /// The test that gave the answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        test: Option<TestId>,
        /// What was asked, where no test says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        configuration: Option<Configuration>,
        /// The case of the algorithm.
        step: Step,
        /// The answer.
        outcome: Outcome,
        /// How many deltas are still in question after it.
        left: u32,
        /// How large the best candidate is now, where it is a better one than before and is measured in bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
    },
    /// A warning that was given.
    Warning {
        /// In words.
        text: String,
    },
    /// The run has ended, for now or for good.
    Ended {
        /// How.
        ending: Ending,
        /// The finding, and what is claimed of it, as the report shows them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        conclusion: Option<Conclusion>,
        /// Why, where the ending alone does not say it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        /// How long the run took, the time before earlier interruptions included.
        seconds: f64,
    },
}

/// Why a test was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// To see what the passing side does: nothing applied.
    BaselinePassing,
    /// To see what the failing side does: everything applied.
    BaselineFailing,
    /// Because a search asked, or was expected to ask.
    Question,
    /// To see the finding fail once more, afresh.
    ConfirmAlone,
    /// To see what happens with everything but the finding.
    ConfirmWithout,
}

/// How an answer was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerSource {
    /// By a test: the first time that this is asked.
    Tested,
    /// By what is known of the deltas.
    Predicted,
    /// It had been asked before, or something of the same content had.
    Remembered,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The question is answered.
    Found,
    /// The answer is that it never worked.
    NeverWorked,
    /// Only untestable candidates are left.
    Undecided,
    /// The budget is used up, or the user wanted to stop.
    Stopped,
    /// The baseline does not hold.
    Refused,
    /// The test contradicts itself.
    Flaky,
}

/// What a run found, and what was checked of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conclusion {
    /// The finding.
    pub finding: RecordedFinding,
    /// Whether each single removal was tried, and of what.
    pub minimal: Minimal,
    /// What the confirmations showed; `None` where there was none.
    pub verified: Verified,
    /// How sure one can be of the answer, where the test is noisy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// The claim of 1-minimality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Minimal {
    /// The unit, in the plural: items, lines, bytes.
    #[serde(with = "in_plural")]
    pub of: Unit,
    /// Each single removal was tried, and none of them failed.
    pub checked: bool,
}

/// The two confirmations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// The finding alone fails.
    pub alone_fails: Option<bool>,
    /// Everything without the finding passes.
    pub without_passes: Option<bool>,
}
