//! The lines of a journal. Everything a person sees of a run is read from them.

use crate::names::in_plural;
use crate::{Algorithm, Because, Content, Observation, RecordedFinding, StageName, TestId, TestInfo, Unit};
use howcome_dd::{Configuration, LimitReached, Outcome, Step};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of the journal's format. A newer journal is refused.
pub const JOURNAL_VERSION: u32 = 1;

/// One line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Entry {
    /// The first line, and another one each time the run is resumed.
    Opened {
        /// The version of howcome that writes the following lines.
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
        /// What is varied. Stages with the same name share their deltas, so outcomes carry over.
        subject: StageName,
        /// The algorithm.
        search: Algorithm,
        /// How many deltas there are.
        deltas: u32,
        /// What one delta is: item, line, hunk.
        unit: Unit,
        /// The size of all deltas together, if it is measured in bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
    },
    /// A test was run. The order is that of completion, which depends on the number of workers.
    Observed {
        /// Its number. Tests are numbered in the order in which they start.
        test: TestId,
        /// The stage to which it belongs.
        stage: u32,
        /// Why it was run.
        purpose: Purpose,
        /// When it ended, in seconds since the run began, without interruptions.
        at: f64,
        /// The tested configuration.
        configuration: Configuration,
        /// The number of the run, counted from 0, if the search asks for several runs of a configuration.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        repeat: Option<u32>,
        /// The hash of the tested candidate, if different configurations can make the same one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<Content>,
        /// The observation.
        #[serde(flatten)]
        observation: Observation,
    },
    /// A test was stopped because its result was no longer needed.
    Cancelled {
        /// Its number.
        test: TestId,
        /// How long it had run, in seconds.
        #[serde(default)]
        seconds: f64,
    },
    /// A question of the search was answered: one step of the trail, the same for any number of workers.
    Told {
        /// Where the answer comes from.
        how: AnswerSource,
        /// The test that gave the answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        test: Option<TestId>,
        /// The configuration in question, if the test does not say it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        configuration: Option<Configuration>,
        /// The step of the algorithm.
        step: Step,
        /// The answer.
        outcome: Outcome,
        /// Why the candidate was not tested, if the subject rejects it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<Because>,
        /// How many deltas are left after it.
        left: u32,
        /// The size of the best candidate, if it is a new one and is measured in bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
    },
    /// The name of a configuration in question, before the first answer about it.
    Named {
        /// The stage to which it belongs.
        stage: u32,
        /// The configuration.
        configuration: Configuration,
        /// What people call its candidate: `3f2a91c "Accept the last column too"`.
        name: String,
    },
    /// What is known about the test after the baseline.
    Test(TestInfo),
    /// A warning.
    Warning {
        /// The text.
        text: String,
    },
    /// The run has ended, for now or for good.
    Ended {
        /// How it ended.
        ending: Ending,
        /// The finding, and what was checked of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        conclusion: Option<Conclusion>,
        /// The reason, unless the ending says it all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        /// How long the run took, including earlier sessions.
        seconds: f64,
    },
}

/// Why a test was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// To find out what the passing side does: no deltas applied.
    BaselinePassing,
    /// To find out what the failing side does: all deltas applied.
    BaselineFailing,
    /// To answer a question of a search, or an expected one.
    Question,
    /// To confirm from a clean start that the finding fails alone.
    ConfirmAlone,
    /// To find out what happens with everything except the finding.
    ConfirmWithout,
    /// To find out once more what was seen before.
    ConfirmAgain,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerSource {
    /// A test: this is asked for the first time.
    Tested,
    /// A prediction from what is known about the deltas.
    Predicted,
    /// An earlier answer to this question, or to one with the same content.
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
    /// All remaining candidates are untestable.
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
    /// Whether removing each single delta was tried, and what the deltas were.
    pub minimal: Minimal,
    /// What the confirmations showed; `None` for a confirmation that did not run.
    pub verified: Verified,
    /// The probability that the answer is right, if the test is noisy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// The claim of 1-minimality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Minimal {
    /// The unit, in the plural: items, lines, bytes.
    #[serde(with = "in_plural")]
    pub of: Unit,
    /// Removing each single delta was tried, and no test failed without one.
    pub checked: bool,
    /// Why the search ended before it knew, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_after: Option<EndedAfter>,
}

impl Minimal {
    /// The claim, or that nothing is known.
    #[must_use]
    pub fn new(of: Unit, checked: bool) -> Self {
        Self { of, checked, ended_after: None }
    }
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndedAfter {
    /// So many tests in a row that left no fewer suspects, or hardly fewer.
    TestsWithoutProgress(u32),
    /// So many tests that could not be judged.
    UnresolvedTests(u32),
    /// So many tests in all.
    Tests(u32),
}

/// A stage whose search a limit has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndedStage {
    /// What it varied.
    pub stage: StageName,
    /// The limit.
    pub ended_after: EndedAfter,
}

impl From<LimitReached> for EndedAfter {
    fn from(limit: LimitReached) -> Self {
        match limit {
            LimitReached::WithoutProgress(tests) => EndedAfter::TestsWithoutProgress(tests),
            LimitReached::Unresolved(tests) => EndedAfter::UnresolvedTests(tests),
            LimitReached::InAll(tests) => EndedAfter::Tests(tests),
        }
    }
}

impl fmt::Display for EndedAfter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndedAfter::TestsWithoutProgress(tests) => write!(f, "{tests} tests with little or no progress"),
            EndedAfter::UnresolvedTests(tests) => write!(f, "{tests} tests that could not be judged"),
            EndedAfter::Tests(tests) => write!(f, "{tests} tests"),
        }
    }
}

/// The two confirmations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// The finding alone fails.
    pub alone_fails: Option<bool>,
    /// Everything without the finding passes.
    pub without_passes: Option<bool>,
}
