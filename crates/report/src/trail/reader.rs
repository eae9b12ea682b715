//! Reads a journal into a summary: what a resumed run repeats, and which of several endings counts.

use crate::trail::step::{Trail, TrailStep};
use crate::trail::summary::{AheadCounts, Check, Contradiction, StageSummary, Summary, TestCounts};
use howcome_dd::Configuration;
use howcome_run::{
    Algorithm, AnswerSource, Conclusion, Ending, Entry, Observation, Purpose, QuestionName, RunFile,
    StageName, Tally, TestId, TestInfo,
};
use std::collections::HashMap;
use std::path::Path;

/// With at most this many tests at a time, hardly anyone asks what became of those that were started ahead.
const FEW: u32 = 8;

/// What has been read of a journal so far.
#[derive(Default)]
pub(crate) struct SummaryReader {
    howcome: Option<String>,
    stages: Vec<StageSummary>,
    stage: u32,
    observed: HashMap<TestId, (Configuration, Observation)>,
    tallies: Vec<Contradiction>,
    /// By subject, since stages may share one.
    tally_of: HashMap<(Option<StageName>, Configuration), usize>,
    /// The names of candidates, by subject and configuration.
    names: HashMap<(Option<StageName>, Configuration), String>,
    trail: Trail,
    checks: Vec<Check>,
    test: Option<TestInfo>,
    warnings: Vec<String>,
    executed: u64,
    cancelled: u64,
    /// Tests that were started ahead and have ended, and whether they were told.
    ahead: HashMap<TestId, bool>,
    /// How long all tests together ran, in seconds.
    busy: f64,
    ended: Option<(Ending, Option<Conclusion>, Option<String>)>,
    seconds: f64,
}

impl Summary {
    /// Gathers what the record of a run says. `run_path` is shown as it is given.
    #[must_use]
    pub fn of(run: &RunFile, run_path: &Path, entries: &[Entry]) -> Self {
        let mut reader = SummaryReader::default();
        for entry in entries {
            reader.read(entry);
        }
        reader.summary(run, run_path)
    }
}

impl SummaryReader {
    pub(crate) fn read(&mut self, entry: &Entry) {
        match entry {
            Entry::Opened { howcome, .. } => self.open(howcome),
            Entry::Stage { stage, subject, search, deltas, unit, bytes } => self.begin(StageSummary {
                number: *stage,
                subject: subject.clone(),
                search: *search,
                deltas: *deltas,
                unit: *unit,
                asked: 0,
                left: *deltas,
                bytes: *bytes,
            }),
            Entry::Observed { test, stage, purpose, at, configuration, observation, .. } => {
                self.seconds = self.seconds.max(*at);
                self.observe(*test, *stage, *purpose, configuration, observation);
            }
            Entry::Cancelled { seconds, .. } => {
                self.cancelled += 1;
                self.busy += seconds;
            }
            Entry::Told { how, test, configuration, step, outcome, because, left, bytes } => {
                // An earlier session ended, but the search goes on.
                self.ended = None;
                let observed = test.and_then(|test| self.observed.get(&test));
                let tested = *how == AnswerSource::Tested;
                if let Some(is_told) = test.and_then(|test| self.ahead.get_mut(&test)) {
                    *is_told = true;
                }
                let configuration = configuration
                    .clone()
                    .or_else(|| observed.map(|(configuration, _)| configuration.clone()));
                let name = configuration
                    .as_ref()
                    .filter(|_| !self.names.is_empty())
                    .and_then(|asked| self.names.get(&(self.subject(self.stage), asked.clone())));
                let step = TrailStep {
                    number: None,
                    stage: self.stage,
                    how: *how,
                    test: *test,
                    step: *step,
                    outcome: *outcome,
                    name: name.cloned(),
                    configuration,
                    left: *left,
                    bytes: *bytes,
                    also: observed.map(|(_, observation)| observation.also.to_vec()).unwrap_or_default(),
                    // A failure that does not count has a reason of its own.
                    because: because
                        .clone()
                        .or_else(|| observed.map(|(_, observation)| observation.because.clone())),
                    took: observed.filter(|_| tested).map(|(_, observation)| observation.took),
                };
                self.trail.tell(step);
            }
            Entry::Named { stage, configuration, name } => {
                self.names.insert((self.subject(*stage), configuration.clone()), name.clone());
            }
            Entry::Test(test) => self.test = Some(test.clone()),
            Entry::Warning { text } => {
                if !self.warnings.contains(text) {
                    self.warnings.push(text.clone());
                }
            }
            Entry::Ended { ending, conclusion, why, seconds } => {
                self.ended = Some((*ending, conclusion.clone(), why.clone()));
                self.seconds = *seconds;
            }
        }
    }

    fn open(&mut self, howcome: &str) {
        self.howcome = Some(howcome.to_owned());
    }

    fn begin(&mut self, stage: StageSummary) {
        self.stage = stage.number;
        match self.stages.iter_mut().find(|known| known.number == stage.number) {
            Some(known) => *known = stage,
            None => self.stages.push(stage),
        }
    }

    /// What a stage varies. The baseline comes before the first stage and belongs to it.
    fn subject(&self, stage: u32) -> Option<StageName> {
        let stage = self.stages.iter().find(|known| known.number == stage).or(self.stages.first());
        stage.map(|stage| stage.subject.clone())
    }

    fn observe(
        &mut self,
        test: TestId,
        stage: u32,
        purpose: Purpose,
        configuration: &Configuration,
        observation: &Observation,
    ) {
        self.executed += u64::from(observation.tally.runs().max(1));
        self.busy += observation.took.as_secs_f64();
        if observation.ahead {
            // A proof is recorded when it is asked for.
            self.ahead.insert(test, purpose != Purpose::Question);
        }
        let subject = self.subject(stage);
        let at = *self.tally_of.entry((subject, configuration.clone())).or_insert_with(|| {
            let tally = Tally::default();
            self.tallies.push(Contradiction { stage, configuration: configuration.clone(), tally });
            self.tallies.len() - 1
        });
        if let Some(Contradiction { tally, .. }) = self.tallies.get_mut(at) {
            match observation.tally.runs() {
                0 => tally.add(observation.outcome),
                _ => {
                    tally.pass += observation.tally.pass;
                    tally.fail += observation.tally.fail;
                    tally.unresolved += observation.tally.unresolved;
                }
            }
        }
        if purpose != Purpose::Question {
            self.checks.push(Check { purpose, observation: observation.clone() });
        }
        self.observed.insert(test, (configuration.clone(), observation.clone()));
    }

    pub(crate) fn summary(self, run: &RunFile, run_path: &Path) -> Summary {
        let trail = self.trail.into_steps();
        let mut counts =
            TestCounts { executed: self.executed, cancelled: self.cancelled, ..TestCounts::default() };
        let mut stages = self.stages;
        for step in &trail {
            counts.add(step);
            if let Some(stage) = stages.iter_mut().find(|stage| stage.number == step.stage) {
                stage.asked += u64::from(step.number.is_some());
                stage.left = step.left;
            }
        }
        // A fallback can have found the answer instead of the requested search.
        let last_search = stages
            .iter()
            .rfind(|stage| stage.search != Algorithm::Confirm)
            .map(|stage| stage.search.to_string());
        let (ending, conclusion, why) = match self.ended {
            Some((ending, conclusion, why)) => (Some(ending), conclusion, why),
            None => (None, None, None),
        };
        let used = self.ahead.values().filter(|is_told| **is_told).count() as u64;
        let ahead = (run.jobs > FEW && self.seconds > 0.0).then(|| AheadCounts {
            used,
            unused: self.ahead.len() as u64 - used,
            cancelled: self.cancelled,
            busy: (self.busy / self.seconds * 10.0).round() / 10.0,
        });
        let contradicts = |seen: &Contradiction| seen.tally.pass > 0 && seen.tally.fail > 0;
        Summary {
            question: run.question,
            asked_as: run.asked_as(),
            run: run_path.display().to_string(),
            howcome: self.howcome.unwrap_or_else(|| run.howcome.clone()),
            started: run.started,
            ending,
            counts,
            ahead,
            seconds: self.seconds,
            jobs: run.jobs,
            // If several searches follow each other, the last one alone did not find the answer.
            algorithm: last_search
                .filter(|_| matches!(run.question, QuestionName::Input | QuestionName::Items))
                .unwrap_or_else(|| run.algorithm.to_string()),
            conclusion,
            test: self.test,
            warnings: self.warnings,
            why,
            trail,
            stages,
            checks: self.checks,
            contradictions: self.tallies.into_iter().filter(contradicts).collect(),
        }
    }
}
