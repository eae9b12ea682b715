//! The record of a run as the report needs it.

use crate::trail::step::TrailStep;
use howcome_dd::{Configuration, Outcome};
use howcome_run::{
    Algorithm, AnswerSource, Because, Conclusion, Ending, Observation, Purpose, QuestionName, StageName,
    Tally, TestInfo, Unit,
};
use serde::Serialize;

/// A run as its record shows it, finished or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Which question was asked.
    pub question: QuestionName,
    /// The question that the user asked, if howcome had to ask another one.
    pub asked_as: Option<QuestionName>,
    /// Where the run is recorded.
    pub run: String,
    /// The version of howcome that wrote last.
    pub howcome: String,
    /// When the run began, in seconds since 1970.
    pub started: u64,
    /// How it ended. `None` while it is going on, and if it was killed.
    pub ending: Option<Ending>,
    /// How many tests there were.
    pub counts: TestCounts,
    /// What became of tests that were started ahead, if many ran at a time.
    pub ahead: Option<AheadCounts>,
    /// How long it took, or has taken so far.
    pub seconds: f64,
    /// Tests at a time.
    pub jobs: u32,
    /// The search.
    pub algorithm: String,
    /// What was found.
    pub conclusion: Option<Conclusion>,
    /// What is known about the test, if the baseline was run.
    pub test: Option<TestInfo>,
    /// The warnings, each one once.
    pub warnings: Vec<String>,
    /// Why it ended, if the ending alone does not say it.
    pub why: Option<String>,
    /// The questions and answers.
    pub trail: Vec<TrailStep>,
    /// The searches, one after the other.
    pub stages: Vec<StageSummary>,
    /// The tests besides the questions: the baseline and the confirmations.
    pub checks: Vec<Check>,
    /// The configurations that passed once and failed another time.
    pub contradictions: Vec<Contradiction>,
}

/// How many tests a run took, in the words of its JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TestCounts {
    /// Different questions, the baseline not counted.
    pub asked: u64,
    /// Questions answered by a test.
    pub told: u64,
    /// Questions answered without a test.
    pub predicted: u64,
    /// Questions that were asked again, or had the same content as an earlier one.
    pub remembered: u64,
    /// Processes that were run, with the baseline, repeats and wasted tests.
    pub executed: u64,
    /// Tests that were stopped because their answer was no longer needed.
    pub cancelled: u64,
    /// Of the told: passing.
    pub pass: u64,
    /// Of the told: failing.
    pub fail: u64,
    /// Of the told: neither.
    pub unresolved: u64,
}

/// What became of tests that were started before the search asked for them, in the words of the JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct AheadCounts {
    /// Tests whose answers the search asked for later.
    pub used: u64,
    /// Tests that ended, but were never asked for.
    pub unused: u64,
    /// Tests that were stopped because their answers were no longer needed.
    pub cancelled: u64,
    /// How many tests ran at the same time on average.
    pub busy: f64,
}

/// One search over the deltas of one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageSummary {
    /// Counted from 0.
    pub number: u32,
    /// What was varied.
    pub subject: StageName,
    /// What searched.
    pub search: Algorithm,
    /// How many deltas there were.
    pub deltas: u32,
    /// What one delta is: item, line, hunk.
    pub unit: Unit,
    /// How many different questions were asked.
    pub asked: u64,
    /// How many deltas were in question at the end.
    pub left: u32,
    /// How large everything was when it began, where that is measured in bytes.
    pub bytes: Option<u64>,
}

/// A test of the baseline or of the finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Why it was run.
    pub purpose: Purpose,
    /// What was seen.
    pub observation: Observation,
}

/// A configuration whose tests do not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The stage whose deltas are meant.
    pub stage: u32,
    /// What was tested.
    pub configuration: Configuration,
    /// What was seen.
    pub tally: Tally,
}

impl Summary {
    /// The last check of a purpose: a resumed run repeats some of them.
    #[must_use]
    pub fn check(&self, purpose: Purpose) -> Option<&Observation> {
        self.checks.iter().rev().find(|check| check.purpose == purpose).map(|check| &check.observation)
    }

    /// A stage by its number.
    #[must_use]
    pub fn stage(&self, number: u32) -> Option<&StageSummary> {
        self.stages.iter().find(|stage| stage.number == number)
    }

    /// What one delta is called in a stage.
    #[must_use]
    pub fn unit(&self, stage: u32) -> Unit {
        self.stage(stage).map_or(Unit::Delta, |stage| stage.unit)
    }

    /// What one delta is called where the search is, or was, at the end.
    #[must_use]
    pub fn unit_of_last_stage(&self) -> Unit {
        self.stages.last().map_or(Unit::Delta, |stage| stage.unit)
    }

    /// The reasons why tests could not be judged, the most frequent first.
    #[must_use]
    pub fn reasons_for_unresolved(&self) -> Vec<(String, u64)> {
        let mut reasons: Vec<(String, u64)> = Vec::new();
        let unresolved =
            |step: &&TrailStep| step.how == AnswerSource::Tested && step.outcome == Outcome::Unresolved;
        for because in self.trail.iter().filter(unresolved).filter_map(|step| step.because.as_ref()) {
            let reason = kind_of(because);
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, times)) => *times += 1,
                None => reasons.push((reason, 1)),
            }
        }
        reasons.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        reasons
    }
}

/// Without the details that differ from test to test, so that reasons can be counted.
fn kind_of(because: &Because) -> String {
    match because {
        Because::DidNotApply(_) => "did not apply".to_owned(),
        Because::DidNotBuild(_) => "did not build".to_owned(),
        Because::TestDidNotBuild(_) => "the test did not build".to_owned(),
        Because::OtherThan(_) => "failed differently".to_owned(),
        Because::NewWarning(_) => "a warning that neither version has".to_owned(),
        Because::DidNotRun(_) => "the test did not run".to_owned(),
        other => other.to_string(),
    }
}

impl TestCounts {
    pub(crate) fn add(&mut self, step: &TrailStep) {
        match step.how {
            AnswerSource::Tested => self.told += 1,
            AnswerSource::Predicted => self.predicted += 1,
            AnswerSource::Remembered => self.remembered += 1,
        }
        self.asked = self.told + self.predicted;
        if step.how == AnswerSource::Tested {
            *match step.outcome {
                Outcome::Pass => &mut self.pass,
                Outcome::Fail => &mut self.fail,
                Outcome::Unresolved => &mut self.unresolved,
            } += 1;
        }
    }
}
